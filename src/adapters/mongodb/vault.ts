/**
 * Vault in MongoDB. One-time values are created by an insert, the one write that has exactly one winner on every server of the protocol.
 * Only a destruction changes a key's document, so it wins over any creation. Reads have majority and causal consistency: a key that a
 * failover could roll back is never handed out. A server's files may hold a destroyed key until they overwrite it, and so may its backups:
 * encrypt its disk.
 */
import { randomBytes } from 'node:crypto'
import { Binary, type AnyBulkWriteOperation, type ClientSession, type Collection, type Filter, type WithoutId } from 'mongodb'
import { ServerUnavailable } from '../../ports/server.ts'
import { KeyDestroyed, type Vault, type VaultContents } from '../../ports/vault.ts'
import type { MongoConnection } from './connection.ts'
import { SERVER, isDuplicateKey } from './errors.ts'

const SECRET_BYTES = 32
/** For all its documents at once. */
const FILL_MS = 300_000

/** A null key was destroyed. */
interface KeyDocument {
  readonly _id: string
  readonly key: Binary | null
}

interface SecretDocument {
  readonly _id: string
  readonly secret: Binary
}

interface HashDocument {
  readonly _id: string
  readonly user: string
  readonly hash: string
}

export function createMongoVault({ connection }: { readonly connection: MongoConnection }): Vault {
  const { client, guarded } = connection
  const confirmed = { readConcern: { level: 'majority' } } as const
  const keys = connection.db().collection<KeyDocument>('vault_keys', confirmed)
  const secrets = connection.db().collection<SecretDocument>('vault_secrets', confirmed)
  const hashes = connection.db().collection<HashDocument>('vault_password_hashes', confirmed)
  /** A session's reads wait until the majority has the state that its writes met. */
  const inSession = <T>(work: (session: ClientSession) => Promise<T>): Promise<T> => guarded(() => client.withSession(work))

  return {
    makeKey: (subject) =>
      inSession(async (session) => {
        const { key } = await madeOnce(keys, { _id: subject, key: new Binary(randomBytes(SECRET_BYTES)) }, session)
        if (!key) throw new KeyDestroyed(subject)
        return bytesOf(key)
      }),
    key: async (subject) => {
      const found = await guarded(() => keys.findOne({ _id: subject }))
      return found?.key ? bytesOf(found.key) : undefined
    },
    destroyKey: (subject) =>
      guarded(() => withoutRace(async () => void (await keys.updateOne({ _id: subject }, { $set: { key: null } }, { upsert: true })))),

    putPasswordHash: (userId, version, hash) =>
      guarded(() =>
        withoutRace(async () => void (await hashes.replaceOne({ _id: hashId(userId, version) }, { user: userId, hash }, { upsert: true }))),
      ),
    passwordHash: async (userId, version) => (await guarded(() => hashes.findOne({ _id: hashId(userId, version) })))?.hash,
    dropPasswordHashes: (userId, version) =>
      guarded(async () => {
        if (version !== undefined) await hashes.deleteOne({ _id: hashId(userId, version) })
        // The range can use the index of `_id`; it also matches a user whose id continues after the colon.
        else await hashes.deleteMany({ _id: { $gte: `${userId}:`, $lt: `${userId};` }, user: userId })
      }),

    secret: (name) =>
      inSession(async (session) => {
        const { secret } = await madeOnce(secrets, { _id: name, secret: new Binary(randomBytes(SECRET_BYTES)) }, session)
        return bytesOf(secret)
      }),
    hasSecret: async (name) => (await guarded(() => secrets.findOne({ _id: name }))) !== null,
    contents: () => guarded(() => contentsOf({ keys, hashes, secrets })),
    replaceContents: (contents) => guarded(() => replace({ keys, hashes, secrets }, contents), FILL_MS),
    // The connection belongs to its creator.
    close: async () => {},
  }
}

interface Collections {
  readonly keys: Collection<KeyDocument>
  readonly hashes: Collection<HashDocument>
  readonly secrets: Collection<SecretDocument>
}

async function contentsOf({ keys, hashes, secrets }: Collections): Promise<VaultContents> {
  const [allKeys, allHashes, allSecrets] = [await keys.find().toArray(), await hashes.find().toArray(), await secrets.find().toArray()]
  return {
    keys: allKeys.map(({ _id: subject, key }) => ({ subject, key: key ? bytesOf(key) : null })),
    passwordHashes: allHashes.map(({ _id, user: userId, hash }) => ({ userId, version: Number(_id.slice(userId.length + 1)), hash })),
    secrets: allSecrets.map(({ _id: name, secret }) => ({ name, secret: bytesOf(secret) })),
  }
}

/** Keys and hashes first: the secrets tell which installation a vault belongs to. */
async function replace({ keys, hashes, secrets }: Collections, contents: VaultContents): Promise<void> {
  await replaceAll(keys, contents.keys.map(keyDocument))
  await replaceAll(hashes, contents.passwordHashes.map(hashDocument))
  await replaceAll(secrets, contents.secrets.map(secretDocument))
}

const keyDocument = ({ subject, key }: VaultContents['keys'][number]): KeyDocument => ({ _id: subject, key: key && new Binary(key) })
const hashDocument = ({ userId, version, hash }: VaultContents['passwordHashes'][number]): HashDocument => ({
  _id: hashId(userId, version),
  user: userId,
  hash,
})
const secretDocument = ({ name, secret }: VaultContents['secrets'][number]): SecretDocument => ({ _id: name, secret: new Binary(secret) })

/** Without a moment in which a document is missing that both have. */
async function replaceAll<D extends { readonly _id: string }>(found: Collection<D>, documents: readonly D[]): Promise<void> {
  const wanted = new Set(documents.map(({ _id }) => _id))
  const there = await found.find({}, { projection: { _id: 1 } }).toArray()
  const extra = there.map(({ _id }) => _id as string).filter((id) => !wanted.has(id))
  const of = (id: string) => ({ _id: id }) as Filter<D>
  const writes: readonly AnyBulkWriteOperation<D>[] = [
    ...documents.map((document) => ({ replaceOne: { filter: of(document._id), replacement: document as WithoutId<D>, upsert: true } })),
    ...extra.map((id) => ({ deleteOne: { filter: of(id) } })),
  ]
  for (let n = 0; n < writes.length; n += WRITES) await found.bulkWrite(writes.slice(n, n + WRITES), { ordered: false })
}

const WRITES = 500

const hashId = (userId: string, version: number): string => `${userId}:${version}`

const bytesOf = (binary: Binary): Uint8Array => Uint8Array.from(binary.value())

/** The document of that id; of several concurrent creators one writes it, and all read it. */
async function madeOnce<D extends { readonly _id: string }>(found: Collection<D>, made: D, session: ClientSession): Promise<D> {
  const filter = { _id: made._id } as Parameters<typeof found.findOne>[0]
  const before = await found.findOne<D>(filter, { session })
  if (before) return before
  try {
    await found.insertOne(made as Parameters<typeof found.insertOne>[0], { session })
    return made
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    const winner = await found.findOne<D>(filter, { session })
    if (!winner) throw new ServerUnavailable(SERVER, { cause: error })
    return winner
  }
}

/** Of two upserts of one new document the loser gets a duplicate key error; the document then exists and can be updated. */
async function withoutRace(upsert: () => Promise<void>): Promise<void> {
  try {
    await upsert()
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    await upsert()
  }
}
