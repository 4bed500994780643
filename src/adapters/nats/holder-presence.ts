/**
 * Whether the program that holds a lease is still connected to NATS. Each program answers on a subject of its own; if its process is
 * killed, NATS closes the connection and says at once that nobody answers there. A program that is slow, stopped or cut off from the
 * network answers nothing, which is not the same: its leases lapse by their lifetime.
 */
import { randomUUID } from 'node:crypto'
import { NoResponder, type Bus, type Subscription } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'

export interface HolderPresence {
  /** A name for a lease of this program, which answers for its leases from now on. */
  newHolder(): string
  /** The name of the program in a lease's name; undefined for programs that do not answer for their leases. */
  programOf(holder: string): string | undefined
  /** True if nobody has answered for the program for a while, although NATS can be reached. */
  isGone(program: string): Promise<boolean>
  close(): void
}

export interface HolderPresenceOptions {
  readonly bus: Bus
  readonly clock: Clock
  /** Name of this program: letters, digits, dashes. */
  readonly name: string
}

/** A program that lost its connection for a moment connects again within this. */
const CONFIRM_MS = 800
const ASK_EVERY_MS = 200
const ANSWER_MS = 500
/** A program that is connected and does not answer is not asked about again for so long. */
const SILENT_MS = 1_000
/** Programs that were asked about lately. */
const MAX_PROGRAMS = 1_000

interface Look {
  /** Holds until then. */
  readonly until: number
  /** Since when nobody has answered. */
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

/** `silent`: a late answer, or a server that is away, says nothing about the program. */
async function ask(bus: Bus, program: string): Promise<'there' | 'gone' | 'silent'> {
  try {
    await bus.request(subjectOf(program), { head: {} }, { timeoutMs: ANSWER_MS })
    return 'there'
  } catch (error) {
    return error instanceof NoResponder ? 'gone' : 'silent'
  }
}
