import t from 'tap'
import { connectMongo } from '../../../src/adapters/mongodb/connection.ts'
import { createMongoReadStore } from '../../../src/adapters/mongodb/read-store.ts'
import { documentOf, recordOf } from '../../../src/adapters/mongodb/read-store-records.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import type { Json, JsonObject } from '../../../src/events/envelope.ts'
import { START, toPosition } from '../../../src/events/position.ts'
import { MOVIES } from '../../fixtures/sample-documents.ts'
import { overMongo } from '../../fakes/mongodb.ts'

const clock = createSystemClock()

function nested(levels: number): Json {
  let value: Json = 'bottom'
  for (let level = 0; level < levels; level++) value = { deeper: value }
  return value
}

/** Members that a server could reject or misinterpret. */
const ODD: JsonObject = {
  'a.b': 1,
  $set: 2,
  _id: 'not that one',
  _bsontype: 'Long',
  '': 'nameless',
  lists: [[1, [2]], []],
  inside: { 'x.y': { $gt: 1 }, list: [{ 'p.q': null }] },
  deep: nested(120),
  numbers: [0, -0.5, 1e300, 2 ** 31, 2 ** 53, -(2 ** 40)],
  text: 'a\0b \u{1F37F}',
  nothing: null,
  title: 'plain',
}

t.test('a body comes back as it was, whatever its members are called', async (t) => {
  const document = { id: 'a', at: toPosition(1), body: ODD }
  for (const fields of [{}, { title: 'text', lists: 'json', deep: 'json', _bsontype: 'text' }] as const) {
    t.strictSame(documentOf(recordOf(document, { fields })), document)
  }
  const proto = { id: 'a', at: START, body: JSON.parse('{"__proto__": 1, "in": {"__proto__": {"x": 2}}}') as JsonObject }
  t.equal(JSON.stringify(documentOf(recordOf(proto, { fields: {} })).body), JSON.stringify(proto.body))
  const plain = { id: 'a', at: START, body: { title: 'a', list: [{ b: [1] }], hidden: { c: 2 } } }
  t.match(recordOf(plain, { fields: { title: 'text', list: 'json' } }), {
    body: { title: 'a', list: [{ b: [1] }] },
    rest: '{"hidden":{"c":2}}',
  })
})

await overMongo(t, (t, mongo) => {
  const opened = async (url = mongo.url()) => {
    const connection = connectMongo({ url, clock })
    t.teardown(() => connection.close())
    return { url, connection, store: createMongoReadStore({ connection, clock }) }
  }

  t.test('odd members and large documents are stored, and declared members are read alone', async (t) => {
    const { store } = await opened()
    const spec = { ...MOVIES, fields: { ...MOVIES.fields, deep: 'json', inside: 'json' } } as const
    await store.open([spec])
    const large = {
      id: 'b',
      at: toPosition(1),
      body: { title: 'b', files: Array.from({ length: 2000 }, (_, n) => `${n}`.padEnd(100, 'x')) },
    }
    const odd = { id: 'a', at: toPosition(1), body: ODD }
    await store.commit({ collection: spec.name, epoch: 1, from: START, to: toPosition(1), puts: [odd, large], removes: [] })
    t.strictSame(await store.get(spec.name, 'a'), odd)
    t.strictSame(await store.get(spec.name, 'b'), large)
    t.strictSame((await store.get(spec.name, 'a', ['inside', 'title', 'year']))?.body, {
      inside: ODD['inside'],
      title: 'plain',
      year: null,
    })
  })

  t.test('several processes open the same collections at once, and one that has another spec gets them again', async (t) => {
    const one = await opened()
    const other = await opened(one.url)
    await Promise.all([one.store.open([MOVIES]), other.store.open([MOVIES])])
    const put = { collection: MOVIES.name, epoch: 1, from: START, to: toPosition(5), removes: [] }
    t.equal(await one.store.commit({ ...put, puts: [{ id: 'a', at: toPosition(5), body: { title: 'a' } }] }), 'applied')
    await other.store.open([MOVIES])
    t.equal(await other.store.count(MOVIES.name, []), 1)
    await other.store.open([{ ...MOVIES, indexes: [['title']] }])
    t.equal(await other.store.checkpoint(MOVIES.name), START)
    t.equal(await one.store.commit({ ...put, from: toPosition(5), to: toPosition(6), puts: [] }), 'fenced')
    const places = await other.connection.db().listCollections({}, { nameOnly: true }).toArray()
    t.equal(places.filter(({ name }) => name.startsWith(MOVIES.name)).length, 1, 'what was there before is gone')
  })
})
