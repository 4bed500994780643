/** Checks the folders beside the data folder: those of libraries, backups and blobs. Each may be on a drive that does not answer. */
import { existsSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { driveAnswers } from '../../drives/media-files.ts'
import { counted } from '../columns.ts'
import { isInFolder } from '../in-folder.ts'
import { failed, ok, warning, type Finding } from './finding.ts'
import { existingParent, isFolder, isReadable, isWritable } from './folder-access.ts'
import { libraryFolders, type LibraryFolder } from './library-folders.ts'

export async function checkFolders(config: Config): Promise<readonly Finding[]> {
  const { backupDir, blobs } = config
  return [
    ...(blobs === undefined ? [] : [await checkWritten({ check: 'blobs folder', path: blobs, setting: 'MARQUEE_BLOBS', found: failed })]),
    ...(backupDir === undefined ? [] : [await checkBackupFolder(backupDir, config.dataDir)]),
    ...(await checkLibraryFolders(await libraryFolders(config))),
  ]
}

const ANSWER_MS = 5_000
const SILENT = 'is on a drive that does not answer'

/** After that, calls that block are quick. */
const answers = (path: string): Promise<boolean> => driveAnswers(path, ANSWER_MS)

/** Without its backups the server works. */
export async function checkBackupFolder(path: string, dataDir: string): Promise<Finding> {
  const check = 'backup folder'
  if ((await answers(path)) && isInFolder(path, dataDir))
    return warning(check, `${path} is in the data folder: its backups are lost together with it`, 'Name a folder on another disk.')
  return checkWritten({ check, path, setting: 'MARQUEE_BACKUP_DIR', found: warning })
}

interface Written {
  readonly check: string
  readonly path: string
  readonly setting: string
  readonly found: typeof failed
}

/** A missing folder is made when it is first needed. */
export async function checkWritten({ check, path, setting, found }: Written): Promise<Finding> {
  if (!(await answers(path)))
    return found(check, `${path} ${SILENT}`, `Look whether its disk or server works and mount it again, or correct ${setting}.`)
  if (!existsSync(path)) {
    const parent = existingParent(path)
    if (isFolder(parent) && isWritable(parent)) return ok(check, `${path} is not there yet; the server makes it`)
    return found(
      check,
      `${path} is not there, and this user may not make it in ${parent}`,
      `Mount its disk, make it, or correct ${setting}.`,
    )
  }
  if (!isFolder(path)) return found(check, `${path} is not a folder`, `Name a folder with ${setting}.`)
  if (isReadable(path) && isWritable(path)) return ok(check, `${path} can be read and written`)
  return found(check, `${path} cannot be read and written by this user`, 'Give it to the user that Marquee runs as: chown -R.')
}

/** Films may be on disks that come and go, so nothing about them is a failure. */
export async function checkLibraryFolders(folders: readonly LibraryFolder[]): Promise<readonly Finding[]> {
  if (folders.length === 0) return []
  const wrong = (await Promise.all(folders.map(faultOf))).flatMap((fault) => fault ?? [])
  return wrong.length > 0 ? wrong : [ok('library folders', `${counted(folders.length, 'folder')} of films can be read`)]
}

async function faultOf({ library, path, isAway }: LibraryFolder): Promise<Finding | undefined> {
  const find = (text: string, remedy: string) => warning('library folders', `${path} of the library ${library} ${text}`, remedy)
  if (!(await answers(path)))
    return find(SILENT, 'Look whether its disk or server works, and mount it again: its films cannot be played until then.')
  if (!existsSync(path))
    return find('is not there', 'Mount its disk, or change the folders of the library: its films cannot be played until then.')
  if (!isFolder(path)) return find('is not a folder', 'Change the folders of the library.')
  if (!isReadable(path))
    return find('cannot be read by this user', 'Allow the user that Marquee runs as to read it: chmod -R o+rX, or a group.')
  return isAway ? find('is there, but the server has not seen it yet', 'Scan the library, as the user that Marquee runs as.') : undefined
}
