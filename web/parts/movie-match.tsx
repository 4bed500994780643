/** Which film a movie is, for administrators: candidates of the online provider with their posters, one of which is chosen. */
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { ScanSearch } from 'lucide'
import { useState } from 'preact/hooks'
import { RequestFailed, type Problem } from '../api/problems.ts'
import { candidatesQuery, pinMatch, pinOf, type Candidate, type CandidateSearch } from '../data/matching.ts'
import type { Movie } from '../data/queries.ts'
import { say } from '../words/words.ts'
import { Wrong } from './ask.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'
import { tellRefusal, toast } from './toast.tsx'
import '../words/en-match.ts'

export function MovieMatch({ movie }: { readonly movie: Movie }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" data-focus="match" onClick={() => setOpen(true)}>
        <Icon of={ScanSearch} />
        {say('match.correct')}
      </button>
      {isOpen && <MatchDialog movie={movie} onClose={() => setOpen(false)} />}
    </>
  )
}

interface MatchDialogProps {
  readonly movie: Movie
  readonly onClose: () => void
}

function MatchDialog({ movie, onClose }: MatchDialogProps) {
  const [search, setSearch] = useState<CandidateSearch>({})
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const { data, error, isFetching, refetch } = useQuery({ ...candidatesQuery(movie.id, search), placeholderData: keepPreviousData })

  async function choose({ tmdbId }: Candidate): Promise<void> {
    if (isBusy) return
    setBusy(true)
    const answer = await pinMatch(movie.id, { tmdbId })
    setBusy(false)
    if (!answer.ok) return setProblem(answer.problem)
    toast({ text: say('match.done', { title: movie.title, film: nameOf(answer.value) }), undo: () => void undo(movie) })
    onClose()
  }

  return (
    <Dialog title={say('match.title', { title: movie.title })} onClose={onClose}>
      <Search first={data?.q} onSearch={setSearch} />
      <div aria-busy={isFetching || isBusy} class="match">
        {error ? (
          <>
            <Wrong problem={error instanceof RequestFailed ? error.problem : undefined} />
            <button type="button" onClick={() => void refetch()}>
              {say('app.retry')}
            </button>
          </>
        ) : (
          data && <Candidates q={data.q} items={data.items} onChoose={(one) => void choose(one)} />
        )}
        {isFetching && !data && <p role="status">{say('app.loading')}</p>}
        <Wrong problem={problem} />
      </div>
      <div class="actions">
        <button type="button" onClick={onClose}>
          {say('app.cancel')}
        </button>
      </div>
    </Dialog>
  )
}

const undo = (movie: Movie): Promise<void> => tellRefusal(pinMatch(movie.id, pinOf(movie)))

const nameOf = ({ title, year }: Pick<Candidate, 'title' | 'year'>): string => (year === null ? title : `${title} (${year})`)

interface SearchProps {
  /** What was searched for by itself. */
  readonly first: string | undefined
  readonly onSearch: (search: CandidateSearch) => void
}

function Search({ first = '', onSearch }: SearchProps) {
  const [typed, setTyped] = useState<string>()
  const [year, setYear] = useState('')
  const q = typed ?? first
  return (
    <form
      role="search"
      class="match-search"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch({ ...(q.trim() === '' ? {} : { q: q.trim() }), ...(year === '' ? {} : { year: Number(year) }) })
      }}
    >
      <Field
        label={say('match.q')}
        name="q"
        type="search"
        maxLength={200}
        autocomplete="off"
        value={q}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Field
        label={say('match.year')}
        name="year"
        type="number"
        min={1800}
        max={2200}
        hint={say('match.year.hint')}
        value={year}
        onInput={({ currentTarget }) => setYear(currentTarget.value)}
      />
      <button class="primary">{say('match.search')}</button>
    </form>
  )
}

interface CandidatesProps {
  readonly q: string
  readonly items: readonly Candidate[]
  readonly onChoose: (one: Candidate) => void
}

function Candidates({ q, items, onChoose }: CandidatesProps) {
  return (
    <>
      <p class="soft" role="status">
        {items.length === 0 ? `${say('match.none', { q })}. ${say('match.none.hint')}` : say('match.found', { count: items.length })}
      </p>
      <ul class="candidates">
        {items.map((one) => (
          <li key={one.tmdbId}>
            <button type="button" class="candidate" aria-current={one.current ? 'true' : undefined} onClick={() => onChoose(one)}>
              <span class="poster">
                {one.poster !== null && <img src={one.poster} alt="" width={240} height={360} loading="lazy" decoding="async" />}
              </span>
              <span class="candidate-facts">
                <strong>{nameOf(one)}</strong>
                {one.originalTitle !== null && one.originalTitle !== one.title && <span class="soft">{one.originalTitle}</span>}
                {one.current && <span class="badge on">{say('match.current')}</span>}
                {one.overview !== null && <span class="candidate-overview soft">{one.overview}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
