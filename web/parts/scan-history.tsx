/** The scans of a library, newest first, each with what it changed and what it could not read. */
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { scanChangesQuery, scansQuery, type Scan } from '../data/admin-libraries.ts'
import { changesOf, isRunning, tookSeconds } from '../data/scan-view.ts'
import { moment, shortDuration } from '../words/format.ts'
import { say, sayKnown } from '../words/words.ts'
import { Link } from './link.tsx'
import { ScanCounts } from './scan-progress.tsx'
import { Failed } from './states.tsx'

const FIRST = 5
const MOST = 100

export function ScanHistory({ libraryId }: { readonly libraryId: string }) {
  const [limit, setLimit] = useState(FIRST)
  const { data, error, refetch } = useQuery(scansQuery(libraryId, limit))
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <p class="soft">{say('app.loading')}</p>
  const ended = data.items.filter((scan) => !isRunning(scan))
  if (ended.length === 0) return <p class="soft">{say('scans.none')}</p>
  return (
    <>
      <ul class="files">
        {ended.map((scan) => (
          <li key={scan.id}>
            <EndedScan scan={scan} />
          </li>
        ))}
      </ul>
      {data.nextCursor !== null && limit < MOST && (
        <button type="button" class="quiet" onClick={() => setLimit(MOST)}>
          {say('scans.older')}
        </button>
      )}
    </>
  )
}

function EndedScan({ scan }: { readonly scan: Scan }) {
  const [isOpen, setOpen] = useState(false)
  const took = tookSeconds(scan)
  const hasChanges = changesOf(scan).length > 0
  return (
    <details class="file scan-entry" onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>
        <strong>{moment(scan.startedAt)}</strong>
        <span class={scan.state === 'completed' ? 'badge' : 'badge bad'}>{say(`scan.state.${endOf(scan)}`)}</span>
        <ScanCounts scan={scan} />
        {scan.state === 'completed' && !hasChanges && <span class="soft">{say('scan.nothing')}</span>}
      </summary>
      <p class="soft">
        {[
          say(`scan.trigger.${scan.trigger}`),
          say(`scan.mode.${scan.mode}`),
          say('scan.seen', { count: scan.counts.seen }),
          ...(took === undefined ? [] : [say('scan.took', { time: shortDuration(Math.ceil(took)) })]),
        ].join(' · ')}
      </p>
      {scan.error !== null && <p class="wrong">{errorText(scan.error)}</p>}
      <ScanProblems scan={scan} />
      {isOpen && hasChanges && <Changes scan={scan} />}
    </details>
  )
}

type End = 'completed' | 'failed' | 'cancelled' | 'interrupted'
const endOf = ({ state }: Scan): End => state as End

export const errorText = (error: string): string => sayKnown(`scan.error.${error}`, error)

/** Files that could not be read, each with the reason. */
export function ScanProblems({ scan: { errors, counts } }: { readonly scan: Pick<Scan, 'errors' | 'counts'> }) {
  if (errors.length === 0) return null
  return (
    <>
      <ul class="problems">
        {errors.map(({ file, message }) => (
          <li key={file}>
            <strong>{file}</strong>
            <span>{message}</span>
          </li>
        ))}
      </ul>
      {counts.errors > errors.length && <p class="soft">{say('scan.more-errors', { count: counts.errors - errors.length })}</p>}
    </>
  )
}

function Changes({ scan: { id, libraryId } }: { readonly scan: Scan }) {
  const { data, error, refetch } = useQuery(scanChangesQuery(libraryId, id))
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <p class="soft">{say('app.loading')}</p>
  return (
    <>
      <ul class="scan-changes">
        {data.items.map(({ seq, kind, movieId, title, file }) => (
          <li key={`${seq} ${file}`}>
            <span class={kind === 'missing' ? 'badge bad' : 'badge'}>{say(`scan.change.${kind}`)}</span>
            <Link to={`/films/${movieId}`}>{title}</Link>
            <span class="soft">{file}</span>
          </li>
        ))}
      </ul>
      {data.hasMore && <p class="soft">{say('scan.more-changes')}</p>}
    </>
  )
}
