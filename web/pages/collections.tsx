/** Collections: films that belong together. */
import { useQuery } from '@tanstack/preact-query'
import { Check, Layers } from 'lucide-preact'
import type { components } from '../api/schema.d.ts'
import { collectionsQuery } from '../data/queries.ts'
import { Cards } from '../parts/cards.tsx'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { Poster, POSTER_SIZES } from '../parts/poster.tsx'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { say } from '../words/words.ts'

type Schemas = components['schemas']

interface CollectionCardProps {
  readonly collection: Schemas['CollectionSummary']
  readonly isFirst: boolean
}

/** The poster of its first film on a stack, and how many of its films the person has watched. */
function CollectionCard({ collection: { id, name, movieCount, watchedCount, images }, isFirst }: CollectionCardProps) {
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

export function Page() {
  const { data, error, refetch } = useQuery(collectionsQuery)
  return (
    <>
      <div class="list-head">
        <Title>{say('page.collections')}</Title>
      </div>
      {data ? (
        data.items.length === 0 ? (
          <Empty title={say('collections.none')} icon={Layers}>
            <p>{say('collections.none.hint')}</p>
          </Empty>
        ) : (
          <Cards>
            {data.items.map((collection, index) => (
              <CollectionCard key={collection.id} collection={collection} isFirst={index < 12} />
            ))}
          </Cards>
        )
      ) : error ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
    </>
  )
}
