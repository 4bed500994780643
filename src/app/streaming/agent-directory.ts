/** Which agents there are and how each is, from what they say of themselves and how those who work with them find them. */
import { placesFor, type JobNeeds } from '../../domain/streaming/placement.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import { HELLO_TTL_MS, isAgentHello, subjects, type AgentHello } from './protocol.ts'

export interface AgentDirectory {
  /** Agents heard of lately that may take such a job, the best place first. Waits a moment where none is known yet. */
  candidates(job: JobNeeds): Promise<readonly string[]>
  /** Whether any was heard of lately that takes jobs. */
  any(): boolean
  /** It is not there any more. */
  gone(agentId: string): void
  /** It gives no answer: it is asked last for a while. */
  silent(agentId: string): void
  close(): void
}

interface Known {
  readonly hello: AgentHello
  readonly heardAt: number
  readonly silentUntil: number
}

const MAX_AGENTS = 1_000
const FIRST_HELLO_MS = 1_000
const POLL_MS = 20
const WHO_EVERY_MS = 200
const AVOID_MS = 30_000

export function createAgentDirectory({ bus, clock }: { readonly bus: Bus; readonly clock: Clock }): AgentDirectory {
  const agents = new Map<string, Known>()
  const subscription = bus.subscribe(subjects.hello, ({ head }) => {
    if (!isAgentHello(head)) return
    const silentUntil = agents.get(head.agentId)?.silentUntil ?? -Infinity
    agents.delete(head.agentId)
    if (agents.size < MAX_AGENTS) agents.set(head.agentId, { hello: head, heardAt: clock.monotonic(), silentUntil })
  })
  const askWho = (): void => bus.publish(subjects.who, { head: {} })
  askWho()

  function alive(): readonly Known[] {
    const oldest = clock.monotonic() - HELLO_TTL_MS
    for (const [id, { heardAt }] of agents) if (heardAt < oldest) agents.delete(id)
    return [...agents.values()]
  }

  function places(job: JobNeeds): readonly string[] {
    const now = clock.monotonic()
    return placesFor(
      alive().map(({ hello, silentUntil }) => ({ ...hello, isSilent: silentUntil > now })),
      job,
    )
  }

  const any = (): boolean => alive().some(({ hello }) => !hello.leaving)

  return {
    async candidates(job) {
      for (let waitedMs = 0; waitedMs < FIRST_HELLO_MS && !any(); waitedMs += POLL_MS) {
        if (waitedMs % WHO_EVERY_MS === 0) askWho()
        await clock.sleep(POLL_MS)
      }
      return places(job)
    },
    any,
    gone: (agentId) => void agents.delete(agentId),
    silent(agentId) {
      const known = agents.get(agentId)
      if (known) agents.set(agentId, { ...known, silentUntil: clock.monotonic() + AVOID_MS })
    },
    close: () => subscription.close(),
  }
}
