/** Handles the folders given at the start (`--media`): adds them as libraries once, and scans them at each start. */
import { basename } from 'node:path'
import type { LibraryId } from '../vocabulary/id.ts'
import { normalizePath } from '../domain/libraries/library.ts'
import { statMedia } from '../drives/media-files.ts'
import { isRefusal } from '../domain/refusal.ts'
import { StartRefused } from '../process/start-failure.ts'
import type { Services } from './services.ts'
import type { StartScan } from './start-scans.ts'
import type { Report } from '../ports/report.ts'
import { fileReason } from '../vocabulary/file-reason.ts'

const AUTHOR = { actor: 'system', command: 'takeMediaFolder' } as const

export interface MediaFolders {
  readonly paths: readonly string[]
  /** With a name, all folders become one library; without, each becomes a library named after the folder. */
  readonly name: string | undefined
  readonly onError: Report
}

/** Returns the started scans without waiting for them. @throws Error a folder that cannot be added; its message gives the reason */
export async function takeMediaFolders(services: Services, { paths, name, onError }: MediaFolders): Promise<readonly StartScan[]> {
  const begun: StartScan[] = []
  const groups = name === undefined ? paths.map((path) => ({ name: basename(path) || 'Films', paths: [path] })) : [{ name, paths }]
  for (const group of groups) {
    const libraryId = libraryOf(services, group.paths) ?? (await create(services, group))
    const scan = { mode: 'incremental', paths: null, trigger: 'start', startedBy: null } as const
    const requested = await services.scans.request(libraryId, scan, AUTHOR)
    if (isRefusal(requested)) onError(new Error(`${group.name}: ${requested.message}`))
    else begun.push({ libraryId, scanId: requested })
  }
  return begun
}

/** Checked before anything is created: a new folder must exist, but a known one may be on an unavailable drive. @throws StartRefused */
export async function refuseMissingFolders(services: Pick<Services, 'access'>, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (libraryOf(services, [path])) continue
    const found = await statMedia(path).catch(fileReason)
    if (typeof found === 'object' && found.isDirectory()) continue
    const reason = typeof found === 'object' ? 'it is no folder' : found
    throw new StartRefused(`--media ${path}: ${reason}. Give a folder with films; nothing was changed.`)
  }
}

/** The library that already has all of these folders. */
function libraryOf({ access }: Pick<Services, 'access'>, paths: readonly string[]): LibraryId | undefined {
  const wanted = paths.map(normalizePath)
  return [...access.libraries.values()].find(({ roots }) => wanted.every((path) => roots.some((root) => root.path === path)))?.id
}

async function create({ libraries }: Services, library: { readonly name: string; readonly paths: readonly string[] }): Promise<LibraryId> {
  const created = await libraries.createBy(AUTHOR, library)
  if (isRefusal(created)) throw new Error(`${library.name}: ${created.message}`)
  return created
}
