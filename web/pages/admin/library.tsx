/** One library: its folders, the scan that runs, what could not be read, missing films, settings, and its scans. */
import { useQuery } from '@tanstack/preact-query'
import { RefreshCw, Trash2 } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import {
  cancelScan,
  libraryQuery,
  missingQuery,
  removeLibrary,
  restoreLibrary,
  scanQuery,
  startScan,
  type Library,
  type Scan,
} from '../../data/admin-libraries.ts'
import { onLive } from '../../data/live.ts'
import { isMassMissing, isRunning } from '../../data/scan-view.ts'
import type { PageProps } from '../../pages.ts'
import { AdminHead } from '../../parts/admin-head.tsx'
import { AdminPart } from '../../parts/admin-part.tsx'
import { Ask } from '../../parts/ask.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Link } from '../../parts/link.tsx'
import { LibraryRoots } from '../../parts/library-roots.tsx'
import { LibrarySettings } from '../../parts/library-settings.tsx'
import { errorText, ScanHistory, ScanProblems } from '../../parts/scan-history.tsx'
import { ScanProgress } from '../../parts/scan-progress.tsx'
import { Failed, Waiting } from '../../parts/states.tsx'
import { tellRefusal, toast } from '../../parts/toast.tsx'
import { go } from '../../router.ts'
import { moment } from '../../words/format.ts'
import { say } from '../../words/words.ts'

export function Page({ params: { id = '' } }: PageProps) {
  const { data: library, error, refetch } = useQuery(libraryQuery(id))
  // A library that was never scanned has no scan to ask for.
  const hasScan = library !== undefined && (library.lastScan !== null || library.state === 'scanning')
  const { data: scan } = useQuery({ ...scanQuery(id), enabled: hasScan })
  if (!library) return error ? <Failed cause={error} onRetry={() => void refetch()} isPage /> : <Waiting />
  const running = scan && isRunning(scan) ? scan : undefined
  return (
    <>
      <AdminHead title={library.name} isName>
        <ScanButtons library={library} isRunning={running !== undefined} />
      </AdminHead>
      {running && <ScanProgress scan={running} onCancel={() => void tellRefusal(cancelScan(id), true)} />}
      {!running && scan?.state === 'failed' && <FailedScan scan={scan} />}
      <Missing library={library} />
      <div class="admin-columns">
        <AdminPart title={say('library.folders')}>
          <LibraryRoots library={library} />
        </AdminPart>
        <AdminPart title={say('page.settings')}>
          <LibrarySettings key={id} library={library} />
        </AdminPart>
        {scan && scan.errors.length > 0 && (
          <AdminPart title={say('scan.problems', { count: scan.counts.errors })}>
            <ScanProblems scan={scan} />
          </AdminPart>
        )}
        <AdminPart title={say('scans.title')}>
          <ScanHistory libraryId={id} />
        </AdminPart>
        <AdminPart title={say('library.remove')}>
          <Remove library={library} />
        </AdminPart>
      </div>
    </>
  )
}

function ScanButtons({ library: { id }, isRunning: isBusy }: { readonly library: Library; readonly isRunning: boolean }) {
  const start = async (mode: Scan['mode']): Promise<void> => {
    const answer = await startScan(id, mode)
    if (!answer.ok) toast({ text: answer.problem.status === 409 ? say('scan.already') : answer.problem.message })
  }
  return (
    <>
      <button type="button" class="primary" disabled={isBusy} onClick={() => void start('incremental')}>
        <Icon of={RefreshCw} size={18} />
        {say('scan.start')}
      </button>
      <button type="button" disabled={isBusy} onClick={() => void start('full')}>
        {say('scan.start.full')}
      </button>
    </>
  )
}

const FailedScan = ({ scan }: { readonly scan: Scan }) => (
  <p class="alarm" role="alert">
    <strong>{say('scan.failed', { time: moment(scan.finishedAt ?? scan.startedAt) })}</strong>
    <span>{errorText(scan.error ?? 'internal')}</span>
  </p>
)

/** Films whose files are gone: they are not shown to anybody, and come back with their marks when the files do. */
function Missing({ library }: { readonly library: Library }) {
  const { id, missingCount } = library
  const [isAnnounced, setAnnounced] = useState(false)
  useEffect(() => onLive(['library.massMissing'], (_kind, { libraryId }) => libraryId === id && setAnnounced(true)), [id])
  const { data } = useQuery({ ...missingQuery(id), enabled: missingCount > 0 })
  if (missingCount === 0) return null
  return (
    <section class="missing" aria-labelledby="missing">
      <h2 id="missing">{say('library.missing', { count: missingCount })}</h2>
      <p role={isAnnounced ? 'alert' : undefined}>
        {say(isAnnounced || isMassMissing(library) ? 'library.missing.mass' : 'library.missing.hint')}
      </p>
      {data && data.items.length > 0 && (
        <details>
          <summary>{say('library.missing.which')}</summary>
          <ul class="scan-changes">
            {data.items.map(({ id: movieId, title, year }) => (
              <li key={movieId}>
                <Link to={`/films/${movieId}`}>{year === null ? title : `${title} (${year})`}</Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function Remove({ library: { id, name } }: { readonly library: Library }) {
  const [asks, setAsks] = useState(false)
  return (
    <>
      <p class="soft">{say('library.remove.hint')}</p>
      <button type="button" class="danger" onClick={() => setAsks(true)}>
        <Icon of={Trash2} size={18} />
        {say('library.remove.begin')}
      </button>
      {asks && (
        <Ask
          title={say('library.remove.title', { name })}
          text={say('library.remove.hint')}
          action={say('library.remove')}
          isDangerous
          send={() => removeLibrary(id)}
          onDone={() => {
            toast({ text: say('library.removed', { name }), undo: () => void tellRefusal(restoreLibrary(id)) })
            go('/admin/libraries')
          }}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}
