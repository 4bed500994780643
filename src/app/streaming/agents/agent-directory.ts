/** Tracks the transcode agents and their state, from their announcements and from the experience of runs. */
import { canEncode, canToneMap, placesFor, preferredEncoder, type Agent, type JobNeeds } from '../../../domain/streaming/placement.ts'
import type { Encoder } from '../../../vocabulary/encoder.ts'
import { TONE_MAPPERS, type ToneMapper, type ToneMapping } from '../../../vocabulary/tone-mapper.ts'
import { preferredToneMapping } from '../../../domain/streaming/tone-map.ts'
import type { Bus, Message } from '../../../ports/bus.ts'
import type { Clock } from '../../../ports/clock.ts'
import { HELLO_TTL_MS, isAgentHello, subjects, type AgentHello } from './agent-protocol.ts'

export interface AgentDirectory {
  /** Agents heard recently that can run the job, best first. Waits a moment if none is known yet. */
  candidates(job: JobNeeds): Promise<readonly string[]>
  /** The last announcements of all agents that were heard recently. */
  list(): readonly AgentHello[]
  /** Whether an agent that takes jobs was heard recently. */
  any(): boolean
  /** The encoder for the video of a new session. */
  encoder(): Encoder
  /** The tone-mapping for HDR video of a new session. */
  toneMapping(): ToneMapping
  /** Whether a recently heard agent that takes jobs has the encoder. */
  encodes(encoder: Encoder): boolean
  /** Whether such an agent has the tone-mapper. */
  toneMaps(mapper: ToneMapper): boolean
  /** Removes the agent: it is gone. */
  gone(agentId: string): void
  /** The agent does not answer: for a while it is asked last. */
  silent(agentId: string): void
  close(): void
}

interface Known {
  readonly hello: AgentHello
  /** It announces no more than agents of older versions do. */
  readonly isPlain: boolean
  readonly heardAt: number
  readonly silentUntil: number
}

const MAX_AGENTS = 1_000
const FIRST_HELLO_MS = 1_000
const POLL_MS = 20
const WHO_EVERY_MS = 200
const AVOID_MS = 30_000
/** Announcements that are kept until somebody asks for the agents. */
const HEARD_MAX = 100

interface Heard {
  readonly head: Message['head']
  readonly isPlain: boolean
  readonly heardAt: number
}

export function createAgentDirectory({ bus, clock }: { readonly bus: Bus; readonly clock: Clock }): AgentDirectory {
  const agents = new Map<string, Known>()
  // Checked when they are needed: the first check compiles its schema, for which a start need not wait.
  const heard: Heard[] = []
  function hear(head: Message['head'], isPlain: boolean): void {
    heard.push({ head, isPlain, heardAt: clock.monotonic() })
    if (heard.length >= HEARD_MAX) takeIn()
  }
  function takeIn(): void {
    for (const { head: hello, isPlain, heardAt } of heard.splice(0)) {
      if (!isAgentHello(hello)) continue
      const before = agents.get(hello.agentId)
      if (isPlain && before?.isPlain === false) continue
      agents.delete(hello.agentId)
      const silentUntil = before?.silentUntil ?? -Infinity
      if (agents.size < MAX_AGENTS) agents.set(hello.agentId, { hello, isPlain, heardAt, silentUntil })
    }
  }
  const subscriptions = [
    bus.subscribe(subjects.hello, ({ head }) => hear(head, false)),
    bus.subscribe(subjects.plainHello, ({ head }) => hear(head, true)),
  ]
  const askWho = (): void => bus.publish(subjects.who, { head: {} })
  askWho()

  function alive(): readonly Known[] {
    takeIn()
    const oldest = clock.monotonic() - HELLO_TTL_MS
    for (const [id, { heardAt }] of agents) if (heardAt < oldest) agents.delete(id)
    return [...agents.values()]
  }

  function agentsNow(): readonly Agent[] {
    const now = clock.monotonic()
    return alive().map(({ hello, silentUntil }) => ({ ...hello, isSilent: silentUntil > now }))
  }

  const any = (): boolean => alive().some(({ hello }) => !hello.leaving)

  return {
    async candidates(job) {
      for (let waitedMs = 0; waitedMs < FIRST_HELLO_MS && !any(); waitedMs += POLL_MS) {
        if (waitedMs % WHO_EVERY_MS === 0) askWho()
        await clock.sleep(POLL_MS)
      }
      return placesFor(agentsNow(), job)
    },
    list: () => alive().map(({ hello }) => hello),
    any,
    encoder: () => preferredEncoder(agentsNow()),
    toneMapping: () => preferredToneMapping(agentsNow().flatMap(({ leaving, toneMaps = TONE_MAPPERS }) => (leaving ? [] : [toneMaps]))),
    encodes: (encoder) => alive().some(({ hello }) => !hello.leaving && canEncode(hello, { encoder })),
    toneMaps: (toneMap) => alive().some(({ hello }) => !hello.leaving && canToneMap(hello, { toneMap })),
    gone(agentId) {
      takeIn()
      agents.delete(agentId)
    },
    silent(agentId) {
      takeIn()
      const known = agents.get(agentId)
      if (known) agents.set(agentId, { ...known, silentUntil: clock.monotonic() + AVOID_MS })
    },
    close: () => subscriptions.forEach((subscription) => subscription.close()),
  }
}
