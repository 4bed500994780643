/** mpv without window and sound device, told over its IPC socket to seek; what it complains of is read from its output. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

export interface MpvWatched {
  readonly seeksMs: readonly number[]
  readonly errors: readonly string[]
  /** Times for which it had to wait for data while playing, milliseconds. */
  readonly stallsMs: readonly number[]
  readonly reachedEnd: boolean
}

interface MpvWatch {
  readonly program: string
  readonly master: string
  readonly durationS: number
  readonly seeks: readonly number[]
}

/** Its HLS demuxer is that of ffmpeg, which reads no WebVTT; and a seek makes it leave a segment in the middle. */
const ITS_OWN = /Can't support the subtitle|partial file|Audio device underrun/
const START_MS = 20_000
const READ_MS = 90_000
const MOVES_MS = 20_000
const LOOK_MS = 250
const REST_S = 3

export async function watchWithMpv({ program, master, durationS, seeks }: MpvWatch): Promise<MpvWatched> {
  // The path of a socket may be no longer than about a hundred characters.
  const folder = await mkdtemp(join(tmpdir(), 'mpv-'))
  const socket = join(folder, 'ipc')
  const args = ['--no-config', '--vo=null', '--ao=null', '--msg-level=all=warn', '--sid=1', `--input-ipc-server=${socket}`, master]
  const mpv = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const errors: string[] = []
  for (const stream of [mpv.stdout, mpv.stderr]) {
    createInterface(stream).on('line', (line) => line.trim() !== '' && !ITS_OWN.test(line) && errors.push(line.trim()))
  }
  const ended = once(mpv, 'exit')
  const ipc = await open(socket)
  try {
    await until(async () => (await position(ipc)) > 0.2, START_MS)
    // The HLS demuxer of ffmpeg 5.1 and 7.0 cannot seek in fragmented MP4, its own included: mpv can in what it has read ahead.
    const hasAll = await until(() => hasReadAll(ipc), READ_MS)
    if (!hasAll) errors.push('it has not read the film to its end')
    const seeksMs: number[] = []
    for (const to of seeks) {
      const began = performance.now()
      await ipc.ask('seek', to, 'absolute')
      const moved = await until(async () => (await ipc.ask('get_property', 'seeking')) === false && isAt(await position(ipc), to), MOVES_MS)
      if (!moved) errors.push(`no picture moves at ${to}`)
      seeksMs.push(Math.round(performance.now() - began))
    }
    const stallsMs = await stallsOf(ipc, 4000)
    await ipc.ask('seek', Math.max(0, durationS - REST_S), 'absolute')
    const [code] = (await Promise.race([ended, sleep(MOVES_MS, ['late'])])) as [unknown]
    return { seeksMs, errors, stallsMs, reachedEnd: code === 0 }
  } finally {
    mpv.kill('SIGKILL')
    await rm(folder, { recursive: true })
  }
}

/** Watches the clock of the film for a while: it should move whenever one looks. */
async function stallsOf(ipc: Ipc, forMs: number): Promise<readonly number[]> {
  const stalls: number[] = []
  let last = { at: await position(ipc), since: performance.now() }
  for (const end = performance.now() + forMs; performance.now() < end; await sleep(LOOK_MS)) {
    const at = await position(ipc)
    if (at === last.at) continue
    const ms = performance.now() - last.since
    if (ms > 2 * LOOK_MS) stalls.push(Math.round(ms))
    last = { at, since: performance.now() }
  }
  return stalls
}

interface Ipc {
  ask(...command: readonly (string | number)[]): Promise<unknown>
}

/** Its seeks land on the keyframe before; then it plays on. */
const isAt = (at: number, to: number): boolean => at > to + 0.2 && at < to + 5

async function hasReadAll(ipc: Ipc): Promise<boolean> {
  const state = await ipc.ask('get_property', 'demuxer-cache-state')
  return typeof state === 'object' && state !== null && 'eof' in state && state.eof === true
}

const position = async (ipc: Ipc): Promise<number> => Number((await ipc.ask('get_property', 'time-pos')) ?? -1)

async function open(path: string): Promise<Ipc> {
  let socket: Socket | undefined
  await until(async () => {
    const attempt = connect(path)
    return new Promise<boolean>((resolve) => {
      attempt.once('connect', () => resolve(((socket = attempt), true))).once('error', () => resolve(false))
    })
  }, START_MS)
  if (!socket) throw new Error('mpv does not listen')
  const waiting = new Map<number, (value: unknown) => void>()
  createInterface(socket).on('line', (line) => {
    const { request_id: id, data } = JSON.parse(line) as { request_id?: number; data?: unknown }
    if (id !== undefined) waiting.get(id)?.(data)
  })
  let next = 1
  const { destroyed, write } = { destroyed: () => socket?.destroyed, write: (text: string) => socket?.write(text) }
  return {
    async ask(...command) {
      if (destroyed()) return undefined
      const id = next++
      const { promise, resolve } = Promise.withResolvers<unknown>()
      waiting.set(id, resolve)
      write(`${JSON.stringify({ command, request_id: id })}\n`)
      return Promise.race([promise, sleep(2000, undefined)]).finally(() => waiting.delete(id))
    },
  }
}

async function until(holds: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(LOOK_MS)) if (await holds()) return true
  return false
}
