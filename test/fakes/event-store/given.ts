/** Helpers of the fake's own tests: the real client, events, and errors. */
import { randomUUID } from 'node:crypto'
import { EventStoreDBClient, jsonEvent, type AllStreamResolvedEvent, type JSONEventData, type ResolvedEvent } from '@eventstore/db-client'
import type { Test } from 'tap'
import type { EventStoreUnderTest } from '../event-store.ts'

/** Makes the client append by plain Append; the default is BatchAppend. */
export const PLAIN = { credentials: { username: 'any', password: 'any' } }

export const WAYS = [
  ['plain Append', PLAIN],
  ['BatchAppend', {}],
] as const

export function clientOf(t: Test, { url }: Pick<EventStoreUnderTest, 'url'>): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(url)
  t.teardown(() => client.dispose())
  return client
}

export const newStream = (category = 'film'): string => `${category}-${randomUUID()}`

export const happened = (n = 0, id: string = randomUUID()): JSONEventData => jsonEvent({ id, type: 'Happened', data: { n } })

export const several = (count: number): JSONEventData[] => Array.from({ length: count }, (_, n) => happened(n))

/** Collects the events of a read, which ends by itself. */
export async function all(events: AsyncIterable<ResolvedEvent>): Promise<NonNullable<ResolvedEvent['event']>[]> {
  const found = []
  for await (const { event } of events) if (event) found.push(event)
  return found
}

export async function allOfAll(events: AsyncIterable<AllStreamResolvedEvent>): Promise<NonNullable<AllStreamResolvedEvent['event']>[]> {
  const found = []
  for await (const { event } of events) if (event) found.push(event)
  return found
}

/** The error of a rejected promise. */
export async function errorOf(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Error)
      return { ...Object.fromEntries(Object.entries(error)), message: error.message, isCommandError: 'type' in error }
    throw error
  }
  throw new Error('It did not fail')
}
