/** Runs ffmpeg briefly and collects its whole output, bounded in time and bytes. */
import { startFfmpeg, type Exit, type StartOptions } from './process.ts'

export interface ShortRun extends StartOptions {
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal?: AbortSignal
}

export interface ShortEnd extends Exit {
  readonly output: Buffer
  /** It was killed: by the timeout, the output limit, or the signal. */
  readonly stopped: boolean
}

/** Never rejects. */
export async function runShort(program: string, args: readonly string[], options: ShortRun): Promise<ShortEnd> {
  const { timeoutMs, maxBytes, signal } = options
  const pieces: Uint8Array[] = []
  let bytes = 0
  let stopped = false
  const ffmpeg = startFfmpeg(program, args, options)
  const stop = (): void => {
    stopped = true
    ffmpeg.kill()
  }
  const bound = signal ? AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) : AbortSignal.timeout(timeoutMs)
  bound.addEventListener('abort', stop, { once: true })
  if (bound.aborted) stop()
  try {
    for await (const piece of ffmpeg.output as AsyncIterable<Uint8Array>) {
      bytes += piece.byteLength
      if (bytes > maxBytes) stop()
      else pieces.push(piece)
    }
  } catch {
    // It was stopped, which closed its output.
  }
  const exit = await ffmpeg.exited
  bound.removeEventListener('abort', stop)
  return { ...exit, output: Buffer.concat(pieces), stopped }
}
