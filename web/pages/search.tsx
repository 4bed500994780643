/** Search as one types: films by title and people, people, and collections. The last answer wins. */
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { Search as SearchIcon, SearchX } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useSearch } from 'wouter-preact'
import type { components } from '../api/schema.d.ts'
import { RESULTS, searchQuery } from '../data/queries.ts'
import { queryText } from '../data/typed.ts'
import { Card } from '../parts/card.tsx'
import { Cards } from '../parts/cards.tsx'
import { CollectionCard } from '../parts/collection-card.tsx'
import { Icon } from '../parts/icon.tsx'
import { People } from '../parts/people.tsx'
import { Empty, Failed } from '../parts/states.tsx'
import { entryKey, go, remembered } from '../router.ts'
import { say } from '../words/words.ts'

type Found = components['schemas']['SearchResults']

const PAUSE_MS = 150
const PEOPLE_SHOWN = 6

/** Each entry of the history has its own search: the text of one must not replace that of another. */
export const Page = () => <Search key={entryKey.value} />

function Search() {
  const asked = new URLSearchParams(useSearch()).get('q') ?? ''
  const [text, setText] = useState(asked)
  const input = useRef<HTMLInputElement>(null)
  // Someone who comes back to the results goes on at the film that was open.
  useEffect(() => (remembered('focus') === undefined ? input.current?.focus() : undefined), [])
  useEffect(() => {
    const wanted = queryText(text)
    if (wanted === asked) return undefined
    const timer = setTimeout(() => go(wanted === '' ? '/search' : `/search?q=${encodeURIComponent(wanted)}`, { replace: true }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, asked])
  return (
    <>
      <h1 class="hidden">{say('page.search')}</h1>
      <form role="search" class="search" onSubmit={(event) => event.preventDefault()}>
        <Icon of={SearchIcon} />
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
      {asked === '' ? <Empty title={say('search.begin')} icon={SearchIcon} /> : <Results text={asked} />}
    </>
  )
}

function Results({ text }: { readonly text: string }) {
  const { data, error, refetch } = useQuery({ ...searchQuery(text), placeholderData: keepPreviousData })
  if (error) return <Failed cause={error} onRetry={() => void refetch()} />
  if (!data) return null
  const { movies, people, collections } = data
  if (movies.length + people.length + collections.length === 0)
    return (
      <Empty title={say('search.none', { text })} icon={SearchX}>
        <p>{say('search.none.hint')}</p>
      </Empty>
    )
  return (
    <>
      {people.length > 0 && (
        <People
          id="search-people"
          title={say('search.people')}
          people={people}
          most={PEOPLE_SHOWN}
          all={say('search.all-people', { count: people.length })}
        />
      )}
      <Collections collections={collections} />
      {movies.length > 0 && (
        <>
          <p class="soft count" role="status">
            {movies.length < RESULTS ? say('movies.count', { count: movies.length }) : say('search.first', { count: movies.length })}
          </p>
          <Cards>
            {movies.map((movie, index) => (
              <Card key={movie.id} movie={movie} place="search" isFirst={index < 12} />
            ))}
          </Cards>
        </>
      )}
    </>
  )
}

function Collections({ collections }: Pick<Found, 'collections'>) {
  if (collections.length === 0) return null
  return (
    <section class="shelf" aria-labelledby="search-collections">
      <h2 id="search-collections">{say('page.collections')}</h2>
      <Cards isRow>
        {collections.map((collection) => (
          <CollectionCard key={collection.id} collection={collection} />
        ))}
      </Cards>
    </section>
  )
}
