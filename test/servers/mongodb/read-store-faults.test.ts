import t from 'tap'
import { connectMongo } from '../../../src/adapters/mongodb/connection.ts'
import { createMongoReadStore } from '../../../src/adapters/mongodb/read-store.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import type { JsonObject } from '../../../src/events/envelope.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'
import type { CollectionSpec, Commit, ReadStore, StoredDocument } from '../../../src/ports/read-store.ts'
import { createRandom } from '../../fixtures/random.ts'
import { overMongo, type MongoUnderTest } from '../../fakes/mongodb.ts'
import { cutConnection, type Cut, type CutConnection } from './cut-connection.ts'

const COUNTED: CollectionSpec = { name: 'counted_g1', fields: { marks: 'tally', year: 'number' }, indexes: [['year']] }
const PLAIN: CollectionSpec = { name: 'plain_g1', fields: {}, indexes: [] }
const SPECS = [COUNTED, PLAIN]
const MARKS = ['drama', 'war', 'western', 'comedy'] as const

interface Event {
  readonly position: Position
  readonly id: string
  /** The members that it adds to the document; null: it removes the document. */
  readonly change: JsonObject | null
}

const event = (position: number, id: string, change: JsonObject | null): Event => ({ position: toPosition(position), id, change })

function randomEvents(seed: number, count: number): readonly Event[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, n) => {
    const change = random.chance(0.25) ? null : { marks: MARKS.filter(() => random.chance(0.5)), year: n }
    return { position: toPosition((n + 1) * 10), id: `film-${random.below(5)}`, change }
  })
}

/** Like a projector: loads the touched documents, skips folded events, commits all collections at once. */
async function fold(store: ReadStore, events: readonly Event[], epoch: number): Promise<'applied' | 'fenced' | 'nothing'> {
  const last = events.at(-1)
  if (!last) return 'nothing'
  const commits: Commit[] = []
  for (const { name } of SPECS) {
    const from = await store.checkpoint(name)
    if (last.position > from) commits.push({ collection: name, epoch, from, to: last.position, ...(await changesOf(store, name, events)) })
  }
  return commits.length > 0 ? store.commit(...commits) : 'nothing'
}

async function changesOf(store: ReadStore, name: string, events: readonly Event[]): Promise<Pick<Commit, 'puts' | 'removes'>> {
  const ids = [...new Set(events.map(({ id }) => id))]
  const before = new Map((await store.getMany(name, ids)).map((document) => [document.id, document]))
  const puts: StoredDocument[] = []
  const removes: { id: string; at: Position }[] = []
  for (const id of ids) {
    const start = before.get(id)
    const news = events.filter((event) => event.id === id && event.position > (start?.at ?? START))
    const at = news.at(-1)?.position
    if (at === undefined) continue
    let body: JsonObject | null = start?.body ?? null
    for (const { change } of news) body = change && { ...body, ...change }
    if (body) puts.push({ id, at, body })
    else removes.push({ id, at })
  }
  return { puts, removes }
}

/** The complete visible content of a store. */
async function contentOf(store: ReadStore) {
  return Promise.all(
    SPECS.map(async ({ name }) => {
      const { documents } = await store.find(name, { limit: 1000 })
      return { checkpoint: await store.checkpoint(name), documents, count: await store.count(name, []) }
    }),
  )
}

const talliesOf = (store: ReadStore) => store.tally(COUNTED.name, 'marks', { prefix: '', limit: 100 })

await overMongo(t, (t, mongo) => {
  t.test('a commit that is cut after any of its writes, and folded again, ends as one that was not', async (t) => {
    for (const [seed, how] of (['before', 'halfway', 'after'] as const).entries()) {
      const events = randomEvents(seed, 24)
      const plain = createMemoryReadStore()
      await plain.open(SPECS)
      await fold(plain, events, 1)
      const { store, close } = await foldedWithCuts(mongo, events, { how, seed })
      t.strictSame(await contentOf(store), await contentOf(plain), how)
      t.strictSame(await talliesOf(store), await talliesOf(plain), `${how}: tallies`)
      await close()
    }
  })

  t.test('a projector that was replaced while it was held up brings nothing back and writes over nothing', async (t) => {
    const [old, fresh] = [await opened(mongo, 'late'), await opened(mongo, 'late')]
    await fold(old.store, [event(10, 'a', { year: 1 }), event(20, 'b', { year: 1 })], 1)
    const late = { collection: PLAIN.name, epoch: 1, from: toPosition(20), to: toPosition(30), removes: [] }
    await old.store.getMany(PLAIN.name, ['a', 'b', 'c'])
    await fold(fresh.store, [event(30, 'c', { year: 1 }), event(40, 'a', null), event(50, 'b', { year: 2 }), event(60, 'c', null)], 2)
    const before = await contentOf(fresh.store)
    const puts = ['a', 'b', 'c'].map((id) => ({ id, at: toPosition(30), body: { year: 9 } }))
    t.equal(await old.store.commit({ ...late, puts }), 'fenced')
    t.strictSame(await contentOf(fresh.store), before)
    await Promise.all([old.close(), fresh.close()])
  })

  t.test('a new projector ends the old one’s commits with its first, whatever it writes', async (t) => {
    const [old, fresh] = [await opened(mongo, 'epochs'), await opened(mongo, 'epochs')]
    await fold(old.store, [event(10, 'a', { year: 1 })], 1)
    t.equal(await fold(fresh.store, [event(20, 'a', { year: 2 })], 2), 'applied')
    t.equal(await fold(old.store, [event(30, 'a', { year: 3 })], 1), 'fenced')
    t.equal(await fold(fresh.store, [event(30, 'a', { year: 3 })], 2), 'applied')
    await Promise.all([old.close(), fresh.close()])
  })

  t.test('what a heartbeat changes is written without a read: each document, then all checkpoints in one', async (t) => {
    const { store, cut, close } = await opened(mongo, 'heartbeat')
    for (const position of [10, 20]) {
      const commits = await commitsOf(store, [event(position, 'a', { marks: ['drama'], year: position })])
      cut.taken()
      t.equal(await store.commit(...commits), 'applied')
    }
    t.strictSame(cut.taken(), ['bulkWrite', 'bulkWrite', 'bulkWrite'], 'two documents, the checkpoints')
    await close()
  })

  t.test('tombstones are swept when nobody can come late any more, and not before', async (t) => {
    const clock = createTestClock()
    const { store, connection, close } = await opened(mongo, 'sweeping', clock)
    const stored = async () => {
      const [place] = await connection
        .db()
        .listCollections({ name: { $gte: 'plain_g1.', $lt: 'plain_g1/' } })
        .toArray()
      return connection.db().collection(String(place?.name)).countDocuments()
    }
    await fold(store, [event(10, 'a', { year: 1 }), event(20, 'b', { year: 1 })], 1)
    await fold(store, [event(30, 'a', null)], 1)
    await clock.advance(23 * 3_600_000)
    await fold(store, [event(40, 'b', { year: 2 })], 1)
    t.equal(await stored(), 2)
    await clock.advance(2 * 3_600_000)
    await fold(store, [event(50, 'b', { year: 3 })], 1)
    t.equal(await stored(), 1)
    await fold(store, [event(70, 'a', { year: 5 })], 1)
    t.same((await store.get(PLAIN.name, 'a'))?.body, { year: 5 })
    await close()
  })
})

async function commitsOf(store: ReadStore, events: readonly Event[]): Promise<readonly Commit[]> {
  const commits: Commit[] = []
  for (const { name } of SPECS) {
    const from = await store.checkpoint(name)
    commits.push({ collection: name, epoch: 1, from, to: events.at(-1)?.position ?? from, ...(await changesOf(store, name, events)) })
  }
  return commits
}

/** Every batch is cut after the first write, after the second and so on until it succeeds; each time another process continues. */
async function foldedWithCuts(
  mongo: MongoUnderTest,
  events: readonly Event[],
  { how, seed }: { readonly how: Cut; readonly seed: number },
) {
  const random = createRandom(seed)
  let opening = await opened(mongo, `cut-${how}`)
  let writes = 0
  for (let done = 0, size = 6; done < events.length;) {
    opening.cut.cutAfter(writes++, how)
    try {
      await fold(opening.store, events.slice(0, done + size), 1)
      ;[done, writes] = [done + size, 0]
    } catch {
      await opening.close()
      opening = await opened(mongo, `cut-${how}`)
    }
    // The next process takes a larger or smaller batch than the one before.
    size = 4 + random.below(8)
  }
  return opening
}

async function opened(mongo: MongoUnderTest, database: string, clock = createSystemClock()) {
  const connection = connectMongo({ url: mongo.url(`faults-${process.pid}-${database}`), clock: createSystemClock() })
  const cut: CutConnection = cutConnection(connection)
  const store = createMongoReadStore({ connection: cut.connection, clock })
  await store.open(SPECS)
  return { store, cut, connection, close: () => connection.close() }
}
