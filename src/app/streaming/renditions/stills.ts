/**
 * Stills: the first pictures of a rendition's segments, for players that scrub and wind. What is kept is cut at once. What is not is
 * made one at a time, the newest first: a player that is dragged over a film asks for dozens that lie far apart, and each of them
 * is the start of a run.
 */
import { firstPicture } from '../../../domain/streaming/first-picture.ts'
import { NoSlot } from '../../../flow/in-parallel.ts'
import { createNewestFirst } from '../../../flow/newest-first.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Shelf } from '../../../ports/segment-store.ts'
import type { Ask } from './rendition-actor.ts'
import type { Answer } from './rendition-borrower.ts'
import { busy } from '../segments/unavailable.ts'

export interface Stills {
  /** @throws the signal's reason when the client has gone */
  give(segment: number, ask: Ask): Promise<Answer>
}

export interface StillsOptions {
  readonly clock: Clock
  readonly shelf: Pick<Shelf, 'get'>
  readonly answerWithinMs: number
  /** Has the segment made. */
  readonly make: (segment: number, ask: Ask) => Promise<Answer>
}

/** More than players ask for at a time. */
const WAITING_MAX = 8
const OVERTAKEN = busy('Newer pictures were asked for', 1)

export function createStills(options: StillsOptions): Stills {
  const { clock, shelf, answerWithinMs, make } = options
  const inTurn = createNewestFirst(WAITING_MAX)

  async function made(segment: number, ask: Ask, byMs: number): Promise<Answer> {
    const kept = await keptStill(shelf, segment)
    const withinMs = byMs - clock.monotonic()
    if (kept || withinMs <= 0) return kept ?? OVERTAKEN
    const answer = await make(segment, { viewer: ask.viewer, signal: ask.signal, still: true, withinMs })
    return answer instanceof Uint8Array ? firstPicture(answer) : answer
  }

  return {
    async give(segment, ask) {
      const byMs = clock.monotonic() + (ask.withinMs ?? answerWithinMs)
      const kept = await keptStill(shelf, segment)
      if (kept) return kept
      try {
        return await inTurn(() => made(segment, ask, byMs), ask.signal)
      } catch (cause) {
        if (cause instanceof NoSlot) return OVERTAKEN
        throw cause
      }
    },
  }
}

/** Lent bytes are enough: what is cut out of them is a copy. */
async function keptStill(shelf: Pick<Shelf, 'get'>, segment: number): Promise<Uint8Array | undefined> {
  const used = Promise.withResolvers<void>()
  try {
    const kept = await shelf.get(segment, (returned) => void used.promise.then(returned))
    return kept && firstPicture(kept)
  } finally {
    used.resolve()
  }
}
