/** The films of a collection, in their order. */
import { useQuery } from '@tanstack/preact-query'
import { collectionQuery } from '../data/queries.ts'
import type { PageProps } from '../pages.ts'
import { Card } from '../parts/card.tsx'
import { Cards } from '../parts/cards.tsx'
import { Failed, Waiting } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { say } from '../words/words.ts'

export function Page({ params: { id = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(collectionQuery(id))
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} isPage /> : <Waiting />
  return (
    <>
      <div class="list-head">
        <Title named={data.name} />
      </div>
      <p class="soft count">{say('films.count', { count: data.movieCount })}</p>
      <Cards>
        {data.movies.map((movie, index) => (
          <Card key={movie.id} movie={movie} place="collection" isFirst={index < 12} />
        ))}
      </Cards>
    </>
  )
}
