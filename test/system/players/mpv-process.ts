/** Runs mpv without window and sound device, controlled over its IPC socket; its errors are read from its output. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnBound } from '../../fakes/bound-process.ts'

export interface Ipc {
  ask(...command: readonly (string | number)[]): Promise<unknown>
}

export interface MpvProcess {
  readonly ipc: Ipc
  /** Its errors so far. */
  readonly errors: string[]
  /** Its exit code; null after a signal. */
  readonly ended: Promise<number | null>
  readonly close: () => Promise<void>
}

/** mpv uses ffmpeg's HLS demuxer, which reads no WebVTT, and whose seeks leave segments in the middle. */
const ITS_OWN = /Can't support the subtitle|partial file|Audio device underrun/
const START_MS = 20_000
const ASK_MS = 2000
const LOOK_MS = 250

export async function startMpv(program: string, args: readonly string[]): Promise<MpvProcess> {
  // The path of a socket may be no longer than about a hundred characters.
  const folder = await mkdtemp(join(tmpdir(), 'mpv-'))
  const socket = join(folder, 'ipc')
  const silent = ['--no-config', '--vo=null', '--ao=null', '--msg-level=all=warn', `--input-ipc-server=${socket}`]
  const mpv = spawnBound(program, [...silent, ...args], { env: process.env })
  const errors: string[] = []
  for (const stream of [mpv.stdout, mpv.stderr]) {
    createInterface(stream).on('line', (line) => line.trim() !== '' && !ITS_OWN.test(line) && errors.push(line.trim()))
  }
  const ended = once(mpv, 'exit').then(([code]: (number | null)[]) => code ?? null)
  const close = async (): Promise<void> => {
    mpv.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true })
  }
  try {
    return { ipc: await open(socket), errors, ended, close }
  } catch (cause) {
    await close()
    throw cause
  }
}

/** Seconds; -1 if nothing is displayed yet. */
export const positionIn = async (ipc: Ipc): Promise<number> => Number((await ipc.ask('get_property', 'time-pos')) ?? -1)

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
      return Promise.race([promise, sleep(ASK_MS, undefined)]).finally(() => waiting.delete(id))
    },
  }
}

export async function until(holds: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(LOOK_MS)) if (await holds()) return true
  return false
}
