/**
 * Held runs: those that wait until their viewers have come nearer, and keep their slots meanwhile. Where slots are lacking one of them
 * is given up: of this node, or else of another one, since the agents are the same for all.
 */
import type { Bus } from '../../ports/bus.ts'
import type { RenditionActor } from './rendition-actor.ts'

export interface HeldRuns {
  /** Gives up the run of those who asked for nothing the longest. False where this node has none: then another node is asked. */
  giveUp(this: void): boolean
  close(): void
}

export interface HeldRunsOptions {
  readonly bus: Bus
  readonly actors: () => readonly RenditionActor[]
}

/** Whichever node gets the request. */
const SUBJECT = 'rendition-runs.give-up'
const ANSWER_MS = 500
/** The bus chooses who is asked, and may choose one that has none. */
const MOST_ASKED = 4

export function createHeldRuns({ bus, actors }: HeldRunsOptions): HeldRuns {
  let isAsking = false
  const giveUpHere = (): boolean => longestHeld(actors())?.giveUpHeld() ?? false
  const subscription = bus.respond(SUBJECT, async () => ({ head: { hasGivenUp: giveUpHere() } }))

  async function askOthers(): Promise<void> {
    isAsking = true
    try {
      for (let asked = 0; asked < MOST_ASKED; asked++) {
        const { head } = await bus.request(SUBJECT, { head: {} }, { timeoutMs: ANSWER_MS })
        if (head['hasGivenUp'] === true) return
      }
    } catch {
      // Whoever lacks a slot tries again soon.
    } finally {
      isAsking = false
    }
  }

  return {
    giveUp() {
      const hasGivenUp = giveUpHere()
      if (!hasGivenUp && !isAsking) void askOthers()
      return hasGivenUp
    },
    close: () => subscription.close(),
  }
}

function longestHeld(actors: readonly RenditionActor[]): RenditionActor | undefined {
  let longest: { readonly actor: RenditionActor; readonly since: number } | undefined
  for (const actor of actors) {
    const since = actor.heldSince()
    if (since !== undefined && (!longest || since < longest.since)) longest = { actor, since }
  }
  return longest?.actor
}
