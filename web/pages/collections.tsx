/** Collections: films that belong together. */
import { useQuery } from '@tanstack/preact-query'
import { Layers } from 'lucide-preact'
import { collectionsQuery } from '../data/queries.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
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
          <ul class="tiles">
            {data.items.map(({ id, name, movieCount }) => (
              <li key={id}>
                <Link to={`/collections/${id}`} class="tile" data-focus={`collection ${id}`}>
                  <Icon of={Layers} />
                  <span>
                    <strong>{name}</strong>
                    <span class="soft">{say('films.count', { count: movieCount })}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )
      ) : error ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
    </>
  )
}
