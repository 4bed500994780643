/**
 * Stores leases in a JetStream KV bucket for each lifetime, since a key's own ttl is ignored before nats-server 2.11. An entry's value
 * names its holder; the server drops entries that are not renewed within the bucket's ttl.
 */
import { NatsError, StorageType, type KV } from 'nats'
import type { Clock } from '../../ports/clock.ts'
import type { LeaseTtlSeconds } from '../../ports/leases.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import { natsUnavailable, type NatsConnection } from './connection.ts'
import type { Session } from './session.ts'

export interface Place {
  readonly key: string
  readonly ttlSeconds: LeaseTtlSeconds
  /** Different for every lease. */
  readonly holder: string
}

/** All throw ServerUnavailable. */
export interface LeaseBuckets {
  /** null: the key is held, with any lifetime. Calls `sent` before NATS gets the request: if it fails then, it may be carried out late. */
  create(place: Place, sent: () => void): Promise<{ readonly token: number; readonly revision: number } | null>
  /** The new revision; null: refused. */
  update(place: Place, revision: number): Promise<number | null>
  /** The revision of the holder's own entry, if it exists. */
  revisionOf(place: Place): Promise<number | null>
  /** Removes exactly this revision; if the entry has another by now nothing happens. */
  remove(place: Place, revision: number): Promise<void>
  held(key: string): Promise<boolean>
  /** The entry with that lifetime, of any holder. */
  entryOf(key: string, ttlSeconds: LeaseTtlSeconds): Promise<{ readonly holder: string; readonly revision: number } | null>
}

export interface LeaseBucketsOptions {
  readonly connection: NatsConnection
  readonly clock: Clock
}

interface Bucket {
  readonly kv: KV
  /** When the server made the bucket's stream. */
  readonly createdMs: number
}

interface State extends LeaseBucketsOptions {
  /** Buckets opened in the current session. */
  readonly open: Map<LeaseTtlSeconds, { readonly session: Session; readonly bucket: Promise<Bucket> }>
}

const LIFETIMES: readonly LeaseTtlSeconds[] = [5, 15, 60]
/** Timeout of one JetStream request. Longer than any caller waits, so that a late answer can still be corrected (`leases.ts`). */
const ANSWER_MS = 4_000
const OPENING_TRIES = 3
const OPENING_PAUSE_MS = 100
const WRONG_REVISION = 10_071
/** The server's status if no stream listens: the bucket is gone, or JetStream is. */
const NO_RESPONDERS = '503'
/** Keys that KV accepts as words. Other keys are written in base64. */
const PLAIN_KEY = /^[\w-]+(\.[\w-]+)*$/

export function createLeaseBuckets(options: LeaseBucketsOptions): LeaseBuckets {
  const state: State = { ...options, open: new Map() }
  return {
    create: (place, sent) => create(state, place, sent),
    update: ({ key, ttlSeconds, holder }, revision) =>
      use(state, ttlSeconds, ({ kv }) => unlessRefused(kv.update(nameOf(key), bytes(holder), revision))),
    revisionOf: ({ key, ttlSeconds, holder }) =>
      use(state, ttlSeconds, async ({ kv }) => {
        const entry = await kv.get(nameOf(key))
        return entry?.operation === 'PUT' && entry.string() === holder ? entry.revision : null
      }),
    remove: (place, revision) => remove(state, place, revision),
    held: (key) => heldIn(state, key, LIFETIMES),
    entryOf: (key, ttlSeconds) =>
      use(state, ttlSeconds, async ({ kv }) => {
        const entry = await kv.get(nameOf(key))
        return entry?.operation === 'PUT' ? { holder: entry.string(), revision: entry.revision } : null
      }),
  }
}

/**
 * The token is the creation time of the bucket, in ms, plus the entry's revision. Revisions rise with every entry of a bucket; a bucket
 * that is recreated, because NATS lost its storage, begins at 1 again. Its tokens are still higher if the old bucket had fewer than one
 * entry a millisecond over its life: then its last token was below the time at which it was lost.
 */
async function create(state: State, place: Place, sent: () => void): ReturnType<LeaseBuckets['create']> {
  const { key, ttlSeconds, holder } = place
  const made = await use(state, ttlSeconds, async ({ kv, createdMs }) => {
    sent()
    const revision = await unlessRefused(kv.create(nameOf(key), bytes(holder)))
    return revision === null ? null : { revision, token: createdMs + revision }
  })
  if (!made) return null
  // Take first, then check the others: of two with different lifetimes at once both may give up, but never both hold it.
  try {
    const others = LIFETIMES.filter((ttl) => ttl !== ttlSeconds)
    if (!(await heldIn(state, key, others))) return made
  } catch (error) {
    await remove(state, place, made.revision).catch(() => {})
    throw error
  }
  await remove(state, place, made.revision)
  return null
}

async function remove(state: State, { key, ttlSeconds }: Place, revision: number): Promise<void> {
  await use(state, ttlSeconds, ({ kv }) => unlessRefused(kv.delete(nameOf(key), { previousSeq: revision })))
}

async function heldIn(state: State, key: string, lifetimes: readonly LeaseTtlSeconds[]): Promise<boolean> {
  const entries = await Promise.all(lifetimes.map((ttl) => use(state, ttl, ({ kv }) => kv.get(nameOf(key)))))
  return entries.some((entry) => entry?.operation === 'PUT')
}

/** Retries once if the bucket is gone: NATS may have lost its storage while it stayed connected. */
async function use<T>(state: State, ttlSeconds: LeaseTtlSeconds, work: (bucket: Bucket) => Promise<T>): Promise<T> {
  const attempt = async (): Promise<T> => work(await bucketOf(state, ttlSeconds))
  try {
    return await attempt().catch((error: unknown) => {
      if (!isNoResponders(error)) throw error
      state.open.delete(ttlSeconds)
      return attempt()
    })
  } catch (error) {
    throw natsUnavailable(error)
  }
}

async function bucketOf(state: State, ttlSeconds: LeaseTtlSeconds): Promise<Bucket> {
  const session = await state.connection.session()
  const known = state.open.get(ttlSeconds)
  if (known?.session === session) return known.bucket
  const bucket = withTimeout(openBucket(state, session, ttlSeconds), {
    clock: state.clock,
    ms: ANSWER_MS,
    message: 'JetStream does not answer',
  })
  state.open.set(ttlSeconds, { session, bucket })
  bucket.catch(() => {
    if (state.open.get(ttlSeconds)?.bucket === bucket) state.open.delete(ttlSeconds)
  })
  return bucket
}

/** Opens the existing bucket unchanged, or creates it. Another node, possibly of another version, may do so at the same time. */
async function openBucket({ connection, clock }: State, { client }: Session, ttlSeconds: LeaseTtlSeconds): Promise<Bucket> {
  const name = `${connection.prefix}-leases-${ttlSeconds}s`
  for (let attempt = 1; ; attempt++) {
    try {
      const kv = await client
        .jetstream({ timeout: ANSWER_MS })
        .views.kv(name, { ttl: ttlSeconds * 1000, history: 1, storage: StorageType.File, timeout: ANSWER_MS })
      const { streamInfo } = await kv.status()
      return { kv, createdMs: Date.parse(streamInfo.created) }
    } catch (error) {
      if (isNoResponders(error)) throw new Error('NATS runs without JetStream, which keeps the leases', { cause: error })
      if (attempt >= OPENING_TRIES || !isNatsError(error) || !error.isJetStreamError()) throw error
      await clock.sleep(OPENING_PAUSE_MS)
    }
  }
}

/** null if an entry of another revision exists. */
async function unlessRefused<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (isNatsError(error) && error.api_error?.err_code === WRONG_REVISION) return null
    throw error
  }
}

const isNatsError = (error: unknown): error is NatsError => error instanceof NatsError

const isNoResponders = (error: unknown): boolean => isNatsError(error) && error.code === NO_RESPONDERS

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const nameOf = (key: string): string => (PLAIN_KEY.test(key) ? key : `=${Buffer.from(key).toString('base64url')}`)
