/** Makes a film's index: from its container's own tables where they can be trusted, else by reading all its packets. */
import type { Clock } from '../../ports/clock.ts'
import { Declined } from './container/declined.ts'
import { readDirectly, type DirectReading } from './container/direct-reading.ts'
import { indexFromTimes } from './container/track-times.ts'
import type { RunFfprobe } from './ffprobe.ts'
import { scanPackets, type MadeIndex } from './packet-scan.ts'

export interface IndexMaking {
  readonly ffprobe: RunFfprobe
  readonly clock: Clock
}

/** Tables of the longest films take a second from a slow disk. */
const DIRECT_TIMEOUT_MS = 60_000
/** A film of 100 GB from a disk of 60 MB/s. */
const SCAN_TIMEOUT_MS = 30 * 60_000

/** @throws NotPlayable as the packet scan does */
export async function makeIndex({ ffprobe, clock }: IndexMaking, path: string, signal: AbortSignal): Promise<MadeIndex> {
  const direct = await readInTime(clock, path, signal)
  const told = { ...(direct?.tracks ? { tracks: direct.tracks } : {}), ...(direct?.isSpliced ? { isSpliced: true } : {}) }
  if (direct && !(direct.times instanceof Declined)) return { ...indexFromTimes(direct.times), ...told, whole: true }
  return { ...(await scanPackets(ffprobe, { path, signal, timeoutMs: SCAN_TIMEOUT_MS })), ...told }
}

/** Undefined where the disk is too slow, or does not let it be read: the packet scan then says what is the matter. */
async function readInTime(clock: Clock, path: string, signal: AbortSignal): Promise<DirectReading | undefined> {
  const late = new AbortController()
  const tooLate = Promise.withResolvers<undefined>()
  const disarm = clock.after(DIRECT_TIMEOUT_MS, () => {
    late.abort()
    tooLate.resolve(undefined)
  })
  try {
    const reading = readDirectly(path, { signal: AbortSignal.any([signal, late.signal]) }).catch(() => undefined)
    return await Promise.race([reading, tooLate.promise])
  } finally {
    disarm()
    signal.throwIfAborted()
  }
}
