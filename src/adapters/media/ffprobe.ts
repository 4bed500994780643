/**
 * Runs ffprobe on one file: arguments only, no shell, only the `file` protocol and only containers of films and sound (a
 * playlist dressed as a film must not make it open other files), bounded in time and output.
 */
import { filmInput } from '../../ffmpeg/inputs.ts'
import { startFfmpeg } from '../../ffmpeg/process.ts'
import type { Clock } from '../../ports/clock.ts'
import { NotPlayable } from '../../ports/media.ts'

export interface FfprobeRun {
  readonly path: string
  readonly arguments: readonly string[]
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Whether the scheduler may prefer everything else. */
  readonly background: boolean
  /** Takes the output piece by piece; a throw ends the run. */
  readonly take: (text: string) => void
}

export interface FfprobeEnd {
  readonly ok: boolean
  /** The first lines that it printed on standard error; they name the file's path. */
  readonly errors: string
}

export type RunFfprobe = (run: FfprobeRun) => Promise<FfprobeEnd>

/** 126, 127: what `setpriv` and `prlimit` end with when they cannot start a program. */
const isNotStarted = (code: number | null, killedBy: string | null): boolean =>
  code === null ? killedBy === null : code === 126 || code === 127

export function createFfprobe({ program, clock }: { readonly program: string; readonly clock: Clock }): RunFfprobe {
  return async (run) => {
    run.signal.throwIfAborted()
    const late = new AbortController()
    const disarm = clock.after(run.timeoutMs, () => late.abort())
    try {
      const end = await runBounded(program, run, AbortSignal.any([run.signal, late.signal]))
      run.signal.throwIfAborted()
      if (late.signal.aborted) throw new NotPlayable('Probe timed out')
      return end
    } finally {
      disarm()
    }
  }
}

async function runBounded(program: string, run: FfprobeRun, signal: AbortSignal): Promise<FfprobeEnd> {
  const child = startFfmpeg(program, argumentsOf(run), { work: 'probe', behind: run.background })
  const stop = (): void => child.kill()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  let failure: { readonly cause: unknown } | undefined
  try {
    for await (const text of child.output.setEncoding('utf8')) run.take(String(text))
  } catch (cause) {
    stop()
    failure = { cause }
  }
  const { code, signal: killedBy, firstErrors } = await child.exited
  signal.removeEventListener('abort', stop)
  if (signal.aborted) return { ok: false, errors: '' }
  if (isNotStarted(code, killedBy)) throw new Error('ffprobe cannot be started', { cause: new Error(firstErrors) })
  if (failure) throw failure.cause
  if (killedBy !== null) throw new NotPlayable('It makes the media reader crash')
  return { ok: code === 0, errors: firstErrors }
}

const argumentsOf = ({ path, arguments: own }: FfprobeRun): readonly string[] => ['-v', 'error', ...filmInput(path, own)]
