/** The built programs (`build/programs.ts`), and whether they are those of the sources that lie beside them. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['src', 'projections', 'transcode-agent', 'build']
/** Names the versions of the packages that are built in. */
const PACKAGES = 'package-lock.json'
/** Beside the built programs: what they were built from. */
export const SOURCES_FILE = 'sources.json'

export interface Sources {
  readonly files: number
  readonly newestMs: number
  /** Programs are built for one version of Node. */
  readonly node: string
}

export function sourcesIn(root: string): Sources {
  const files = FOLDERS.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const newestMs = [...files, join(root, PACKAGES)].reduce((newest, file) => Math.max(newest, Math.trunc(statSync(file).mtimeMs)), 0)
  return { files: files.length, newestMs, node: process.version }
}

/** Whether the folder holds programs that were built from the sources as they are now. */
export function isBuiltFrom(folder: string, root: string): boolean {
  try {
    const built = JSON.parse(readFileSync(join(folder, SOURCES_FILE), 'utf8')) as Partial<Sources>
    const now = sourcesIn(root)
    return built.files === now.files && built.newestMs === now.newestMs && built.node === now.node
  } catch {
    return false
  }
}
