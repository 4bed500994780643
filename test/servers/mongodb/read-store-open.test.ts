/** Several nodes start at once on an empty database. */
import t from 'tap'
import { specOf } from '../../../projections/projector/projector.ts'
import { views } from '../../../projections/views/all.ts'
import { connectMongo } from '../../../src/adapters/mongodb/connection.ts'
import { createMongoReadStore } from '../../../src/adapters/mongodb/read-store.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { overMongo } from '../../fakes/mongodb.ts'

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
