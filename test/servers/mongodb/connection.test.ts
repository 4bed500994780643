import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { connectMongo, type MongoConnection } from '../../../src/adapters/mongodb/connection.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { overMongo, overOwnMongo } from '../../fakes/mongodb.ts'
import { connectNode, systemClock, tookMs } from './nodes.ts'

/** Longer than any timeout of the connection, for a busy machine. */
const BOUND_MS = 8_000

const count = (connection: MongoConnection) => connection.guarded(() => connection.db().collection('things').countDocuments())

async function isAway(t: Test, connection: MongoConnection): Promise<void> {
  t.ok((await tookMs(() => t.rejects(count(connection), ServerUnavailable))) < BOUND_MS, 'soon')
  t.ok((await tookMs(() => t.rejects(connection.engine.check(), ServerUnavailable))) < 3_000, 'sooner')
}

async function comesBack(t: Test, connection: MongoConnection): Promise<void> {
  const answers = (): Promise<boolean> =>
    connection.engine.check().then(
      () => true,
      () => false,
    )
  const untilMs = Date.now() + BOUND_MS
  while (!(await answers()) && Date.now() < untilMs) await sleep(50)
  t.type(await count(connection), 'number', 'work is done again')
}

t.test('what the URL says', async (t) => {
  const databaseOf = (url: string): string => connectNode(t, url).db().databaseName
  t.equal(databaseOf('mongodb://localhost/films'), 'films')
  t.equal(databaseOf('mongodb://ann:s%2Fecret@one:27017,two:27018/films?replicaSet=rs'), 'films')
  t.equal(databaseOf('mongodb://localhost'), 'marquee')
  t.equal(databaseOf('mongodb://localhost/?w=1'), 'marquee')
  const careless = connectNode(t, 'mongodb://localhost/films?w=0&journal=false&wtimeoutMS=0&readPreference=secondary')
    .db()
    .collection('things')
  t.match(careless.writeConcern, { w: 'majority', journal: true, wtimeoutMS: 5_000 }, 'what is acknowledged is not left to it')
  t.equal(careless.readPreference?.mode, 'primary')
  for (const url of ['mongodb://ann:secret@host:port/', 'http://ann:secret@host/', 'mongodb://ann:secret@host/?no=option']) {
    t.throws(
      () => connectMongo({ url, clock: systemClock }),
      { message: /^The driver of MongoDB does not take its address(?!.*secret)/ },
      'no password in the text',
    )
  }
  t.throws(() => connectMongo({ url: 'mongodb://host/?no=option', clock: systemClock }), { message: /option no is not supported/ })
})

t.test('nobody there', async (t) => {
  const connection = connectNode(t, 'mongodb://ann:secret@127.0.0.1:1/')
  await isAway(t, connection)
  await t.rejects(connection.hasTransactions(), ServerUnavailable)
  const error = await count(connection).catch((error: unknown) => error)
  t.notMatch(String(error), /secret/)
})

t.test('a server', async (t) => {
  await overMongo(t, async (t, mongo) => {
    const connection = connectNode(t, mongo.url())
    await connection.engine.check()
    const hasTransactions = await connection.hasTransactions()
    if (!mongo.isMongod) t.equal(hasTransactions, false)
    t.equal(await connection.hasTransactions(), hasTransactions)
    const things = connection.db().collection<{ _id: string }>('things')
    await things.insertOne({ _id: 'a' })
    await t.rejects(
      connection.guarded(() => things.insertOne({ _id: 'a' })),
      { code: 11_000 },
      'what the server refuses is told as it is',
    )
  })
})

t.test('a server that goes and comes back', async (t) => {
  await overOwnMongo(t, async (t, mongo) => {
    const { server } = mongo
    const connection = connectNode(t, mongo.url())
    await count(connection)

    await t.test('killed', async (t) => {
      await server.kill()
      await isAway(t, connection)
      await server.restart()
      await comesBack(t, connection)
    })

    await t.test('standing still', async (t) => {
      await server.suspend()
      await isAway(t, connection)
      server.signal('SIGCONT')
      await comesBack(t, connection)
    })

    await t.test('standing still while the connection is closed', async (t) => {
      const other = connectNode(t, mongo.url())
      await count(other)
      await server.suspend()
      t.teardown(() => server.signal('SIGCONT'))
      t.ok((await tookMs(() => other.close())) < 4_000)
      await t.rejects(count(other), ServerUnavailable)
    })
  })
})

t.test('an operation that the driver loses with its connection ends all the same', async (t) => {
  const clock = createTestClock()
  const connection = connectMongo({ url: 'mongodb://127.0.0.1:1/', clock })
  t.teardown(() => connection.client.close())
  const lost = t.rejects(
    connection.guarded(() => new Promise(() => {})),
    ServerUnavailable,
  )
  await clock.advance(10_000)
  await lost
})
