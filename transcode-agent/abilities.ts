/**
 * What an agent can do: the filters of its ffmpeg, asked for when they are first needed, and its encoders, tried while it has nothing
 * else to do. Until then it is believed to have them, so that nobody's first film waits for a test.
 */
import type { Clock } from '../src/ports/clock.ts'
import type { ProvedEncoder } from '../src/app/streaming/protocol.ts'
import { createCapabilities } from './capabilities.ts'
import type { Prove } from './encoder-proof.ts'
import type { Capabilities } from './ffmpeg-arguments.ts'

export interface AbilitiesOptions {
  readonly clock: Clock
  readonly ffmpegPath: string
  /** Without it nothing is tried. */
  readonly prove: Prove | undefined
  readonly isIdle: () => boolean
  /** They are others than before. */
  readonly changed: () => void
  readonly problem: (cause: unknown) => void
}

export interface Abilities {
  filters(): Promise<Capabilities>
  /** Null until they were tried. */
  encoders(): readonly ProvedEncoder[] | null
  /** A job begins: a test that is under way gives way. */
  interrupt(): void
  close(): Promise<void>
}

/** A server that has just been started is about to be used. */
const QUIET_MS = 3_000
/** An ffmpeg that could not is tried again: someone may have put another one there. */
const AGAIN_MS = 60_000

export function createAbilities({ clock, ffmpegPath, prove, isIdle, changed, problem }: AbilitiesOptions): Abilities {
  let encoders: readonly ProvedEncoder[] | null = null
  let trying: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined
  let notBefore = clock.monotonic() + QUIET_MS
  const stopLooking = prove ? clock.every(QUIET_MS, look) : () => undefined

  function look(): void {
    if (!prove || trying || encoders?.length || clock.monotonic() < notBefore || !isIdle()) return
    const stop = new AbortController()
    const ended = attempt(prove, stop.signal).finally(() => (trying = undefined))
    trying = { stop, ended }
  }

  async function attempt(run: Prove, signal: AbortSignal): Promise<void> {
    try {
      encoders = [await run(signal)]
      changed()
    } catch (cause) {
      if (signal.aborted) return
      notBefore = clock.monotonic() + AGAIN_MS
      if (encoders) return
      encoders = []
      problem(new Error(`This machine's ffmpeg (${ffmpegPath}) cannot encode video, its transcode agent does without: ${textOf(cause)}`))
      changed()
    }
  }

  return {
    filters: createCapabilities(ffmpegPath),
    encoders: () => encoders,
    interrupt() {
      trying?.stop.abort(new Error('A job has begun'))
      notBefore = Math.max(notBefore, clock.monotonic() + QUIET_MS)
    },
    async close() {
      stopLooking()
      trying?.stop.abort(new Error('The agent is closing'))
      await trying?.ended
    },
  }
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
