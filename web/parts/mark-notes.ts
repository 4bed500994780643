/** Marks with the note that offers to undo them. */
import { dismiss, setWatched, setWatchlisted, type Change, type Marked } from '../data/marks.ts'
import { letterKeys } from '../data/preferences.ts'
import { say } from '../words/words.ts'
import { isSecondKey } from './shortcuts.ts'
import { toast } from './toast.tsx'

/** @param text what was done */
export function tell({ done, undo }: Change, text: string): void {
  void takeBackIfRefused(done, toast({ text, undo }))
}

async function takeBackIfRefused(done: Change['done'], takeBack: () => void): Promise<void> {
  const answer = await done
  if (answer.ok) return
  takeBack()
  toast({ text: say('mark.refused', { reason: answer.problem.message }) })
}

export function toggleWatched(movie: Marked): void {
  const watched = !movie.watched
  tell(setWatched(movie, watched), say(watched ? 'mark.watched.done' : 'mark.unwatched.done', { title: movie.title }))
}

export function toggleWatchlist(movie: Marked): void {
  const listed = !movie.watchlist
  tell(setWatchlisted(movie, listed), say(listed ? 'mark.listed.done' : 'mark.unlisted.done', { title: movie.title }))
}

export function dismissFromContinue(movie: Marked): void {
  tell(dismiss(movie), say('mark.dismissed.done', { title: movie.title }))
}

/** W and L, for the film that the key is meant for. A key after G is another page's. */
export function markByKey(event: KeyboardEvent, movie: Marked): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  if (!letterKeys.value || isSecondKey(event)) return
  if (event.key === 'w') toggleWatched(movie)
  else if (event.key === 'l') toggleWatchlist(movie)
  else return
  event.preventDefault()
}
