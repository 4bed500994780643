/** Runs the servers of `catalogue.ts` in a separate thread: ours over generated films, and a bare Fastify that sends the same bytes. */
import type { Server } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import fastify from 'fastify'
import { isRefusal } from '../../src/domain/refusal.ts'
import { appendMovies, appendMarks } from './movies.ts'
import { AUTHOR, createBenchServer, openNodeFixture } from './node.ts'

const { folder: dataDir, films: count } = workerData as { readonly folder: string; readonly films: number }
const MARKED = 800
const ADMIN = { email: 'admin@localhost', name: 'Admin', password: 'a long password' }

const port = parentPort
if (!port) throw new Error('It runs in a worker')
const tell = (message: unknown): void => port.postMessage(message, [])

const startMs = performance.now()
const fixture = await openNodeFixture(dataDir)
const { ports, services, background, folder } = fixture
const userId = await services.accounts.registerFirstAdmin(ADMIN, AUTHOR)
if (!userId || isRefusal(userId)) throw new Error('There is no account')
const libraryIds = []
for (const name of ['Films', 'Other films']) {
  const id = await services.libraries.createBy(AUTHOR, { name, paths: [`/media/${name}`] })
  if (isRefusal(id)) throw new Error(id.message)
  libraryIds.push(id)
}
const films = await appendMovies(ports.log, ports.ids, { count, libraryIds })
await appendMarks(ports.log, ports.ids, { userId: [...services.access.users.keys()][0] as never, films: films.slice(0, MARKED) })
const appendedMs = performance.now()
await background.caughtUp()
const caughtUpMs = performance.now()

const app = await createBenchServer(fixture)
await app.listen({ host: '127.0.0.1', port: 0 })

let body = '{}'
const bare = fastify()
bare.get('/', (_request, reply) => reply.type('application/json; charset=utf-8').send(body))
bare.post('/', (_request, reply) => reply.type('application/json; charset=utf-8').send('{"done":true}'))
await bare.listen({ host: '127.0.0.1', port: 0 })

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
port.on('message', (next: string | null) => {
  if (next === null) void close()
  else {
    body = next
    tell('set')
  }
})

async function close(): Promise<void> {
  await app.close()
  await bare.close()
  await fixture.close()
  tell('closed')
}

tell({
  ports: { ours: portOf(app.server), bare: portOf(bare.server) },
  eventLog: folder.eventLog,
  head: await ports.log.head(),
  libraryId: libraryIds[0],
  otherLibraryId: libraryIds[1],
  ...ADMIN,
  appendSeconds: (appendedMs - startMs) / 1000,
  behindSeconds: (caughtUpMs - appendedMs) / 1000,
})
