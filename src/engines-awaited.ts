/** At a start: waits for the servers that this process works with, and says which one it waits for. */
import type { Clock } from './ports/clock.ts'
import { EngineAway, type Engine } from './ports/engine.ts'
import { OutcomeUnknown } from './ports/event-log.ts'

export interface Awaiting {
  readonly clock: Clock
  /** Gets a line for a person, every now and then. */
  readonly tell: (line: string) => void
  readonly signal?: AbortSignal
}

const LOOK_EVERY_MS = 500
const TELL_EVERY_MS = 10_000

/** @throws the signal's reason */
export function awaitEngines(servers: readonly Engine[], awaiting: Awaiting): Promise<void> {
  return patiently(awaiting, async () => {
    const away = await enginesAway(servers)
    if (away.length > 0) throw new EngineAway(away.join(' and '))
  })
}

/** Does the work, and once more whenever a server was away over it. @throws what else the work throws, or the signal's reason */
export async function patiently<Result>({ clock, tell, signal }: Awaiting, work: () => Promise<Result>): Promise<Result> {
  let toldAtMs = -Infinity
  for (;;) {
    try {
      return await work()
    } catch (cause) {
      if (!(cause instanceof EngineAway || cause instanceof OutcomeUnknown)) throw cause
      if (clock.monotonic() - toldAtMs >= TELL_EVERY_MS) {
        toldAtMs = clock.monotonic()
        tell(`Waiting: ${cause.message}.`)
      }
    }
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
}

/** Names of those that do not answer now, each once. */
export async function enginesAway(servers: readonly Engine[]): Promise<readonly string[]> {
  const checks = await Promise.allSettled(servers.map((server) => server.check()))
  return [...new Set(servers.filter((_, n) => checks[n]?.status === 'rejected').map(({ name }) => name))]
}
