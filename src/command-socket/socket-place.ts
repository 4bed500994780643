/**
 * Where a running server listens for the command line: a socket in the data folder, or, where that path is longer than a Unix
 * socket's may be, in a folder of its own among the temporary ones.
 */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SocketPlace {
  readonly path: string
  /** Set where the socket lies among everybody's temporary files: a folder that must be this user's alone. */
  readonly temporaryFolder: string | undefined
}

/** `sun_path` of unix(7) without its closing zero. */
const LONGEST_BYTES = 107
const NAME = 'commands.sock'

/** The place for a data folder, given by its real path. */
export function socketPlace(dataFolder: string): SocketPlace {
  const inside = join(dataFolder, NAME)
  if (fits(inside)) return { path: inside, temporaryFolder: undefined }
  const key = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)
  const temporaryFolder = join(fits(join(tmpdir(), `marquee-${key}`, NAME)) ? tmpdir() : '/tmp', `marquee-${key}`)
  return { path: join(temporaryFolder, NAME), temporaryFolder }
}

const fits = (path: string) => Buffer.byteLength(path) <= LONGEST_BYTES

/** @throws when the temporary folder is there, but not this user's alone */
export function makeSocketFolder({ temporaryFolder }: SocketPlace): void {
  if (temporaryFolder === undefined) return
  mkdirSync(temporaryFolder, { recursive: true, mode: 0o700 })
  if (!isOwn(temporaryFolder)) throw new Error(`${temporaryFolder} belongs to somebody else`)
}

/** Takes away what a listening server leaves. */
export function clearSocketFolder({ path, temporaryFolder }: SocketPlace): void {
  rmSync(path, { force: true })
  if (temporaryFolder !== undefined) rmSync(temporaryFolder, { recursive: true, force: true })
}

/** Whether a socket there can only have been made by this user. */
export const isTrusted = ({ temporaryFolder }: SocketPlace) => temporaryFolder === undefined || isOwn(temporaryFolder)

function isOwn(path: string): boolean {
  const folder = lstatSync(path, { throwIfNoEntry: false })
  return folder !== undefined && folder.isDirectory() && folder.uid === process.getuid?.() && (folder.mode & 0o077) === 0
}
