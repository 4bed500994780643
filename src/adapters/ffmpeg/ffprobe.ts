/** Runs ffprobe on one file, bounded in time and output. */
import type { Clock } from '../../ports/clock.ts'
import type { MediaRead, StartMediaRead } from '../../ports/media-reads.ts'
import { NotPlayable } from '../../ports/media.ts'
import { startBounded } from './bounded-read.ts'

export interface FfprobeRun {
  readonly path: string
  readonly read: MediaRead
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Whether to run at the lowest priority. */
  readonly background: boolean
  /** Receives the output piece by piece; an exception ends the run. */
  readonly take: (text: string) => void
}

export interface FfprobeEnd {
  readonly ok: boolean
  /** The first lines that it printed on standard error; they name the file's path. */
  readonly errors: string
}

export type RunFfprobe = (run: FfprobeRun) => Promise<FfprobeEnd>

/** 126, 127: exit codes of `setpriv` and `prlimit` if they cannot start a program. */
const isNotStarted = (code: number | null, killedBy: string | null): boolean =>
  code === null ? killedBy === null : code === 126 || code === 127

/** May also throw MediaReadLost: the output taken until then is void. */
export function createFfprobe({ start, clock }: { readonly start: StartMediaRead; readonly clock: Clock }): RunFfprobe {
  return async ({ path, read, signal, timeoutMs, background, take }) => {
    let isLate = false
    const late = (): void => void (isLate = true)
    const order = { path, read, timeoutMs, priority: background ? ('behind' as const) : ('now' as const) }
    const { child, end } = startBounded({ clock, start }, { ...order, signal, late })
    let failure: { readonly cause: unknown } | undefined
    try {
      failure = await takeAll(child.output, take)
      if (failure) child.kill()
      const { code, signal: killedBy, firstErrors } = await child.exited
      signal.throwIfAborted()
      if (isLate) throw new NotPlayable('Probe timed out')
      if (isNotStarted(code, killedBy)) throw new Error('ffprobe cannot be started', { cause: new Error(firstErrors) })
      if (failure) throw failure.cause
      if (killedBy !== null) throw new NotPlayable('It makes the media reader crash')
      return { ok: code === 0, errors: firstErrors }
    } finally {
      end()
      signal.throwIfAborted()
    }
  }
}

async function takeAll(output: AsyncIterable<Uint8Array>, take: (text: string) => void): Promise<{ readonly cause: unknown } | undefined> {
  const decoder = new TextDecoder()
  try {
    for await (const bytes of output) take(decoder.decode(bytes, { stream: true }))
    return undefined
  } catch (cause) {
    return { cause }
  }
}
