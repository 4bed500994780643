/** A collection in a list: the poster of its first film on a stack, and how many of its films the person has watched. */
import { Check } from 'lucide-preact'
import type { components } from '../api/schema.d.ts'
import { say } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import { Poster, POSTER_SIZES } from './poster.tsx'

export interface CollectionCardProps {
  readonly collection: components['schemas']['CollectionSummary']
  readonly isFirst?: boolean
}

export function CollectionCard({ collection: { id, name, movieCount, watchedCount, images }, isFirst = false }: CollectionCardProps) {
  const watched = watchedCount ?? 0
  return (
    <article class="card stack">
      <Link to={`/collections/${id}`} data-focus={`collection ${id}`}>
        <span class="picture">
          <Poster movie={{ title: name, images }} sizes={POSTER_SIZES} isFirst={isFirst} />
          {watched > 0 && watched < movieCount && (
            <span class="progress">
              <i style={{ inlineSize: `${(100 * watched) / movieCount}%` }} />
            </span>
          )}
          {watched >= movieCount && (
            <span class="seen">
              <Icon of={Check} size={15} />
            </span>
          )}
        </span>
        <span class="title" title={name}>
          {name}
        </span>
        <span class="year">
          {watched > 0 ? say('collections.watched', { watched, count: movieCount }) : say('films.count', { count: movieCount })}
        </span>
      </Link>
    </article>
  )
}
