/** English: the life of a film. */
import { addEnglish } from './words.ts'

export const lifeEn = {
  'life.title': 'Life of this film',
  'life.show': 'Show what happened to it',
  'life.hide': 'Hide what happened to it',
  'life.viewings': 'When you watched it',
  'life.none': 'Nothing is recorded.',
  'life.kind.discovered': 'Discovered',
  'life.kind.identified': 'Identified',
  'life.kind.matched': 'Found online',
  'life.kind.unmatched': 'Not found online',
  'life.kind.match_pinned': 'Match chosen by hand',
  'life.kind.edited': 'Edited',
  'life.kind.artwork_chosen': 'Pictures chosen',
  'life.kind.file_added': 'File added',
  'life.kind.file_moved': 'File moved',
  'life.kind.file_replaced': 'File replaced',
  'life.kind.file_missing': 'File missing',
  'life.kind.file_returned': 'File back',
  'life.kind.viewing': 'Watched',
  'past.not-there': 'This film was not here yet',
} as const

addEnglish(lifeEn)
