/** Checks the data folder and its disk: access, space, duration of a durable write, kind of file system, clock. */
import { closeSync, existsSync, fsyncSync, mkdtempSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { failed, ok, sizeText, warning, type Finding } from './finding.ts'
import { existingParent, isWritable } from './folder-access.ts'

const LITTLE_BYTES = 5e9
const NONE_BYTES = 500e6
const WRITES = 15
const SLOW_MS = 25
const SKEW_MS = 2_000

/**
 * Magic numbers of `statfs(2)` for file systems whose locks or flushes SQLite cannot rely on (https://sqlite.org/howtocorrupt.html,
 * section 2.1).
 */
const NETWORK: Readonly<Record<number, string>> = { 0x6969: 'NFS', 0xff534d42: 'CIFS', 0xfe534d42: 'SMB', 0x517b: 'SMB', 0x01021997: '9p' }

export function checkDataFolder(path: string): readonly Finding[] {
  if (!existsSync(path)) {
    const parent = existingParent(path)
    if (isWritable(parent)) return [ok('data folder', `${path} is not there yet; the first start makes it`), ...checkDisk(parent)]
    return [
      failed(
        'data folder',
        `${path} is not there, and this user may not make it in ${parent}`,
        `Make it, or allow this user to write in ${parent}.`,
      ),
    ]
  }
  if (!statSync(path).isDirectory()) return [failed('data folder', `${path} is not a folder`, 'Name another folder with MARQUEE_DATA_DIR.')]
  if (!isWritable(path)) {
    return [failed('data folder', `${path} cannot be written by this user`, 'Give it to the user that Marquee runs as: chown -R.')]
  }
  const { mode } = statSync(path)
  const isOpen = (mode & 0o077) !== 0
  const access = isOpen
    ? warning('data folder', `${path} can be read by other users of this machine; it holds password hashes and keys`, `chmod 700 ${path}`)
    : ok('data folder', `${path} can be written, and is readable for its owner only`)
  return [access, ...checkDisk(path)]
}

function checkDisk(path: string): readonly Finding[] {
  const { bavail, bsize, type } = statfsSync(path)
  const network = NETWORK[type]
  return [
    checkSpace(bavail * bsize),
    network === undefined
      ? ok('file system', 'It is on a disk of this machine')
      : warning(
          'file system',
          `The data folder is on ${network}, where locks and flushes of SQLite are not reliable`,
          'Move it to a local disk; films may stay there.',
        ),
    ...checkWrites(path),
  ]
}

function checkSpace(free: number): Finding {
  const text = `${sizeText(free)} free`
  if (free < NONE_BYTES) return failed('disk space', text, 'Make room: without it no mark, sign-in or setting can be saved.')
  if (free < LITTLE_BYTES)
    return warning('disk space', text, 'Make room, or lower MARQUEE_CACHE_BYTES: segments and images take what they are given.')
  return ok('disk space', text)
}

function checkWrites(path: string): readonly Finding[] {
  try {
    const { flushMs, skewMs } = tryWrites(path)
    return [flushFinding(flushMs), clockFinding(skewMs)]
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return [
      failed(
        'disk speed',
        `A durable write failed: ${reason}`,
        'Make room on this disk, and look for its errors in the log of the system.',
      ),
    ]
  }
}

/** Each client command waits for one flush. @throws Error the disk is full or failing */
function tryWrites(path: string): { readonly flushMs: number; readonly skewMs: number } {
  const folder = mkdtempSync(join(path, '.doctor-'))
  try {
    const file = openSync(join(folder, 'flush'), 'w')
    const piece = Buffer.alloc(4096)
    try {
      const times = Array.from({ length: WRITES }, () => {
        const start = performance.now()
        writeSync(file, piece)
        fsyncSync(file)
        return performance.now() - start
      })
      const skewMs = statSync(join(folder, 'flush')).mtimeMs - Date.now()
      return { flushMs: times.toSorted((a, b) => a - b)[WRITES >> 1] ?? 0, skewMs }
    } finally {
      closeSync(file)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function flushFinding(ms: number): Finding {
  const text = `A durable write takes ${ms.toFixed(1)} ms`
  if (ms <= SLOW_MS) return ok('disk speed', text)
  return warning('disk speed', text, 'Every command waits for one. Put MARQUEE_DATA_DIR on an SSD; films may stay where they are.')
}

function clockFinding(skewMs: number): Finding {
  if (Math.abs(skewMs) < SKEW_MS) return ok('clock of the disk', 'It agrees with the clock of this machine')
  const text = `It is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the clock of this machine`
  return warning('clock of the disk', text, 'Let both machines take their time from NTP: changed films are noticed by their times.')
}
