/** An ffmpeg that reads a film: begun by whoever knows the program, ended once it is late, or not wanted any more. */
import type { Clock } from '../../ports/clock.ts'

/** It ends with this process, in whatever way that ends. */
export interface RunningFfmpeg {
  readonly output: AsyncIterable<Uint8Array>
  readonly exited: Promise<{ readonly code: number | null; readonly errors: string }>
  kill(): void
}

/** `idle`: the machine may prefer everything else, its disks too. */
export type StartFfmpeg = (args: readonly string[], priority: { readonly idle: boolean }) => RunningFfmpeg

export interface FfmpegRun {
  readonly args: readonly string[]
  readonly idle: boolean
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface BoundedFfmpeg {
  readonly child: RunningFfmpeg
  /** Kills it where it still runs: to be called whatever has come of it. */
  readonly end: () => void
}

/** Killed after the time, and when the signal is aborted. @throws the signal's reason where it is aborted already */
export function startBounded(
  { clock, start }: { readonly clock: Clock; readonly start: StartFfmpeg },
  { args, idle, timeoutMs, signal }: FfmpegRun,
): BoundedFfmpeg {
  signal.throwIfAborted()
  const child = start(args, { idle })
  const stop = (): void => child.kill()
  const disarm = clock.after(timeoutMs, stop)
  signal.addEventListener('abort', stop, { once: true })
  return {
    child,
    end() {
      disarm()
      signal.removeEventListener('abort', stop)
      child.kill()
    },
  }
}
