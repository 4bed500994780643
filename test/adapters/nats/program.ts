/** One program as NATS sees it: a connection with a bus and leases of its own. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { createNatsBus, type NatsBus } from '../../../src/adapters/nats/bus.ts'
import { connectNats, type NatsConnection } from '../../../src/adapters/nats/connection.ts'
import { createNatsLeases } from '../../../src/adapters/nats/leases.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import type { Message } from '../../../src/ports/bus.ts'
import type { Leases } from '../../../src/ports/leases.ts'
import type { OwnNats } from '../../servers/nats.ts'

export interface NatsProgram {
  readonly connection: NatsConnection
  readonly bus: NatsBus
  readonly leases: Leases
  /** What was told as a problem. */
  readonly problems: unknown[]
}

let programs = 0

export function startProgram(t: Test, url: string): NatsProgram {
  const [clock, problems] = [createSystemClock(), new Array<unknown>()]
  const problem = (error: unknown): void => void problems.push(error)
  const connection = connectNats({ url, name: t.name, clock, problem })
  const bus = createNatsBus({ connection, clock, problem })
  const leases = createNatsLeases({ connection, clock, bus, name: `program-${++programs}` })
  t.teardown(async () => {
    await leases.close()
    await bus.close()
    await connection.close()
  })
  return { connection, bus, leases, problems }
}

/** Two of one installation, connected. */
export async function startTwo(t: Test, url: string): Promise<readonly [NatsProgram, NatsProgram]> {
  const two = [startProgram(t, url), startProgram(t, url)] as const
  await connected(two)
  await Promise.all(two.map(({ connection }) => connection.engine.check()))
  return two
}

/** What is asked before that waits for a second only, which may not be enough on a busy machine. */
export const connected = (programs: readonly Pick<NatsProgram, 'connection'>[]): Promise<void> =>
  until(() => programs.every(({ connection }) => connection.current() !== undefined), 30_000)

export const numbered = (number: number): Message => ({ head: { number } })

/** Looks again and again until it is so; fails after a while. */
export async function until(isSo: () => boolean | Promise<boolean>, atMostMs = 10_000): Promise<void> {
  const deadline = performance.now() + atMostMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Not so within ${atMostMs} ms: ${String(isSo)}`)
    await sleep(20)
  }
}

/** Stops the server: SIGSTOP takes effect on all its threads a moment later. */
export async function stopServer({ server }: OwnNats): Promise<void> {
  server.signal('SIGSTOP')
  await sleep(200)
}

/** How long it took, and what it threw. */
export async function timed(work: Promise<unknown>): Promise<{ readonly ms: number; readonly error: unknown }> {
  const began = performance.now()
  const error: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  return { ms: performance.now() - began, error }
}
