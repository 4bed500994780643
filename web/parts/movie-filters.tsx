/**
 * Sort and filters of the film list. Each is a choice of its own; those that are set are chips that can be taken away. Where there is
 * little room, and on touch screens, the filters are behind a button.
 */
import { useQuery } from '@tanstack/preact-query'
import { ArrowDownNarrowWide, ArrowDownWideNarrow, FolderX, SearchX, Shuffle, SlidersHorizontal, X } from 'lucide'
import { useId, useState } from 'preact/hooks'
import { asOfIn } from '../data/as-of.ts'
import { filtersIn, SORTS, withoutFilter, type ActiveFilter, type FilterName } from '../data/list-query.ts'
import { facetsQuery, librariesQuery } from '../data/queries.ts'
import { go, withQuery } from '../router.ts'
import { languageName } from '../words/format.ts'
import { say, type Key } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { librariesOfHome, NoMovies } from './no-movies.tsx'
import { Empty } from './states.tsx'
import { TravelDate } from './time-travel.tsx'

const SEED_MAX = 1_000_000

const change = (search: string, changes: Parameters<typeof withQuery>[1]): void =>
  go(`/films${withQuery(search, changes)}`, { replace: true })

export function MovieFilters({ search }: { readonly search: string }) {
  const query = new URLSearchParams(search)
  const sort = SORTS.find((name) => name === query.get('sort')) ?? 'title'
  const [isOpen, setOpen] = useState(false)
  const [isWanted, setWanted] = useState(() => filtersIn(search).length > 0)
  const want = (): void => setWanted(true)
  const id = useId()
  const active = filtersIn(search).length
  const order = query.get('order') ?? (sort === 'title' ? 'asc' : 'desc')
  return (
    <div class="filters" onPointerEnter={want} onFocusCapture={want}>
      <label>
        <span>{say('movies.sort')}</span>
        <select
          value={sort}
          onChange={({ currentTarget: { value } }) =>
            change(search, {
              sort: value === 'title' ? undefined : value,
              order: undefined,
              seed: value === 'random' ? newSeed() : undefined,
            })
          }
        >
          {SORTS.map((name) => (
            <option key={name} value={name}>
              {say(`movies.sort.${name}`)}
            </option>
          ))}
        </select>
      </label>
      {sort === 'random' ? (
        <button type="button" class="order" onClick={() => change(search, { seed: newSeed() })}>
          <Icon of={Shuffle} size={16} />
          <span>{say('movies.shuffle')}</span>
        </button>
      ) : (
        <button type="button" class="order" onClick={() => change(search, { order: order === 'asc' ? 'desc' : 'asc' })}>
          <Icon of={order === 'asc' ? ArrowDownNarrowWide : ArrowDownWideNarrow} size={18} />
          <span>{say(order === 'asc' ? 'movies.ascending' : 'movies.descending')}</span>
        </button>
      )}
      <button type="button" class="filters-toggle" aria-expanded={isOpen} aria-controls={id} onClick={() => (want(), setOpen(!isOpen))}>
        <Icon of={SlidersHorizontal} size={16} />
        {say('movies.filters')}
        {active > 0 && ` (${active})`}
      </button>
      <div id={id} class={isOpen ? 'filter-choices' : 'filter-choices hides'}>
        <Choices search={search} isWanted={isWanted} />
        <TravelDate search={search} path="/films" />
      </div>
      <Chips search={search} />
    </div>
  )
}

const newSeed = (): string => String(Math.floor(Math.random() * SEED_MAX))

interface Option {
  readonly value: string
  readonly text: string
}

/** What there is to choose is asked for once somebody turns to it: most people come to scroll. */
function Choices({ search, isWanted }: { readonly search: string; readonly isWanted: boolean }) {
  const { data: facets } = useQuery({ ...facetsQuery, enabled: isWanted })
  // A placeholder would outlive the answer that it came from, also if the person may see fewer libraries now.
  const { data: libraries = librariesOfHome() } = useQuery({ ...librariesQuery, enabled: isWanted })
  const counted = (
    items: readonly { readonly value: string | number; readonly count: number }[] = [],
    name: (value: string) => string = (value) => value,
  ): readonly Option[] => items.map(({ value, count }) => ({ value: String(value), text: `${name(String(value))} (${count})` }))
  const choices: readonly { readonly name: FilterName; readonly label: Key; readonly options: readonly Option[] }[] = [
    { name: 'genre', label: 'movies.genre', options: counted(facets?.genres) },
    { name: 'year', label: 'movies.year', options: counted(facets?.years) },
    { name: 'resolution', label: 'movies.resolution', options: counted(facets?.resolutions) },
    { name: 'language', label: 'movies.language', options: counted(facets?.languages, languageName) },
    {
      name: 'watched',
      label: 'movies.seen',
      options: [
        { value: 'false', text: say('movies.not-watched') },
        { value: 'true', text: say('movies.watched') },
      ],
    },
    // Last, because nobody knows before whether there are several: the others stay where they are.
    { name: 'libraryId', label: 'movies.library', options: (libraries?.items ?? []).map(({ id, name }) => ({ value: id, text: name })) },
  ]
  return (
    <>
      {choices
        .filter(({ name, options }) => (name === 'libraryId' ? options.length > 1 : options.length > 0 || facets === undefined))
        .map(({ name, label, options }) => (
          <Choice key={name} name={name} label={say(label)} options={options} search={search} />
        ))}
    </>
  )
}

interface ChoiceProps {
  readonly name: FilterName
  readonly label: string
  readonly options: readonly Option[]
  readonly search: string
}

function Choice({ name, label, options, search }: ChoiceProps) {
  const value = new URLSearchParams(search).get(name) ?? ''
  const isKnown = value === '' || options.some((option) => option.value === value)
  return (
    <label>
      <span>{label}</span>
      <select
        class={value === '' ? undefined : 'set'}
        value={value}
        onChange={(event) => change(search, { [name]: event.currentTarget.value || undefined })}
      >
        <option value="">{say('movies.any')}</option>
        {!isKnown && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  )
}

function Chips({ search }: { readonly search: string }) {
  const active = filtersIn(search)
  const { data: libraries } = useQuery({ ...librariesQuery, enabled: active.some(({ name }) => name === 'libraryId') })
  if (active.length === 0) return null
  const nameOf = ({ name, value }: ActiveFilter): string => {
    if (name === 'libraryId') return libraries?.items.find(({ id }) => id === value)?.name ?? value
    if (name === 'watched') return say(value === 'true' ? 'movies.watched' : 'movies.not-watched')
    if (name === 'inProgress') return say('home.continue')
    if (name === 'watchlist') return say('page.watchlist')
    return name.endsWith('anguage') ? languageName(value) : value
  }
  return (
    <ul class="chips" aria-label={say('movies.filters')}>
      {active.map((filter) => (
        <li key={`${filter.name} ${filter.value}`}>
          <button
            type="button"
            class="chip"
            onClick={() => go(`/films${withoutFilter(search, filter)}`, { replace: true })}
            aria-label={say('movies.remove-filter', { name: nameOf(filter) })}
          >
            {nameOf(filter)}
            <Icon of={X} size={14} />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Shown if the list is empty: offers to remove the filters or, if none is set, says why there are no films. */
export function NoneMatches({ search }: { readonly search: string }) {
  const active = filtersIn(search)
  if (active.length === 0) return asOfIn(search) === undefined ? <NoMovies /> : <Empty title={say('past.no-movies')} icon={FolderX} />
  const without = active.reduce(withoutFilter, search)
  return (
    <Empty title={say('movies.none')} icon={SearchX}>
      <p>{say('movies.none.hint')}</p>
      <button type="button" onClick={() => go(`/films${without}`, { replace: true })}>
        {say('movies.clear')}
      </button>
    </Empty>
  )
}
