/** The life of a film, from its discovery on. It is asked for when somebody wants it: for administrators it holds viewings of others. */
import { useInfiniteQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { lifeQuery, type LifeEntry } from '../data/past-queries.ts'
import { moment, shortDuration } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Changes } from './changes.tsx'
import { Link } from './link.tsx'
import { ShowMore } from './show-more.tsx'
import { Failed } from './states.tsx'
import { TravelDate } from './time-travel.tsx'
import '../words/en-life.ts'

export interface MovieLifeProps {
  readonly id: string
  readonly search: string
}

export function MovieLife({ id, search }: MovieLifeProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section class="life">
      <h2>{say('life.title')}</h2>
      <div class="life-tools">
        <button type="button" data-focus="life" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {say(isOpen ? 'life.hide' : 'life.show')}
        </button>
        <Link to={`/history?movieId=${id}`} class="button" data-focus="viewings">
          {say('life.viewings')}
        </Link>
        <TravelDate search={search} path={`/films/${id}`} />
      </div>
      {isOpen && <Steps id={id} />}
    </section>
  )
}

function Steps({ id }: { readonly id: string }) {
  const list = useInfiniteQuery(lifeQuery(id))
  const { data, error, refetch } = list
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <p role="status">{say('app.loading')}</p>
  const steps = data.pages.flatMap(({ items }) => items)
  if (steps.length === 0) return <p class="soft">{say('life.none')}</p>
  return (
    <>
      <ol class="life-steps">
        {steps.map((step) => (
          <Step key={`${step.at} ${step.kind} ${step.viewing?.id ?? ''} ${JSON.stringify(step.changes)}`} step={step} />
        ))}
      </ol>
      <ShowMore of={list} />
    </>
  )
}

function Step({ step: { at, kind, by, changes, viewing } }: { readonly step: LifeEntry }) {
  return (
    <li>
      <p>
        <strong>{say(`life.kind.${kind}`)}</strong>{' '}
        <span class="soft">
          {moment(at)}
          {by !== null && by.kind !== 'system' && ` · ${say(`audit.actor.${by.kind}`)}`}
        </span>
      </p>
      {viewing !== null && (
        <p>
          {shortDuration(viewing.watchedSeconds)}
          {' · '}
          {viewing.completed ? say('history.completed') : say('history.percent', { percent: Math.round(viewing.percent) })}{' '}
          {viewing.source === 'playback' && <Link to={`/history/${viewing.id}`}>{say('history.details')}</Link>}
        </p>
      )}
      <Changes changes={changes} />
    </li>
  )
}
