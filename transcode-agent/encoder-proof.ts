/**
 * Proof of an encoder: a short test picture, scaled and encoded as a film would be. Tells whether this machine's ffmpeg can do it, and
 * how fast. Runs behind everything else on the machine.
 */
import { availableParallelism, setPriority } from 'node:os'
import type { ProvedEncoder } from '../src/app/streaming/protocol.ts'
import type { Clock } from '../src/ports/clock.ts'
import { findGuard, startFfmpeg, type Exit, type FfmpegProcess } from './ffmpeg-process.ts'

/** @throws Error the encoder does not work; its message says why. Or the signal's reason */
export type Prove = (signal: AbortSignal) => Promise<ProvedEncoder>

export interface ProofOptions {
  readonly ffmpegPath: string
  readonly clock: Clock
  /** Where it is less than a slow machine needs. */
  readonly limitMs?: number
}

/** Two seconds of film take less than one on a machine of 2020, and ten on a small board. */
const LIMIT_MS = 20_000
/** Behind the transcodes, which are behind what people wait for in front of the machine. */
const NICENESS = 19
const TEST_FILM = ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=25:duration=2']
const ENCODED = ['-vf', 'scale=1280:720:flags=bicubic,format=yuv420p', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23']
const SAYING = ['-v', 'info', '-benchmark', '-hide_banner', '-nostdin', '-nostats', '-progress', 'pipe:1']
const ARGUMENTS = [...SAYING, ...TEST_FILM, ...ENCODED, '-f', 'null', '-']

export function createProof({ ffmpegPath, clock, limitMs = LIMIT_MS }: ProofOptions): Prove {
  return async (signal) => {
    signal.throwIfAborted()
    const startedAt = clock.monotonic()
    const ffmpeg = startFfmpeg(ffmpegPath, ARGUMENTS, findGuard())
    putBehind(ffmpeg)
    let isLate = false
    const kill = (): void => ffmpeg.kill()
    const disarm = clock.after(limitMs, () => {
      isLate = true
      kill()
    })
    signal.addEventListener('abort', kill)
    try {
      const frames = await framesOf(ffmpeg)
      const exit = await ffmpeg.exited
      signal.throwIfAborted()
      const seconds = workOf(exit.errors) ?? (clock.monotonic() - startedAt) / 1000
      // What was too slow for the whole of it has been seen to work.
      if (frames > 0 && (isLate || exit.code === 0)) return { name: 'x264', framesPerSecond: Math.round(frames / seconds) }
      throw new Error(isLate ? `It made nothing in ${limitMs / 1000} seconds` : lastWords(exit))
    } finally {
      disarm()
      signal.removeEventListener('abort', kill)
      kill()
      await ffmpeg.exited
    }
  }
}

function lastWords({ code, signal, errors }: Exit): string {
  const last = errors.split('\n').findLast((line) => !line.startsWith('bench:'))
  return last || `It ended with ${signal ?? code}`
}

/** Seconds that it takes with nothing else on the machine: by the processors' time, which is the same under load. */
function workOf(said: string): number | undefined {
  const [, user, system] = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(said) ?? []
  return user && system ? Math.max(0.01, Number(user) + Number(system)) / availableParallelism() : undefined
}

/** Pictures made, by what ffmpeg says of its progress. */
async function framesOf({ output }: FfmpegProcess): Promise<number> {
  let text = ''
  try {
    for await (const bytes of output) text += Buffer.from(bytes).toString('latin1')
  } catch {
    // Its end closes the pipe; what it said before counts.
  }
  return Number([...text.matchAll(/^frame=(\d+)/gm)].at(-1)?.[1] ?? 0)
}

function putBehind({ pid }: FfmpegProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS)
  } catch {
    // It has ended already, or the system has no priorities.
  }
}
