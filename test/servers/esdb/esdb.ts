/** A server for each test, with a new log, and helpers that act on it behind the adapter's back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { EventStoreDBClient } from '@eventstore/db-client'
import type { Test } from 'tap'
import { createEsdbEventLog, type EsdbEventLogOptions } from '../../../src/adapters/esdb/event-log.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import type { Server } from '../../../src/ports/server.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { startEventStore, startEventStoreCluster, type OwnEventStore } from '../../fakes/event-store.ts'

export interface Esdb extends OwnEventStore {
  /** The driver itself. */
  readonly client: EventStoreDBClient
  log(t: Test, options?: Partial<EsdbEventLogOptions>): EventLog & Server
}

export function withServer(t: Test, title: string, run: (t: Test, esdb: Esdb) => Promise<void>): void {
  withStore(t, title, { start: startEventStore, run })
}

/** Three nodes; the first one leads. */
export function withCluster(t: Test, title: string, run: (t: Test, esdb: Esdb) => Promise<void>): void {
  withStore(t, title, { start: startEventStoreCluster, run })
}

interface Given {
  readonly start: () => Promise<OwnEventStore>
  readonly run: (t: Test, esdb: Esdb) => Promise<void>
}

function withStore(t: Test, title: string, { start, run }: Given): void {
  t.test(title, async (t) => {
    const eventStore = await start()
    const client = EventStoreDBClient.connectionString(eventStore.url)
    t.teardown(() => eventStore.server.stop())
    t.teardown(() => client.dispose())
    await run(t, { ...eventStore, client, log: (t, options) => openLog(t, { url: eventStore.url, ...options }) })
  })
}

export function openLog(t: Test, options: Omit<EsdbEventLogOptions, 'clock'>): EventLog & Server {
  const log = createEsdbEventLog({ clock: createSystemClock(), ...options })
  t.teardown(() => log.close())
  return log
}

/** Longer than a server may take to start, so that the test reports a failed start. */
const PATIENCE_MS = 120_000

/** Retries until it neither fails nor returns false. */
export async function until<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      const result = await attempt()
      if (result !== false) return result
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
    if (performance.now() > deadline) throw new Error(`Not so within ${PATIENCE_MS} ms`)
    await sleep(20)
  }
}
