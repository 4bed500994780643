/**
 * Provides MongoDB for tests: the server in `MARQUEE_TEST_MONGODB_URL`, otherwise mongod on the PATH as a replica set of one node,
 * otherwise FerretDB on the PATH with its SQLite backend, which represents MongoDB servers without transactions.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { MongoClient, type Document } from 'mongodb'
import type { Test } from 'tap'
import { findProgram, tellMissing } from '../fixtures/programs.ts'
import { SET_NAME } from './mongodb/member.ts'
import { runningServer, startTestServer, type ServerProgram, type TestServer } from './server.ts'

export interface MongoUnderTest {
  /** Its name and version, as it reports them. */
  readonly name: string
  /** Whether it is MongoDB itself, which alone has some features, such as query plans. */
  readonly isMongod: boolean
  /** Returns the URL of a new database at each call, so that tests are isolated. */
  url(database?: string): string
}

export interface OwnMongo extends MongoUnderTest {
  readonly server: TestServer
}

const ANSWER_MS = 1_000
const STAND_IN = join(import.meta.dirname, 'mongodb/main.ts')
const REPLICA_SET = 'marquee'
const HOW = 'mongod, or FerretDB 1.24: go install github.com/FerretDB/FerretDB/cmd/ferretdb@v1.24.2'

/** Runs the tests over the available MongoDB. */
export async function overMongo(t: Test, tests: (t: Test, mongo: MongoUnderTest) => void | Promise<void>): Promise<void> {
  const named = process.env['MARQUEE_TEST_MONGODB_URL']
  if (!named) return overOwnMongo(t, tests)
  const told = await buildOf(named)
  await t.test(`over ${nameOf(told)}`, async (t) => tests(t, { ...about(told), url: (database) => databaseUrl(t, named, database) }))
}

/** The same, only over a server that the tests may kill. */
export async function overOwnMongo(t: Test, tests: (t: Test, mongo: OwnMongo) => void | Promise<void>): Promise<void> {
  const server = await startMongo()
  if (!server) return tellMissing(t, 'mongodb', HOW)
  const told = await buildOf(server.url)
  await t.test(`over ${nameOf(told)}`, async (t) => {
    t.teardown(() => server.stop())
    await tests(t, { ...about(told), server, url: (database) => withDatabase(server.url, database) })
  })
}

/** An external server is left running; the named databases are dropped at the stop. */
export const runningMongo = (url: string, databases: readonly string[]): TestServer => ({
  ...runningServer(url, 'MongoDB (MARQUEE_TEST_MONGODB_URL)'),
  stop: async () => {
    const client = new MongoClient(url)
    for (const database of databases) await client.db(database).dropDatabase()
    await client.close()
  },
})

/** Both kinds of server: the available MongoDB, and a replica set, which is always available as a fake. */
export async function overEveryMongo(t: Test, tests: (t: Test, mongo: MongoUnderTest) => void | Promise<void>): Promise<void> {
  await overMongo(t, tests)
  await overStandInMongo(t, tests)
}

/** The fake in `mongodb/`, which has transactions and injectable faults. */
export interface StandInMongo extends OwnMongo {
  /** Changes the state of its replica set; see `mongodb/main.ts`. */
  steer(what: 'isolate' | 'rejoin' | 'stepDown'): Promise<void>
  /** The next commands of these names fail: `data` is that of mongod's `failCommand`. */
  failing(failCommands: readonly string[], data: Document, times?: number): Promise<void>
}

export async function overStandInMongo(t: Test, tests: (t: Test, mongo: StandInMongo) => void | Promise<void>): Promise<void> {
  await t.test('over a stand-in for MongoDB with transactions', async (t) => {
    const server = await startTestServer(standInProgram)
    // Connects directly, to steer it even while it is not the primary.
    const client = new MongoClient(`${server.url}&directConnection=true`)
    const admin = client.db('admin')
    t.teardown(async () => {
      await client.close()
      await server.stop()
    })
    await tests(t, {
      name: standInProgram.name,
      isMongod: false,
      server,
      url: (database) => withDatabase(server.url, database),
      steer: async (what) => void (await admin.command({ standIn: what })),
      failing: async (failCommands, data, times = 1) =>
        void (await admin.command({ configureFailPoint: 'failCommand', mode: { times }, data: { failCommands, ...data } })),
    })
  })
}

const standInProgram: ServerProgram = {
  name: 'MongoDB (stand-in)',
  url: (port) => `mongodb://127.0.0.1:${port}/?replicaSet=${SET_NAME}`,
  command: process.execPath,
  args: ({ port }) => [STAND_IN, '--port', `${port}`],
  answers: (port) =>
    asked(`mongodb://127.0.0.1:${port}/?directConnection=true`, async (client) => Boolean(await client.db('admin').command({ ping: 1 }))),
}

/** Undefined if there is none on this machine. */
export async function startMongo(): Promise<TestServer | undefined> {
  const mongod = findProgram('mongod')
  if (mongod) return startTestServer(mongodProgram(mongod))
  const ferretdb = findProgram('ferretdb')
  return ferretdb ? startTestServer(ferretProgram(ferretdb)) : undefined
}

const mongodProgram = (command: string): ServerProgram => ({
  name: 'MongoDB',
  url: (port) => `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`,
  command,
  args: ({ port, folder }) => ['--port', `${port}`, '--dbpath', folder, '--bind_ip', '127.0.0.1', '--replSet', REPLICA_SET, '--noauth'],
  answers: (port) => asked(`mongodb://127.0.0.1:${port}/?directConnection=true`, (client) => isPrimary(client, port)),
})

const ferretProgram = (command: string): ServerProgram => ({
  name: 'FerretDB',
  url: (port) => `mongodb://127.0.0.1:${port}/`,
  command,
  args: ({ port, folder }) => [
    '--handler=sqlite',
    `--sqlite-url=file:${folder}/`,
    `--listen-addr=127.0.0.1:${port}`,
    '--telemetry=disable',
    '--debug-addr=-',
    '--log-level=error',
    `--state-dir=${folder}`,
  ],
  // It parses every document that a query looks at. Collecting garbage as often as by default takes a quarter of its processor time.
  env: { GOGC: '400' },
  answers: (port) => asked(`mongodb://127.0.0.1:${port}/`, async (client) => Boolean(await client.db('admin').command({ ping: 1 }))),
})

/** Initiates a replica set that has not been initiated yet. */
async function isPrimary(client: MongoClient, port: number): Promise<boolean> {
  const admin = client.db('admin')
  const { isWritablePrimary, setName } = await admin.command({ hello: 1 })
  if (isWritablePrimary === true) return true
  const members = [{ _id: 0, host: `127.0.0.1:${port}` }]
  if (setName === undefined) await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } })
  return false
}

/** Also false if nobody answers. */
async function asked(url: string, ask: (client: MongoClient) => Promise<boolean>): Promise<boolean> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: ANSWER_MS, connectTimeoutMS: ANSWER_MS, socketTimeoutMS: ANSWER_MS })
  try {
    return await ask(client)
  } catch {
    return false
  } finally {
    await client.close()
  }
}

/** The server's name and version. */
export const nameAt = async (url: string): Promise<string> => nameOf(await buildOf(url))

async function buildOf(url: string): Promise<Document> {
  const client = new MongoClient(url)
  try {
    return await client.db('admin').command({ buildInfo: 1 })
  } finally {
    await client.close()
  }
}

const about = (told: Document) => ({ name: nameOf(told), isMongod: told['ferretdbVersion'] === undefined })
const nameOf = ({ version, ferretdbVersion }: Document): string => (ferretdbVersion ? `FerretDB ${ferretdbVersion}` : `MongoDB ${version}`)

/** On an external server the database is dropped at the end of the test. */
function databaseUrl(t: Test, server: string, database?: string): string {
  const url = withDatabase(server, database)
  t.teardown(async () => {
    const client = new MongoClient(url)
    await client.db().dropDatabase()
    await client.close()
  })
  return url
}

/** There may be several hosts, which `URL` cannot parse. */
export function withDatabase(server: string, database = `test-${randomBytes(6).toString('hex')}`): string {
  const [, hosts = server, options = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(server) ?? []
  return `${hosts}/${database}${options}`
}
