/** Runs mpv without window and sound device, seeks over its IPC socket, and reads its errors from its output. */
import { setTimeout as sleep } from 'node:timers/promises'
import { positionIn, startMpv, until, type Ipc } from './mpv-process.ts'

export interface MpvWatched {
  readonly seeksMs: readonly number[]
  readonly errors: readonly string[]
  /** Times in milliseconds for which it waited for data while playing. */
  readonly stallsMs: readonly number[]
  readonly reachedEnd: boolean
}

interface MpvWatch {
  readonly program: string
  readonly master: string
  readonly durationS: number
  readonly seeks: readonly number[]
}

const START_MS = 20_000
const READ_MS = 90_000
const MOVES_MS = 20_000
const LOOK_MS = 250
const REST_S = 3

export async function watchWithMpv({ program, master, durationS, seeks }: MpvWatch): Promise<MpvWatched> {
  const { ipc, errors, ended, close } = await startMpv(program, ['--sid=1', master])
  try {
    await until(async () => (await positionIn(ipc)) > 0.2, START_MS)
    // The HLS demuxer of ffmpeg 5.1 and 7.0 cannot seek in fragmented MP4, even its own. mpv can seek only within its read-ahead buffer.
    const hasAll = await until(() => hasReadAll(ipc), READ_MS)
    if (!hasAll) errors.push('it has not read the film to its end')
    const seeksMs: number[] = []
    for (const to of seeks) {
      const began = performance.now()
      await ipc.ask('seek', to, 'absolute')
      const moved = await until(
        async () => (await ipc.ask('get_property', 'seeking')) === false && isAt(await positionIn(ipc), to),
        MOVES_MS,
      )
      if (!moved) errors.push(`no video moves at ${to}`)
      seeksMs.push(Math.round(performance.now() - began))
    }
    const stallsMs = await stallsOf(ipc, 4000)
    await ipc.ask('seek', Math.max(0, durationS - REST_S), 'absolute')
    const code = await Promise.race([ended, sleep(MOVES_MS, 'late')])
    return { seeksMs, errors, stallsMs, reachedEnd: code === 0 }
  } finally {
    await close()
  }
}

/** Polls the film's clock for a while: it should advance between any two polls. */
async function stallsOf(ipc: Ipc, forMs: number): Promise<readonly number[]> {
  const stalls: number[] = []
  let last = { at: await positionIn(ipc), since: performance.now() }
  for (const end = performance.now() + forMs; performance.now() < end; await sleep(LOOK_MS)) {
    const at = await positionIn(ipc)
    if (at === last.at) continue
    const ms = performance.now() - last.since
    if (ms > 2 * LOOK_MS) stalls.push(Math.round(ms))
    last = { at, since: performance.now() }
  }
  return stalls
}

/** Its seeks land on the preceding keyframe; then it plays on. */
const isAt = (at: number, to: number): boolean => at > to + 0.2 && at < to + 5

async function hasReadAll(ipc: Ipc): Promise<boolean> {
  const state = await ipc.ask('get_property', 'demuxer-cache-state')
  return typeof state === 'object' && state !== null && 'eof' in state && state.eof === true
}
