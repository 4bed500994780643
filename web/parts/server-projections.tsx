/** The projections: how far each is, and rebuilding one from the log. Events move the lines of those that are rebuilt. */
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { projectionsQuery, rebuildProjection, type Projection } from '../data/admin-server.ts'
import { number } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Ask } from './ask.tsx'
import { Meter } from './meter.tsx'
import { Failed } from './states.tsx'
import { toast } from './toast.tsx'

export function Projections() {
  const { data, error, refetch } = useQuery(projectionsQuery)
  const [asks, setAsks] = useState<string>()
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <p class="soft">{say('app.loading')}</p>
  return (
    <>
      <ul class="files">
        {data.items.map((projection) => (
          <li class="file" key={projection.name}>
            <One projection={projection} onRebuild={() => setAsks(projection.name)} />
          </li>
        ))}
      </ul>
      {asks !== undefined && (
        <Ask
          title={say('projections.rebuild.title', { name: asks })}
          text={say('projections.rebuild.hint')}
          action={say('projections.rebuild')}
          send={() => rebuildProjection(asks)}
          onDone={() => toast({ text: say('projections.rebuild.begun', { name: asks }) })}
          onClose={() => setAsks(undefined)}
        />
      )}
    </>
  )
}

function One({ projection, onRebuild }: { readonly projection: Projection; readonly onRebuild: () => void }) {
  const { name, version, seq, lag, state, rebuild } = projection
  const percent = rebuild === null ? 0 : Math.round(rebuild.progress * 100)
  return (
    <>
      <div>
        <strong>{name}</strong>
        <p class="soft">
          {[
            say('projections.at', { version, seq: number(Number(seq)) }),
            ...(lag === null ? [] : [say('projections.lag', { ms: Math.round(lag * 1000) })]),
          ].join(' · ')}
        </p>
        {rebuild && (
          <>
            <Meter label={say('projections.rebuilding', { percent })} share={rebuild.progress} />
            <p class="soft">{say('projections.rebuilding', { percent })}</p>
          </>
        )}
      </div>
      <span class={state === 'live' ? 'badge on' : 'badge bad'}>{say(`projections.state.${state}`)}</span>
      <button
        type="button"
        disabled={rebuild !== null}
        aria-label={say('projections.rebuild.label', { name })}
        data-focus={`projection ${name}`}
        onClick={onRebuild}
      >
        {say('projections.rebuild')}
      </button>
    </>
  )
}
