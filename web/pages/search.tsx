/** Search as one types: films by title and people. The last answer wins. */
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { Search, SearchX } from 'lucide-preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useSearch } from 'wouter-preact'
import { searchQuery } from '../data/queries.ts'
import { Card } from '../parts/card.tsx'
import { Cards } from '../parts/cards.tsx'
import { Icon } from '../parts/icon.tsx'
import { Empty, Failed } from '../parts/states.tsx'
import { go, remembered } from '../router.ts'
import { say } from '../words/words.ts'

const PAUSE_MS = 150

export function Page() {
  const asked = new URLSearchParams(useSearch()).get('q') ?? ''
  const [text, setText] = useState(asked)
  const input = useRef<HTMLInputElement>(null)
  // Someone who comes back to the results goes on at the film that was open.
  useEffect(() => (remembered('focus') === undefined ? input.current?.focus() : undefined), [])
  useEffect(() => {
    const wanted = text.trim().slice(0, 200)
    if (wanted === asked) return undefined
    const timer = setTimeout(() => go(wanted === '' ? '/search' : `/search?q=${encodeURIComponent(wanted)}`, { replace: true }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, asked])
  return (
    <>
      <h1 class="hidden">{say('page.search')}</h1>
      <form role="search" class="search" onSubmit={(event) => event.preventDefault()}>
        <Icon of={Search} />
        <input
          ref={input}
          type="search"
          aria-label={say('search.label')}
          placeholder={say('search.label')}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          data-focus="search"
        />
      </form>
      {asked === '' ? <Empty title={say('search.begin')} icon={Search} /> : <Results text={asked} />}
    </>
  )
}

function Results({ text }: { readonly text: string }) {
  const { data, error, refetch } = useQuery({ ...searchQuery(text), placeholderData: keepPreviousData })
  if (error) return <Failed cause={error} onRetry={() => void refetch()} />
  if (!data) return null
  if (data.items.length === 0)
    return (
      <Empty title={say('search.none', { text })} icon={SearchX}>
        <p>{say('search.none.hint')}</p>
      </Empty>
    )
  return (
    <>
      <p class="soft count" role="status">
        {data.nextCursor === null ? say('films.count', { count: data.items.length }) : say('search.first', { count: data.items.length })}
      </p>
      <Cards>
        {data.items.map((movie, index) => (
          <Card key={movie.id} movie={movie} place="search" isFirst={index < 12} />
        ))}
      </Cards>
    </>
  )
}
