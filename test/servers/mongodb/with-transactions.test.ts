/** Behaviour that needs a replica set, tested on the fake with injected faults. */
import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryCounters } from '../../../src/adapters/memory/counters.ts'
import { createMongoReadStore } from '../../../src/adapters/mongodb/read-store.ts'
import { openMongoSecrets } from '../../../src/adapters/mongodb/secrets.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import type { CollectionSpec, Commit, ReadStore } from '../../../src/ports/read-store.ts'
import { overStandInMongo, type StandInMongo } from '../../fakes/mongodb.ts'
import { connectNode, systemClock } from './nodes.ts'

const FILMS: CollectionSpec = { name: 'films_g1', fields: { genres: 'tally' }, indexes: [] }
const [ONE, TWO] = [toPosition(1), toPosition(2)]

const commitOf = ([from, to]: readonly [Position, Position], id: string, genres: readonly string[]): Commit => ({
  collection: FILMS.name,
  epoch: 1,
  from,
  to,
  puts: [{ id, at: to, body: { genres } }],
  removes: [],
})

async function openStore(t: Test, mongo: StandInMongo) {
  const url = mongo.url()
  const connection = connectNode(t, url)
  t.equal(await connection.hasTransactions(), true)
  const store = createMongoReadStore({ connection, clock: systemClock })
  await store.open([FILMS])
  return { store, connection, other: createMongoReadStore({ connection: connectNode(t, url), clock: systemClock }) }
}

const genresOf = async (store: ReadStore) => (await store.tally(FILMS.name, 'genres', { prefix: '', limit: 10 })).map(({ value }) => value)

await overStandInMongo(t, (t, mongo) => {
  t.test('a new genre that a primary took while its set could not reach it is listed when it is written again', async (t) => {
    const { store } = await openStore(t, mongo)
    t.equal(await store.commit(commitOf([START, ONE], 'a', ['drama'])), 'applied')
    await mongo.steer('isolate')
    await t.rejects(store.commit(commitOf([ONE, TWO], 'b', ['western'])), ServerUnavailable, 'no majority has confirmed it')
    await mongo.steer('rejoin')
    t.equal(await store.checkpoint(FILMS.name), ONE, 'it was taken back')
    t.equal(await store.commit(commitOf([ONE, TWO], 'b', ['western'])), 'applied')
    t.strictSame(await genresOf(store), ['drama', 'western'])
  })

  t.test('a new genre is listed with its film when the transaction is tried again on the next primary', async (t) => {
    const { store } = await openStore(t, mongo)
    await mongo.steer('isolate')
    const gone = { errorCode: 251, errorLabels: ['TransientTransactionError'], steer: 'rejoin' }
    await mongo.failing(['commitTransaction'], gone)
    t.equal(await store.commit(commitOf([START, ONE], 'a', ['western'])), 'applied')
    t.strictSame(await genresOf(store), ['western'])
  })

  t.test('a commit is applied once when its answer is lost, or the set changes its mind in the middle', async (t) => {
    const faults = {
      'the answer is lost': { closeConnection: true, afterCommand: true },
      'a step-down before it': { errorCode: 189 },
      'nobody has confirmed it in time': { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
    }
    for (const [what, fault] of Object.entries(faults)) {
      const { store } = await openStore(t, mongo)
      await mongo.failing(['commitTransaction'], fault)
      t.equal(await store.commit(commitOf([START, ONE], 'a', ['war'])), 'applied', what)
      t.equal(await store.checkpoint(FILMS.name), ONE, what)
      t.strictSame(await genresOf(store), ['war'], what)
    }
  })

  t.test('of two projectors that commit at the same time one is fenced, whatever they write', async (t) => {
    const { store, other } = await openStore(t, mongo)
    const idempotencyStore = await Promise.all([
      store.commit(commitOf([START, ONE], 'a', ['war'])),
      other.commit(commitOf([START, ONE], 'a', ['comedy'])),
    ])
    t.strictSame(idempotencyStore.toSorted(), ['applied', 'fenced'])
    t.equal((await genresOf(store)).length, 1)
  })

  t.test('a write that meets a step-down is MongoDB being away, in bulk and in a transaction', async (t) => {
    const { store, connection } = await openStore(t, mongo)
    const bulk = () =>
      connection.guarded(() =>
        connection
          .db()
          .collection('things')
          .bulkWrite([{ insertOne: { document: {} } }]),
      )
    await mongo.steer('isolate')
    await t.rejects(bulk(), ServerUnavailable, 'no majority has confirmed it')
    await mongo.steer('rejoin')
    await mongo.steer('stepDown')
    await t.rejects(bulk(), ServerUnavailable)
    await t.rejects(store.commit(commitOf([START, ONE], 'a', [])), ServerUnavailable)
    await mongo.steer('rejoin')
    t.equal(await store.commit(commitOf([START, ONE], 'a', [])), 'applied')
  })

  t.test('a keyed request is begun while indexes are being made, however long that takes', async (t) => {
    const url = mongo.url()
    await mongo.failing(['createIndexes'], { noAnswer: true }, 100)
    const secrets = openMongoSecrets({ url, clock: systemClock, fallback: createMemoryCounters({ clock: createTestClock() }) })
    t.teardown(() => secrets.close())
    const request = { fingerprint: 'f', seed: 's', owner: 'ann' }
    t.match(await secrets.idempotencyStore.begin('a', request), { state: 'begun' })
    await mongo.failing([], {}, 0)
    const later = openMongoSecrets({ url, clock: systemClock, fallback: createMemoryCounters({ clock: createTestClock() }) })
    t.teardown(() => later.close())
    await later.indexed
    const names = async (collection: string) => (await connectNode(t, url).db().collection(collection).indexes()).map(({ name }) => name)
    t.strictSame(await names('outcomes'), ['_id_', 'beganAt_1', 'owner_1_beganAt_1'])
    t.strictSame(await names('counters'), ['_id_', 'goneAt_1'])
  })

  t.test('facets that 300 ask for at once take no more connections than there are, and nobody gets an outage of MongoDB', async (t) => {
    const { store } = await openStore(t, mongo)
    const genres = Array.from({ length: 40 }, (_, n) => `genre ${n}`)
    await store.commit(commitOf([START, ONE], 'a', genres))
    const asked = Array.from({ length: 300 }, (_, n) => store.tally(FILMS.name, 'genres', { prefix: '', limit: 40 + (n % 4) }))
    for (const tallied of await Promise.all(asked)) t.equal(tallied.length, 40)
  })
})
