/** Which agents there are and how much room each has, from what they say of themselves. */
import type { Bus } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import { HELLO_TTL_MS, isAgentHello, subjects } from './protocol.ts'

export interface AgentDirectory {
  /** Agents heard of lately, those with most room first. Waits a moment where none is known yet. */
  candidates(): Promise<readonly string[]>
  /** Whether any was heard of lately. */
  any(): boolean
  close(): void
}

interface Known {
  readonly free: number
  readonly heardAt: number
}

const MAX_AGENTS = 1_000
const FIRST_HELLO_MS = 1_000
const POLL_MS = 20

export function createAgentDirectory({ bus, clock }: { readonly bus: Bus; readonly clock: Clock }): AgentDirectory {
  const agents = new Map<string, Known>()
  const subscription = bus.subscribe(subjects.hello, ({ head }) => {
    if (!isAgentHello(head)) return
    agents.delete(head.agentId)
    if (agents.size < MAX_AGENTS) agents.set(head.agentId, { free: head.free, heardAt: clock.monotonic() })
  })
  bus.publish(subjects.who, { head: {} })

  function alive(): readonly string[] {
    const oldest = clock.monotonic() - HELLO_TTL_MS
    for (const [id, { heardAt }] of agents) if (heardAt < oldest) agents.delete(id)
    return [...agents].sort(([, a], [, b]) => b.free - a.free).map(([id]) => id)
  }

  return {
    async candidates() {
      for (let waitedMs = 0; waitedMs < FIRST_HELLO_MS && alive().length === 0; waitedMs += POLL_MS) {
        if (waitedMs % 200 === 0) bus.publish(subjects.who, { head: {} })
        await clock.sleep(POLL_MS)
      }
      return alive()
    },
    any: () => alive().length > 0,
    close: () => subscription.close(),
  }
}
