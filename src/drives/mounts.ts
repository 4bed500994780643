/**
 * Says on which drive a path lies, without touching the drive: by the kernel's table of mounts, or by the first folders of the path where
 * there is no such table.
 */
import { readFileSync } from 'node:fs'

export interface Mounts {
  /** Names the drive of a path without links. What is mounted anew at the same place is another drive. */
  driveOf(path: string): string
  /** Whether the path is where a drive is mounted, or above such a place: then it is a folder, and no link. */
  leadsToDrive(path: string): boolean
}

export interface MountsOptions {
  /** Text in the form of `/proc/self/mountinfo`. @throws if there is none */
  readonly read: () => string
  readonly now: () => number
}

interface Table {
  readonly readAtMs: number
  /** Id of the mount by the folder where it is. */
  readonly ids: ReadonlyMap<string, string>
  /** These folders, and those above. */
  readonly leading: ReadonlySet<string>
}

/** The kernel makes the table anew at each reading. */
const KEPT_MS = 1_000
/** Without a table: `/Volumes/NAS`, `D:\Films`. */
const FIRST_FOLDERS = 2
const SEPARATORS = /[/\\]+/

const SYSTEM: MountsOptions = { read: () => readFileSync('/proc/self/mountinfo', 'utf8'), now: () => performance.now() }

export function createMounts({ read, now }: MountsOptions = SYSTEM): Mounts {
  let last: Table | undefined

  function table(): Table {
    const nowMs = now()
    if (!last || nowMs - last.readAtMs >= KEPT_MS) last = { readAtMs: nowMs, ...parsed(textOf(read)) }
    return last
  }

  return {
    driveOf(path) {
      const { ids } = table()
      if (ids.size === 0) return path.split(SEPARATORS, FIRST_FOLDERS + 1).join('/')
      for (let at = path; ; at = parentOf(at)) {
        const id = ids.get(at)
        if (id !== undefined || at === '/') return id ?? '/'
      }
    },
    leadsToDrive: (path) => table().leading.has(path),
  }
}

function textOf(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Of several mounts at one place the last one covers the others. */
function parsed(text: string): Omit<Table, 'readAtMs'> {
  const ids = new Map<string, string>()
  const leading = new Set<string>()
  for (const line of text.split('\n')) {
    const [id, , , , written] = line.split(' ')
    if (id === undefined || written === undefined) continue
    const place = unescaped(written)
    ids.set(place, id)
    for (let at = place; !leading.has(at); at = parentOf(at)) leading.add(at)
  }
  return { ids, leading }
}

/** Spaces and the like are written in octal. */
const unescaped = (written: string): string =>
  written.includes('\\') ? written.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))) : written

/** Of an absolute path; of anything else it is the root in the end. */
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '/'
