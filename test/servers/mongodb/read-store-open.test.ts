/** Several nodes start at once on an empty database, and collections get their indexes when they are filled. */
import t from 'tap'
import { specOf } from '../../../projections/projector/projector.ts'
import { views } from '../../../projections/views/all.ts'
import { connectMongo } from '../../../src/adapters/mongodb/connection.ts'
import { createMongoReadStore } from '../../../src/adapters/mongodb/read-store.ts'
import { indexesOf } from '../../../src/adapters/mongodb/read-store-schema.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { START, toPosition } from '../../../src/events/position.ts'
import { overEveryMongo, overMongo } from '../../fakes/mongodb.ts'
import { MOVIES, randomMovies } from '../../fixtures/sample-documents.ts'
import { connectNode, systemClock } from './nodes.ts'

const NODES = 4

t.test('nodes that make the same collections and indexes at once all get them', (t) =>
  overMongo(t, async (t, mongo) => {
    const clock = createSystemClock()
    const url = mongo.url()
    const connections = Array.from({ length: NODES }, () => connectMongo({ url, clock }))
    t.teardown(() => Promise.all(connections.map((connection) => connection.close())))
    const stores = connections.map((connection) => createMongoReadStore({ connection, clock }))
    const opened = await Promise.allSettled(stores.map((store) => store.open(views.map(specOf))))
    t.strictSame(
      opened.map((one) => (one.status === 'rejected' ? String(one.reason) : 'opened')),
      stores.map(() => 'opened'),
    )
  }),
)

t.test('a new collection is filled without indexes, and gets all of them at the end or by the first query of any node', (t) =>
  overEveryMongo(t, async (t, mongo) => {
    for (const asked of ['the end', 'find', 'keys', 'count', 'sum'] as const) {
      const url = mongo.url()
      const connection = connectNode(t, url)
      const store = createMongoReadStore({ connection, clock: systemClock })
      const other = createMongoReadStore({ connection: connectNode(t, url), clock: systemClock })
      const indexes = async () => {
        const [place] = await connection.db().listCollections({}, { nameOnly: true }).toArray().then(placesOf)
        const found = await connection
          .db()
          .collection(place ?? '')
          .listIndexes()
          .toArray()
        return found.map(({ name }) => String(name)).toSorted()
      }
      await store.open([MOVIES])
      await store.commit({ collection: MOVIES.name, epoch: 1, from: START, to: toPosition(1), puts: randomMovies(1, 20), removes: [] })
      await store.getMany(MOVIES.name, ['a', 'b'])
      t.strictSame(await indexes(), ['_id_'], `${asked}: before`)
      if (asked === 'the end') await store.buildIndexes([MOVIES.name])
      if (asked === 'find') await other.find(MOVIES.name, { limit: 1 })
      if (asked === 'keys') await other.keys(MOVIES.name, { scan: 1 })
      if (asked === 'count') t.equal(await other.count(MOVIES.name, []), 20)
      if (asked === 'sum') await other.sum(MOVIES.name, { of: 'year' })
      t.strictSame(await indexes(), ['_id_', ...indexesOf(MOVIES).map(({ name }) => name)].toSorted(), `${asked}: after`)
    }
  }),
)

const placesOf = (collections: readonly { readonly name: string }[]) =>
  collections.map(({ name }) => name).filter((name) => name.startsWith(`${MOVIES.name}.`))
