/** A folder of the server's machine: typed, or found by going through folders. */
import { useQuery } from '@tanstack/preact-query'
import { CornerLeftUp, Folder } from 'lucide'
import { useState } from 'preact/hooks'
import { RequestFailed } from '../api/problems.ts'
import { foldersQuery } from '../data/admin-libraries.ts'
import { say } from '../words/words.ts'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'

export interface FolderChooserProps {
  /** As the server names it in what it refuses: `paths.0`. */
  readonly name: string
  readonly wrong: string | undefined
}

export function FolderChooser({ name, wrong }: FolderChooserProps) {
  const [path, setPath] = useState('')
  const [typed, setTyped] = useState('')
  const enter = (to: string): void => {
    setPath(to)
    setTyped(to)
  }
  return (
    <div class="folder-chooser">
      <Field
        label={say('folders.label')}
        name={name}
        value={typed}
        required
        autocomplete="off"
        spellcheck={false}
        hint={say('folders.hint')}
        wrong={wrong}
        onInput={({ currentTarget: { value } }) => setTyped(value)}
        onChange={({ currentTarget: { value } }) => setPath(value.trim())}
      />
      <Folders path={path} onEnter={enter} />
    </div>
  )
}

function Folders({ path, onEnter }: { readonly path: string; readonly onEnter: (path: string) => void }) {
  const { data, error } = useQuery(foldersQuery(path))
  const isUnder = path !== '' && path !== '/'
  return (
    <div class="folders" role="group" aria-label={say('folders.in', { path: data?.path ?? (path === '' ? '/' : path) })}>
      {isUnder && (
        <button type="button" class="folder" onClick={() => onEnter(data?.parent ?? '')}>
          <Icon of={CornerLeftUp} size={18} />
          {say('folders.up')}
        </button>
      )}
      {data?.folders.map((folder) => (
        <button type="button" class="folder" key={folder.path} onClick={() => onEnter(folder.path)}>
          <Icon of={Folder} size={18} />
          {folder.name}
        </button>
      ))}
      <p class="soft" role="status">
        {data ? data.folders.length === 0 && say('folders.none') : error ? reasonOf(error) : say('app.loading')}
      </p>
    </div>
  )
}

function reasonOf(error: Error): string {
  const problem = error instanceof RequestFailed ? error.problem : undefined
  if (problem?.status === 404) return say('folders.missing')
  return problem?.fields['path'] ?? problem?.message ?? say('app.failed')
}
