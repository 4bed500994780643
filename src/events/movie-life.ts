/** Kinds of events in a film's life that people see. Events without visible effect, such as a new index, are left out. */
import type { EventType } from './catalogue.ts'
import type { RecordedEvent } from './recorded.ts'

export const LIFE_KINDS = [
  'discovered',
  'identified',
  'matched',
  'unmatched',
  'match_pinned',
  'edited',
  'artwork_chosen',
  'file_added',
  'file_moved',
  'file_replaced',
  'file_missing',
  'file_returned',
] as const
export type LifeKind = (typeof LIFE_KINDS)[number]

const KINDS = {
  MovieDiscovered: 'discovered',
  MovieIdentified: 'identified',
  MovieMatchedOnline: 'matched',
  MovieUnmatchedOnline: 'unmatched',
  MovieMatchPinned: 'match_pinned',
  MovieEdited: 'edited',
  MovieArtworkChosen: 'artwork_chosen',
  MovieFileAdded: 'file_added',
  MovieFileMoved: 'file_moved',
  MovieFileReplaced: 'file_replaced',
  MovieFileMissing: 'file_missing',
  MovieFileReturned: 'file_returned',
} as const satisfies { readonly [T in EventType]?: LifeKind }

export type LifeEvent = RecordedEvent<keyof typeof KINDS>

export const isLifeEvent = (event: RecordedEvent): event is LifeEvent => Object.hasOwn(KINDS, event.type)
export const lifeKindOf = ({ type }: { readonly type: keyof typeof KINDS }): LifeKind => KINDS[type]
