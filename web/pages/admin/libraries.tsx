/** All libraries: their folders' health, running scans, and those that were removed. */
import { useQuery } from '@tanstack/preact-query'
import { FolderPlus, LibraryBig, RotateCcw } from 'lucide'
import { useState } from 'preact/hooks'
import { createLibrary, removedLibrariesQuery, restoreLibrary, scanQuery, startScan, type Library } from '../../data/admin-libraries.ts'
import { librariesQuery } from '../../data/queries.ts'
import { isRunning } from '../../data/scan-view.ts'
import { AdminHead } from '../../parts/admin-head.tsx'
import { AdminPart } from '../../parts/admin-part.tsx'
import { Ask } from '../../parts/ask.tsx'
import { Field } from '../../parts/field.tsx'
import { FolderChooser } from '../../parts/folder-chooser.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Link } from '../../parts/link.tsx'
import { rootReason } from '../../parts/library-roots.tsx'
import { ScanProgress } from '../../parts/scan-progress.tsx'
import { Empty, Failed, Waiting } from '../../parts/states.tsx'
import { toast } from '../../parts/toast.tsx'
import { go } from '../../router.ts'
import { moment } from '../../words/format.ts'
import { say } from '../../words/words.ts'

export function Page() {
  const { data, error, refetch } = useQuery(librariesQuery)
  const [adds, setAdds] = useState(false)
  const add = (
    <button type="button" class="primary" onClick={() => setAdds(true)}>
      <Icon of={FolderPlus} size={18} />
      {say('libraries.add')}
    </button>
  )
  return (
    <>
      <AdminHead title={say('page.libraries')}>{data && data.items.length > 0 && add}</AdminHead>
      {data ? (
        data.items.length === 0 ? (
          <Empty title={say('libraries.none')} icon={LibraryBig}>
            <p>{say('libraries.none.hint')}</p>
            {add}
          </Empty>
        ) : (
          <ul class="libraries">
            {data.items.map((library) => (
              <li key={library.id}>
                <LibraryTile library={library} />
              </li>
            ))}
          </ul>
        )
      ) : error ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
      {data && <Removed />}
      {adds && <AddLibrary onClose={() => setAdds(false)} />}
    </>
  )
}

function LibraryTile({ library }: { readonly library: Library }) {
  const { id, name, state, movieCount, missingCount, roots, lastScan } = library
  const isScanning = state === 'scanning'
  const { data: scan } = useQuery({ ...scanQuery(id), enabled: isScanning })
  return (
    <article class="library-card">
      <h2>
        <Link to={`/admin/libraries/${id}`} data-focus={`library ${id}`}>
          {name}
        </Link>
      </h2>
      <p class="facts-line">
        <span>{say('movies.count', { count: movieCount })}</span>
        {missingCount > 0 && <span class="badge bad">{say('library.missing-count', { count: missingCount })}</span>}
        {state === 'offline' && <span class="badge bad">{say('library.offline')}</span>}
      </p>
      <ul class="root-lines">
        {(roots ?? []).map(({ path, available, reason }) => (
          <li key={path}>
            {path}
            {!available && <span class="wrong">{rootReason(reason)}</span>}
          </li>
        ))}
      </ul>
      {isScanning && scan && isRunning(scan) ? (
        <ScanProgress scan={scan} />
      ) : (
        <p class="soft">{lastScan ? say('library.last-scan', { time: moment(lastScan.finishedAt) }) : say('library.no-scan')}</p>
      )}
    </article>
  )
}

const FOLDER = 'paths.0'

function AddLibrary({ onClose }: { readonly onClose: () => void }) {
  return (
    <Ask
      title={say('libraries.add.title')}
      action={say('libraries.add')}
      send={async ({ name = '', [FOLDER]: path = '' }) => {
        const answer = await createLibrary({ name: name.trim(), path: path.trim() })
        if (!answer.ok) return answer
        await startScan(answer.value.id, 'incremental')
        go(`/admin/libraries/${answer.value.id}`)
        return answer
      }}
      onClose={onClose}
    >
      {(wrongWith) => (
        <>
          <Field label={say('library.name')} name="name" required autocomplete="off" wrong={wrongWith('name')} />
          <FolderChooser name={FOLDER} wrong={wrongWith(FOLDER) ?? wrongWith('paths')} />
        </>
      )}
    </Ask>
  )
}

/** Nothing of a removed library is lost: it can be restored with its films and everybody's marks. */
function Removed() {
  const { data } = useQuery(removedLibrariesQuery)
  if (!data || data.items.length === 0) return null
  return (
    <AdminPart title={say('libraries.removed')}>
      <p class="soft">{say('libraries.removed.hint')}</p>
      <ul class="files">
        {data.items.map(({ id, name, paths, removedAt }) => (
          <li class="file" key={id}>
            <div>
              <strong>{name}</strong>
              <p class="soft">{[say('libraries.removed.at', { time: moment(removedAt) }), ...paths].join(' · ')}</p>
            </div>
            <button type="button" aria-label={say('libraries.restore.label', { name })} onClick={() => void restore(id, name)}>
              <Icon of={RotateCcw} size={18} />
              {say('libraries.restore')}
            </button>
          </li>
        ))}
      </ul>
    </AdminPart>
  )
}

async function restore(id: string, name: string): Promise<void> {
  const answer = await restoreLibrary(id)
  toast({ text: answer.ok ? say('libraries.restored', { name }) : say('mark.refused', { reason: answer.problem.message }) })
}
