/**
 * Combines three ports on one MongoDB connection: the vault with erasable and secret data, and the counters and idempotency keys shared by
 * all API nodes.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Counters } from '../../ports/counters.ts'
import type { Server } from '../../ports/server.ts'
import type { IdempotencyStore } from '../../ports/idempotency-store.ts'
import type { Vault } from '../../ports/vault.ts'
import { connectMongo } from './connection.ts'
import { COUNTER_INDEXES } from './counter-chains.ts'
import { createMongoCounters } from './counters.ts'
import { createMongoIdempotencyStore, IDEMPOTENCY_INDEXES } from './idempotency-store.ts'
import { makeSecretsIndexes } from './secrets-indexes.ts'
import { createServerClock } from './server-clock.ts'
import { createMongoVault } from './vault.ts'

export interface MongoSecretsOptions {
  readonly url: string
  readonly clock: Clock
  /** Counts during an outage of MongoDB. */
  readonly fallback: Counters
}

export interface MongoSecrets {
  readonly vault: Vault
  readonly counters: Counters
  readonly idempotencyStore: IdempotencyStore
  readonly engine: Server
  /** Settles when all indexes exist. */
  readonly indexed: Promise<void>
  /** Settles when the counters know the server's time. */
  readonly timed: Promise<void>
  close(this: void): Promise<void>
}

export function openMongoSecrets({ url, clock, fallback }: MongoSecretsOptions): MongoSecrets {
  const connection = connectMongo({ url, clock })
  const indexes = makeSecretsIndexes({ connection, clock }, [IDEMPOTENCY_INDEXES, COUNTER_INDEXES])
  const serverClock = createServerClock({ connection, clock })
  const vault = createMongoVault({ connection })
  const idempotencyStore = createMongoIdempotencyStore({ connection, clock })
  return {
    vault,
    idempotencyStore,
    counters: createMongoCounters({ connection, clock: { ...clock, now: serverClock.now }, fallback }),
    engine: connection.engine,
    indexed: indexes.made,
    timed: serverClock.measured,
    async close() {
      indexes.close()
      serverClock.close()
      await idempotencyStore.close()
      await vault.close()
      await connection.close()
    },
  }
}
