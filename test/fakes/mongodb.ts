/**
 * MongoDB for tests: what `MARQUEE_TEST_MONGODB_URL` names, else mongod of the PATH as a replica set of one node, else FerretDB of
 * the PATH on its SQLite backend: a server of MongoDB's protocol, which stands for one without transactions.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { MongoClient, type Document } from 'mongodb'
import type { Test } from 'tap'
import { findProgram, tellMissing } from '../fixtures/programs.ts'
import { SET_NAME } from './mongodb/member.ts'
import { runningServer, startTestServer, type ServerProgram, type TestServer } from './server.ts'

export interface MongoUnderTest {
  /** What it calls itself, with its version. */
  readonly name: string
  /** MongoDB itself, of which what only it has can be expected, such as plans of queries. */
  readonly isMongod: boolean
  /** With a database of its own at each call, so that tests do not meet. */
  url(database?: string): string
}

export interface OwnMongo extends MongoUnderTest {
  readonly server: TestServer
}

const ANSWER_MS = 1_000
const STAND_IN = join(import.meta.dirname, 'mongodb/main.ts')
const REPLICA_SET = 'marquee'
const HOW = 'mongod, or FerretDB 1.24: go install github.com/FerretDB/FerretDB/cmd/ferretdb@v1.24.2'

/** Runs the tests over the MongoDB that there is. */
export async function overMongo(t: Test, tests: (t: Test, mongo: MongoUnderTest) => void | Promise<void>): Promise<void> {
  const named = process.env['MARQUEE_TEST_MONGODB_URL']
  if (!named) return overOwnMongo(t, tests)
  const told = await buildOf(named)
  await t.test(`over ${nameOf(told)}`, async (t) => tests(t, { ...about(told), url: (database) => databaseUrl(t, named, database) }))
}

/** The same, over one only that the tests may kill. */
export async function overOwnMongo(t: Test, tests: (t: Test, mongo: OwnMongo) => void | Promise<void>): Promise<void> {
  const server = await startMongo()
  if (!server) return tellMissing(t, 'mongodb', HOW)
  const told = await buildOf(server.url)
  await t.test(`over ${nameOf(told)}`, async (t) => {
    t.teardown(() => server.stop())
    await tests(t, { ...about(told), server, url: (database) => withDatabase(server.url, database) })
  })
}

/** One that somebody else has started stays as it is; the databases that are named go when it is stopped. */
export const runningMongo = (url: string, databases: readonly string[]): TestServer => ({
  ...runningServer(url, 'MongoDB (MARQUEE_TEST_MONGODB_URL)'),
  stop: async () => {
    const client = new MongoClient(url)
    for (const database of databases) await client.db(database).dropDatabase()
    await client.close()
  },
})

/** Both kinds of server: the MongoDB that there is, and a replica set, for which the stand-in stands that is always there. */
export async function overEveryMongo(t: Test, tests: (t: Test, mongo: MongoUnderTest) => void | Promise<void>): Promise<void> {
  await overMongo(t, tests)
  await overStandInMongo(t, tests)
}

/** The stand-in in `mongodb/`, which has transactions and can be told to go wrong. */
export interface StandInMongo extends OwnMongo {
  /** What its set does with it; see `mongodb/main.ts`. */
  steer(what: 'isolate' | 'rejoin' | 'stepDown'): Promise<void>
  /** The next commands of these names go wrong: `data` is that of mongod's `failCommand`. */
  failing(failCommands: readonly string[], data: Document, times?: number): Promise<void>
}

export async function overStandInMongo(t: Test, tests: (t: Test, mongo: StandInMongo) => void | Promise<void>): Promise<void> {
  await t.test('over a stand-in for MongoDB with transactions', async (t) => {
    const server = await startTestServer(standInProgram)
    // Directly: it is steered also while it is no primary.
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

/** Undefined where there is none on this machine. */
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
  answers: (port) => asked(`mongodb://127.0.0.1:${port}/`, async (client) => Boolean(await client.db('admin').command({ ping: 1 }))),
})

/** A set that nobody has made yet is made. */
async function isPrimary(client: MongoClient, port: number): Promise<boolean> {
  const admin = client.db('admin')
  const { isWritablePrimary, setName } = await admin.command({ hello: 1 })
  if (isWritablePrimary === true) return true
  const members = [{ _id: 0, host: `127.0.0.1:${port}` }]
  if (setName === undefined) await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } })
  return false
}

/** False, too, where nobody answers. */
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

/** What the server there calls itself, with its version. */
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

/** Of a server that stays, the database is dropped in the end. */
function databaseUrl(t: Test, server: string, database?: string): string {
  const url = withDatabase(server, database)
  t.teardown(async () => {
    const client = new MongoClient(url)
    await client.db().dropDatabase()
    await client.close()
  })
  return url
}

/** Hosts may be several, which is no URL to others. */
export function withDatabase(server: string, database = `test-${randomBytes(6).toString('hex')}`): string {
  const [, hosts = server, options = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(server) ?? []
  return `${hosts}/${database}${options}`
}
