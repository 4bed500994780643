/** A film in a list: poster, title, year, and how far the person is. W and L mark the card that has the focus. */
import { Play, X } from 'lucide'
import { asOfIn, withAsOf } from '../data/as-of.ts'
import type { MovieCard } from '../data/queries.ts'
import { clock } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import { dismissFromContinue, markByKey } from './mark-notes.ts'
import { ImageMarks } from './image-marks.tsx'
import { Poster, POSTER_SIZES, Still } from './poster.tsx'
import { prefetching } from './prefetch.ts'

export interface CardProps {
  readonly movie: MovieCard
  /** Names the card among those of the page, for returning to it. */
  readonly place: string
  readonly isFirst?: boolean
  /** Below the title, in place of the year. */
  readonly note?: string
  readonly canDismiss?: boolean
  /** Goes straight to the player, and shows a wide image. */
  readonly plays?: boolean
  readonly at?: { readonly index: number; readonly total: number }
}

export function Card({ movie, place, isFirst = false, note, canDismiss = false, plays = false, at }: CardProps) {
  const { id, title, year, watched } = movie
  // A film of the past leads to how it was then, and cannot be marked.
  const asOf = asOfIn(location.search)
  const share = movie.duration === null || movie.position === 0 ? 0 : movie.position / movie.duration
  const marks = [
    ...(watched ? [say('card.watched')] : []),
    ...(share > 0 ? [say('card.left-at', { time: clock(movie.position) })] : []),
  ].join(', ')
  return (
    <article
      class="card"
      aria-setsize={at?.total}
      aria-posinset={at === undefined ? undefined : at.index + 1}
      onKeyDown={(event) => (asOf === undefined ? markByKey(event, movie) : undefined)}
    >
      <Link
        to={plays ? `/watch/${id}` : withAsOf(`/films/${id}`, asOf)}
        data-focus={`${place} ${id}`}
        {...(plays || asOf !== undefined ? {} : prefetching(id))}
      >
        <span class="image">
          {plays ? <Still movie={movie} isFirst={isFirst} /> : <Poster movie={movie} sizes={POSTER_SIZES} isFirst={isFirst} />}
          {plays && (
            <span class="plays">
              <Icon of={Play} size={18} />
            </span>
          )}
          <ImageMarks share={share} isWatched={watched} />
        </span>
        <span class="title" title={title}>
          {title}
        </span>
        <span class="year">{note ?? year ?? ' '}</span>
        {marks !== '' && <span class="hidden">{marks}</span>}
      </Link>
      {canDismiss && (
        <button type="button" class="round dismiss" aria-label={say('card.dismiss', { title })} onClick={() => dismissFromContinue(movie)}>
          <Icon of={X} size={16} />
        </button>
      )}
    </article>
  )
}
