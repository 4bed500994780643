/** A collection in a list: the poster of its first film on a stack, and how many of its films the person has watched. */
import type { components } from '../api/schema.d.ts'
import { say } from '../words/words.ts'
import { Link } from './link.tsx'
import { ImageMarks } from './image-marks.tsx'
import { Poster, POSTER_SIZES } from './poster.tsx'

export interface CollectionCardProps {
  readonly collection: components['schemas']['CollectionSummary']
  readonly isFirst?: boolean
}

export function CollectionCard({ collection: { id, name, movieCount, watchedCount, images }, isFirst = false }: CollectionCardProps) {
  const watched = watchedCount ?? 0
  const isWatched = watched >= movieCount
  return (
    <article class="card stack">
      <Link to={`/collections/${id}`} data-focus={`collection ${id}`}>
        <span class="image">
          <Poster movie={{ title: name, images }} sizes={POSTER_SIZES} isFirst={isFirst} />
          <ImageMarks share={isWatched ? 0 : watched / movieCount} isWatched={isWatched} />
        </span>
        <span class="title" title={name}>
          {name}
        </span>
        <span class="year">
          {watched > 0 ? say('collections.watched', { watched, count: movieCount }) : say('movies.count', { count: movieCount })}
        </span>
      </Link>
    </article>
  )
}
