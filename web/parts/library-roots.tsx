/** The folders of a library and their health; adding and taking away. */
import { FolderPlus, HardDrive, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { changeLibrary, startScan, type Library } from '../data/admin-libraries.ts'
import { say, sayKnown } from '../words/words.ts'
import { Ask } from './ask.tsx'
import { FolderChooser } from './folder-chooser.tsx'
import { Icon } from './icon.tsx'
import { toast } from './toast.tsx'

export function LibraryRoots({ library }: { readonly library: Library }) {
  const [asks, setAsks] = useState<{ readonly to: 'add' } | { readonly to: 'remove'; readonly path: string }>()
  const roots = library.roots ?? []
  const paths = roots.map(({ path }) => path)
  const added = `paths.${paths.length}`
  return (
    <>
      <ul class="files">
        {roots.map(({ path, available, reason }) => (
          <li class="file" key={path}>
            <div class="root">
              <Icon of={HardDrive} />
              <div>
                <strong>{path}</strong>
                <p class={available ? 'soft' : 'wrong'}>{available ? say('root.available') : rootReason(reason)}</p>
              </div>
            </div>
            {roots.length > 1 && (
              <button type="button" aria-label={say('root.remove.label', { path })} onClick={() => setAsks({ to: 'remove', path })}>
                <Icon of={Trash2} size={18} />
                {say('root.remove')}
              </button>
            )}
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => setAsks({ to: 'add' })}>
        <Icon of={FolderPlus} size={18} />
        {say('root.add')}
      </button>
      {asks?.to === 'add' && (
        <Ask
          title={say('root.add.title')}
          action={say('root.add.do')}
          send={(values) => changeLibrary(library.id, { paths: [...paths, (values[added] ?? '').trim()] })}
          onDone={() => {
            toast({ text: say('root.add.done') })
            void startScan(library.id, 'incremental')
          }}
          onClose={() => setAsks(undefined)}
        >
          {(wrongWith) => <FolderChooser name={added} wrong={wrongWith(added) ?? wrongWith('paths')} />}
        </Ask>
      )}
      {asks?.to === 'remove' && (
        <Ask
          title={say('root.remove.title')}
          text={say('root.remove.hint', { path: asks.path })}
          action={say('root.remove')}
          isDangerous
          send={() => changeLibrary(library.id, { paths: paths.filter((path) => path !== asks.path) })}
          onClose={() => setAsks(undefined)}
        />
      )}
    </>
  )
}

export const rootReason = (reason: string | null): string => sayKnown(`root.reason.${reason ?? 'unreadable'}`, reason ?? '')
