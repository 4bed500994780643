/** Collections: films that belong together. */
import { useInfiniteQuery } from '@tanstack/preact-query'
import { Layers } from 'lucide'
import { collectionsQuery } from '../data/past-queries.ts'
import { Cards } from '../parts/cards.tsx'
import { CollectionCard } from '../parts/collection-card.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { say } from '../words/words.ts'

export function Page() {
  const list = useInfiniteQuery(collectionsQuery)
  const { data, error, refetch } = list
  const items = data?.pages.flatMap((page) => page.items)
  return (
    <>
      <div class="list-head">
        <Title>{say('page.collections')}</Title>
      </div>
      {items ? (
        items.length === 0 ? (
          <Empty title={say('collections.none')} icon={Layers}>
            <p>{say('collections.none.hint')}</p>
          </Empty>
        ) : (
          <>
            <Cards>
              {items.map((collection, index) => (
                <CollectionCard key={collection.id} collection={collection} isFirst={index < 12} />
              ))}
            </Cards>
            <ShowMore of={list} />
          </>
        )
      ) : error ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
    </>
  )
}
