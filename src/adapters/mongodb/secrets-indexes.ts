/**
 * Makes the indexes of the stores beside the vault. No request waits for that: on a large collection it takes a server longer than any
 * timeout. It starts with the process, and is retried during an outage of the server.
 */
import type { Clock } from '../../ports/clock.ts'
import type { MongoConnection } from './connection.ts'

export interface CollectionIndexes {
  readonly collection: string
  readonly keys: readonly Readonly<Record<string, 1 | -1>>[]
}

export interface SecretsIndexesOptions {
  readonly connection: MongoConnection
  readonly clock: Pick<Clock, 'after'>
}

export interface SecretsIndexes {
  /** Settles with the first success. Never rejects. */
  readonly made: Promise<void>
  /** Stops trying. */
  close(): void
}

const INDEXING_MS = 60 * 60_000
const AGAIN_MS = 5_000

export function makeSecretsIndexes({ connection, clock }: SecretsIndexesOptions, indexes: readonly CollectionIndexes[]): SecretsIndexes {
  const { promise: made, resolve } = Promise.withResolvers<void>()
  let isClosed = false
  let disarm: (() => void) | undefined

  async function make(): Promise<void> {
    for (const { collection, keys } of indexes) {
      for (const key of keys) await connection.guarded(() => connection.db().collection(collection).createIndex(key), INDEXING_MS)
    }
  }

  function attempt(): void {
    make().then(resolve, () => {
      if (!isClosed) disarm = clock.after(AGAIN_MS, attempt)
    })
  }

  attempt()
  return {
    made,
    close() {
      isClosed = true
      disarm?.()
    },
  }
}
