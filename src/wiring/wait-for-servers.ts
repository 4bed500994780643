/** Waits at the start for the servers that this process needs, and reports which one it waits for, why, and when it is back. */
import type { Clock } from '../ports/clock.ts'
import type { Report } from '../ports/report.ts'
import { ServerUnavailable, type Server } from '../ports/server.ts'
import { OutcomeUnknown } from '../ports/event-log.ts'
import { outageReason } from './outage-reason.ts'

export interface ServerWait {
  readonly clock: Clock
  /** Periodically receives the reason for waiting, and once that a server is back. */
  readonly report: Report<string>
  /** Receives the reason for waiting at each check; undefined: no longer waiting. */
  readonly waiting?: (reason: string | undefined) => void
  readonly signal?: AbortSignal
}

const LOOK_EVERY_MS = 500
const PRINT_EVERY_MS = 10_000

/** A server that does not answer, in words for a person, and the reason. */
export interface UnavailableServer {
  /** Includes its setting and its address. */
  readonly name: string
  /** Without its address, because the readiness endpoint is public. */
  readonly publicName: string
  readonly reason: string
}

/** @throws the signal's reason */
export async function waitForServers(servers: readonly Server[], { clock, report, waiting, signal }: ServerWait): Promise<void> {
  const startMs = clock.monotonic()
  const seconds = () => Math.round((clock.monotonic() - startMs) / 1000)
  const printedAtMs = new Map<string, number>()
  for (;;) {
    const away = await serversAway(servers)
    for (const [name] of printedAtMs) {
      if (away.some((server) => server.name === name)) continue
      printedAtMs.delete(name)
      report(`${name} is back after ${seconds()} s.`, 'info')
    }
    waiting?.(away.length === 0 ? undefined : reasonOf(away))
    if (away.length === 0) return
    for (const { name, reason } of away) {
      if (clock.monotonic() - (printedAtMs.get(name) ?? -Infinity) < PRINT_EVERY_MS) continue
      printedAtMs.set(name, clock.monotonic())
      report(`Waiting for ${name}${seconds() > 0 ? `, for ${seconds()} s by now` : ''}: ${reason}.`, 'warn')
    }
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
}

/** Runs the work, and retries it whenever a server was unavailable. A damaged file stays damaged. @throws the work's other errors, or the signal's reason */
export async function patiently<Result>({ clock, report, waiting, signal }: ServerWait, work: () => Promise<Result>): Promise<Result> {
  let printedAtMs = -Infinity
  for (;;) {
    try {
      const result = await work()
      waiting?.(undefined)
      return result
    } catch (cause) {
      if (!isPassing(cause)) throw cause
      const reason = `${cause.message}: ${outageReason(cause)}`
      waiting?.(reason)
      if (clock.monotonic() - printedAtMs >= PRINT_EVERY_MS) {
        printedAtMs = clock.monotonic()
        report(`Waiting: ${reason}.`, 'warn')
      }
    }
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
}

const isPassing = (cause: unknown): cause is ServerUnavailable | OutcomeUnknown =>
  cause instanceof OutcomeUnknown || (cause instanceof ServerUnavailable && cause.code !== 'damaged')

/** The servers that do not answer now, each once. */
export async function serversAway(servers: readonly Server[]): Promise<readonly UnavailableServer[]> {
  const checks = await Promise.allSettled(servers.map((server) => server.check()))
  return servers.flatMap((server, n) => {
    const check = checks[n]
    return check?.status === 'rejected' ? [{ ...namesOf(server), reason: outageReason(check.reason) }] : []
  })
}

/** All of them with their reasons, in one line. */
export const reasonOf = (away: readonly UnavailableServer[]): string =>
  `No answer from ${[...new Set(away.map(({ publicName, reason }) => `${publicName}: ${reason}`))].join('; ')}`

function namesOf({ name, address, setting }: Server): Pick<UnavailableServer, 'name' | 'publicName'> {
  const by = setting === undefined ? '' : ` (${setting})`
  return { name: `${name}${address === undefined ? '' : ` at ${address}`}${by}`, publicName: `${name}${by}` }
}
