/** A connection that counts its operations and fails at one of them, as if the process or the server had died there. */
import type { Collection, Db } from 'mongodb'
import type { MongoConnection } from '../../../src/adapters/mongodb/connection.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'

export interface CutConnection {
  readonly connection: MongoConnection
  /** Names of the operations since the last call. */
  taken(): readonly string[]
  /** After this many writes the next one fails: before it has any effect, halfway, or when it is done and only its reply is lost. */
  cutAfter(writes: number, how: Cut): void
}

export type Cut = 'before' | 'halfway' | 'after'

const WRITES: ReadonlySet<string> = new Set(['insertMany', 'insertOne', 'bulkWrite', 'updateOne', 'replaceOne', 'deleteMany', 'deleteOne'])
const READS: ReadonlySet<string> = new Set(['find', 'findOne', 'aggregate', 'estimatedDocumentCount'])

type Method = (...args: readonly unknown[]) => unknown

export function cutConnection(connection: MongoConnection): CutConnection {
  let operations: string[] = []
  let cut: { left: number; readonly how: Cut } | undefined

  async function write(run: Method, [items, ...more]: readonly unknown[]): Promise<unknown> {
    if (!cut || cut.left-- > 0) return run(items, ...more)
    const { how } = cut
    cut = undefined
    const half = Array.isArray(items) ? items.slice(0, Math.floor(items.length / 2)) : []
    if (how === 'after') await run(items, ...more)
    if (how === 'halfway' && half.length > 0) await run(half, ...more)
    throw new ServerUnavailable('MongoDB')
  }

  const wrapped = (collection: Collection): Collection =>
    new Proxy(collection, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function' || typeof name !== 'string') return value
        const run: Method = (...args) => Reflect.apply(value, target, args)
        if (!WRITES.has(name) && !READS.has(name)) return run
        return (...args: readonly unknown[]) => {
          operations.push(name)
          return WRITES.has(name) ? write(run, args) : run(...args)
        }
      },
    })

  const db = new Proxy(connection.db(), {
    get(target, name) {
      if (name === 'collection') return (...args: Parameters<Db['collection']>) => wrapped(target.collection(...args))
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (...args: readonly unknown[]) => Reflect.apply(value, target, args) : value
    },
  })
  return {
    connection: { ...connection, db: () => db, hasTransactions: async () => false },
    taken() {
      const taken = operations
      operations = []
      return taken
    },
    cutAfter: (writes, how) => (cut = { left: writes, how }),
  }
}
