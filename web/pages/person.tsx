/** A person and the films in which they took part. */
import { useQuery } from '@tanstack/preact-query'
import { personQuery } from '../data/queries.ts'
import type { PageProps } from '../pages.ts'
import { Card } from '../parts/card.tsx'
import { Cards } from '../parts/cards.tsx'
import { Face } from '../parts/face.tsx'
import { Failed, Waiting } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { list } from '../words/format.ts'
import { say } from '../words/words.ts'

export function Page({ params: { id = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(personQuery(id))
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} isPage /> : <Waiting />
  return (
    <>
      <div class="person-head">
        <Face name={data.name} image={data.image} />
        <div>
          <Title named={data.name} />
          <p class="soft">{say('movies.count', { count: data.movies.length })}</p>
        </div>
      </div>
      <Cards>
        {data.movies.map(({ summary, roles }, index) => (
          <Card key={summary.id} movie={summary} place="person" isFirst={index < 12} note={list(roles)} />
        ))}
      </Cards>
    </>
  )
}
