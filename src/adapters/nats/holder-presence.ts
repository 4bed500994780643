/**
 * Detects whether the program that holds a lease is still connected to NATS. Each program answers on its own subject. If its process is
 * killed, NATS closes the connection and at once reports that there is no responder. A program that is slow, stopped or cut off from the
 * network gives no answer, which is different: its leases expire by their lifetime.
 */
import { randomUUID } from 'node:crypto'
import { NoResponder, type Bus, type Subscription } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'

export interface HolderPresence {
  /** A name for a lease of this program, which answers for its leases from now on. */
  newHolder(): string
  /** The program named in a lease's holder; undefined for programs that do not answer for their leases. */
  programOf(holder: string): string | undefined
  /** True if the program has had no responder for a while, although NATS is reachable. */
  isGone(program: string): Promise<boolean>
  close(): void
}

export interface HolderPresenceOptions {
  readonly bus: Bus
  readonly clock: Clock
  /** Name of this program: letters, digits, dashes. */
  readonly name: string
}

/** A program that lost its connection for a moment reconnects within this time. */
const CONFIRM_MS = 800
const ASK_EVERY_MS = 200
const ANSWER_MS = 500
/** A program that is connected but does not answer is not asked again for so long. */
const SILENT_MS = 1_000
/** Most programs remembered with their last result. */
const MAX_PROGRAMS = 1_000

interface Look {
  /** Valid until then. */
  readonly until: number
  /** Since when it has had no responder. */
  readonly goneSince: number | undefined
}

const subjectOf = (program: string): string => `lease-holders.${program}`

export function createHolderPresence({ bus, clock, name }: HolderPresenceOptions): HolderPresence {
  const looks = new Map<string, Look>()
  let subscription: Subscription | undefined

  async function look(program: string): Promise<Look> {
    const before = looks.get(program)
    const askedAt = clock.monotonic()
    if (before && askedAt < before.until) return before
    if (looks.size >= MAX_PROGRAMS) looks.clear()
    const answer = await ask(bus, program)
    const found = {
      until: clock.monotonic() + (answer === 'silent' ? SILENT_MS : ASK_EVERY_MS),
      goneSince: answer === 'gone' ? (before?.goneSince ?? askedAt) : undefined,
    }
    looks.set(program, found)
    return found
  }

  return {
    newHolder() {
      subscription ??= bus.respond(subjectOf(name), async () => ({ head: {} }))
      return `${name}/${randomUUID()}`
    },
    programOf: (holder) => /^([\w-]+)\/[\w-]+$/.exec(holder)?.[1],
    async isGone(program) {
      const { goneSince } = await look(program)
      return goneSince !== undefined && clock.monotonic() - goneSince >= CONFIRM_MS
    },
    close: () => subscription?.close(),
  }
}

/** `silent`: a late answer, or a server that is unavailable, proves nothing about the program. */
async function ask(bus: Bus, program: string): Promise<'there' | 'gone' | 'silent'> {
  try {
    await bus.request(subjectOf(program), { head: {} }, { timeoutMs: ANSWER_MS })
    return 'there'
  } catch (error) {
    return error instanceof NoResponder ? 'gone' : 'silent'
  }
}
