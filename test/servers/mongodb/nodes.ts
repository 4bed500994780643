/** The nodes of a test, each with its own connection to one database. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { connectMongo, type MongoConnection } from '../../../src/adapters/mongodb/connection.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'

export const systemClock = createSystemClock()

export function connectNode(t: Test, url: string): MongoConnection {
  const connection = connectMongo({ url, clock: systemClock })
  t.teardown(() => connection.close())
  return connection
}

/** Runs `count` times, each on its own node. */
export const onNodes = <T>(
  t: Test,
  url: string,
  { count, make }: { count: number; make: (connection: MongoConnection) => T },
): readonly T[] => Array.from({ length: count }, () => make(connectNode(t, url)))

/** Duration in milliseconds, whatever the result. */
export async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work().catch(() => {})
  return performance.now() - startMs
}

/** Whether it is answered before a timer started at the same time: if this process gets no CPU time, the timer is late as well. */
export async function isWithin(ms: number, answer: Promise<unknown>): Promise<boolean> {
  const isAnswered = answer.then(() => true)
  return Promise.race([isAnswered, sleep(ms, false)])
}
