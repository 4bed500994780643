/**
 * The database's time of day, by which all nodes count: their own clocks may differ by hours. It is measured at the start and every half a
 * minute, and goes on with the node's monotonic clock. During an outage the last measurement stays.
 */
import type { Clock } from '../../ports/clock.ts'
import type { MongoConnection } from './connection.ts'

export interface ServerClock {
  /** Milliseconds since the Unix epoch. Before the first measurement this node's clock. */
  now(this: void): number
  /** Settles with the first measurement. Never rejects. */
  readonly measured: Promise<void>
  close(): void
}

export interface ServerClockOptions {
  readonly connection: Pick<MongoConnection, 'db' | 'guarded'>
  readonly clock: Clock
}

const MEASURE_EVERY_MS = 30_000
const AGAIN_MS = 1_000
/** An answer that took longer says too little: it was written at some time between the question and its arrival. */
const SLOWEST_MS = 2_000

export function createServerClock({ connection, clock }: ServerClockOptions): ServerClock {
  const { promise: measured, resolve } = Promise.withResolvers<void>()
  /** The server's time at the zero of the monotonic clock. */
  let zeroMs: number | undefined
  let isClosed = false
  let disarm: (() => void) | undefined

  async function measure(): Promise<boolean> {
    const askedAtMs = clock.monotonic()
    const { localTime } = await connection.guarded(() => connection.db().command({ hello: 1 }), SLOWEST_MS)
    const answeredAtMs = clock.monotonic()
    if (!(localTime instanceof Date) || answeredAtMs - askedAtMs > SLOWEST_MS) return false
    zeroMs = localTime.getTime() - (askedAtMs + answeredAtMs) / 2
    resolve()
    return true
  }

  async function measureAgain(): Promise<void> {
    const isMeasured = await measure().catch(() => false)
    if (!isClosed) disarm = clock.after(isMeasured ? MEASURE_EVERY_MS : AGAIN_MS, () => void measureAgain())
  }

  void measureAgain()
  return {
    now: () => (zeroMs === undefined ? clock.now() : Math.floor(zeroMs + clock.monotonic())),
    measured,
    close() {
      isClosed = true
      disarm?.()
    },
  }
}
