/** What one can do with a film: play it, mark it, keep it for later. */
import { Bookmark, BookmarkCheck, CircleCheck, Circle, Play, RotateCcw } from 'lucide'
import { useEffect } from 'preact/hooks'
import type { Movie } from '../data/queries.ts'
import { isAdmin } from '../data/who.ts'
import { clock } from '../words/format.ts'
import { say } from '../words/words.ts'
import { MovieMatch } from './movie-match.tsx'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import { markByKey, toggleWatched, toggleWatchlist } from './mark-notes.ts'
import { isTyping } from './shortcuts.ts'

export function MovieActions({ movie }: { readonly movie: Movie }) {
  const { id, position, watched, watchlist, availability } = movie
  const goesOn = position > 0
  useEffect(() => {
    const take = (event: KeyboardEvent): void => (isTyping(event) ? undefined : markByKey(event, movie))
    document.addEventListener('keydown', take)
    return () => document.removeEventListener('keydown', take)
  }, [movie])
  return (
    <div class="actions">
      {availability === 'available' && (
        <Link to={`/watch/${id}`} class="button primary" data-focus="play">
          <Icon of={Play} />
          {goesOn ? say('movie.resume', { time: clock(position) }) : say('movie.play')}
        </Link>
      )}
      {goesOn && availability === 'available' && (
        <Link to={`/watch/${id}?t=0`} class="button" data-focus="start-over">
          <Icon of={RotateCcw} />
          {say('movie.start-over')}
        </Link>
      )}
      <button type="button" aria-pressed={watched} data-focus="watched" onClick={() => toggleWatched(movie)}>
        <Icon of={watched ? CircleCheck : Circle} />
        {say(watched ? 'movie.watched' : 'movie.mark-watched')}
      </button>
      <button type="button" aria-pressed={watchlist} data-focus="watchlist" onClick={() => toggleWatchlist(movie)}>
        <Icon of={watchlist ? BookmarkCheck : Bookmark} />
        {say(watchlist ? 'movie.on-watchlist' : 'movie.add-to-watchlist')}
      </button>
      {isAdmin() && <MovieMatch movie={movie} />}
    </div>
  )
}
