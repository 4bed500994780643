/**
 * Serves the first frames of a rendition's segments, for players that scrub or fast-forward. Frames of cached segments are cut at once.
 * Others are made one at a time, newest request first: a player that is dragged over a film requests dozens of distant ones, and each of
 * them starts a run.
 */
import { firstFrame } from '../../../domain/streaming/iframe-segment.ts'
import { QueueFull } from '../../../concurrency/semaphore.ts'
import { createLifoQueue } from '../../../concurrency/lifo-queue.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { RenditionCache } from '../../../ports/segment-store.ts'
import type { Ask } from './rendition-actor.ts'
import type { Answer } from './remote-rendition.ts'
import { busy } from '../segments/unavailable.ts'

export interface Iframes {
  /** @throws the signal's reason when the client has disconnected */
  give(segment: number, ask: Ask): Promise<Answer>
}

export interface IframesOptions {
  readonly clock: Clock
  readonly renditionCache: Pick<RenditionCache, 'get'>
  readonly answerWithinMs: number
  /** Makes the segment. */
  readonly make: (segment: number, ask: Ask) => Promise<Answer>
}

/** More than a player requests at a time. */
const WAITING_MAX = 8
const OVERTAKEN = busy('Newer frames were asked for', 1)

export function createIframes(options: IframesOptions): Iframes {
  const { clock, renditionCache, answerWithinMs, make } = options
  const inTurn = createLifoQueue(WAITING_MAX)

  async function made(segment: number, ask: Ask, byMs: number): Promise<Answer> {
    const kept = await keptStill(renditionCache, segment)
    const withinMs = byMs - clock.monotonic()
    if (kept || withinMs <= 0) return kept ?? OVERTAKEN
    const answer = await make(segment, { viewer: ask.viewer, signal: ask.signal, still: true, withinMs })
    return answer instanceof Uint8Array ? firstFrame(answer) : answer
  }

  return {
    async give(segment, ask) {
      const byMs = clock.monotonic() + (ask.withinMs ?? answerWithinMs)
      const kept = await keptStill(renditionCache, segment)
      if (kept) return kept
      try {
        return await inTurn(() => made(segment, ask, byMs), ask.signal)
      } catch (cause) {
        if (cause instanceof QueueFull) return OVERTAKEN
        throw cause
      }
    },
  }
}

/** Borrowed bytes are enough: the frame that is cut from them is a copy. */
async function keptStill(renditionCache: Pick<RenditionCache, 'get'>, segment: number): Promise<Uint8Array | undefined> {
  const used = Promise.withResolvers<void>()
  try {
    const kept = await renditionCache.get(segment, (returned) => void used.promise.then(returned))
    return kept && firstFrame(kept)
  } finally {
    used.resolve()
  }
}
