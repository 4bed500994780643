/** Collections: films that belong together. */
import { useQuery } from '@tanstack/preact-query'
import { Layers } from 'lucide'
import { collectionsQuery } from '../data/queries.ts'
import { Cards } from '../parts/cards.tsx'
import { CollectionCard } from '../parts/collection-card.tsx'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { say } from '../words/words.ts'

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
