/**
 * The servers that `catalogue.ts` measures, in a thread of their own: ours over generated films, and a bare Fastify that sends
 * the same bytes.
 */
import type { Server } from 'node:http'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import fastify from 'fastify'
import { startBackground } from '../../src/background.ts'
import { ownDataFolder } from '../../src/data-folder.ts'
import { isRefusal } from '../../src/domain/refusal.ts'
import { openEngines } from '../../src/engines.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { createServices } from '../../src/services.ts'
import type { Streams } from '../../src/streams.ts'
import { appendFilms, appendMarks } from './films.ts'

const { folder: dataDir, films: count } = workerData as { readonly folder: string; readonly films: number }
const MARKED = 800
const SECRETS = ['the secret of this benchmark, long enough'] as const
const AUTHOR = { actor: 'cli', command: 'bench' }
const ADMIN = { email: 'admin@localhost', name: 'Admin', password: 'a long password' }

const port = parentPort
if (!port) throw new Error('It runs in a worker')
const tell = (message: unknown): void => port.postMessage(message, [])

const startMs = performance.now()
const problem = (cause: unknown): void => console.error(cause)
const folder = ownDataFolder({ dataDir, blobs: join(dataDir, 'blobs') })
if ('problem' in folder) throw new Error(folder.problem)
const engines = openEngines({ folder, ffmpegPath: 'ffmpeg', ffprobePath: 'ffprobe', problem })
const streams = { offer: async () => ({ qualities: [], subtitles: [], audio: [], method: 'direct', reasons: [] }) } as unknown as Streams
const services = createServices({
  engines,
  streams,
  node: 'bench',
  problem,
  secrets: SECRETS,
  idleSeconds: 120,
  mediaRoots: [],
  probeWidth: 1,
  urls: () => [],
})
const background = await startBackground(engines, services, problem)
const userId = await services.accounts.registerFirstAdmin(ADMIN, AUTHOR)
if (!userId || isRefusal(userId)) throw new Error('There is no account')
const libraryIds = []
for (const name of ['Films', 'Other films']) {
  const id = await services.libraries.createBy(AUTHOR, { name, paths: [`/media/${name}`] })
  if (isRefusal(id)) throw new Error(id.message)
  libraryIds.push(id)
}
const films = await appendFilms(engines.log, engines.ids, { count, libraryIds })
await appendMarks(engines.log, engines.ids, { userId: [...services.access.users.keys()][0] as never, films: films.slice(0, MARKED) })
const appendedMs = performance.now()
await background.caughtUp()
const caughtUpMs = performance.now()

const app = await createHttpServer({
  services: { ...services, streams },
  counters: engines.counters,
  outcomes: engines.outcomes,
  clock: engines.clock,
  ids: engines.ids,
  config: { secrets: SECRETS, rateLimit: 1e9, version: '0' },
  ready: background.readiness,
  log: { level: 'silent' },
})
await app.listen({ host: '127.0.0.1', port: 0 })

let body = '{}'
const bare = fastify()
bare.get('/', (_request, reply) => reply.type('application/json; charset=utf-8').send(body))
await bare.listen({ host: '127.0.0.1', port: 0 })

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
port.on('message', (next: string) => {
  body = next
  tell('set')
})
tell({
  ports: { ours: portOf(app.server), bare: portOf(bare.server) },
  libraryId: libraryIds[0],
  otherLibraryId: libraryIds[1],
  ...ADMIN,
  appendSeconds: (appendedMs - startMs) / 1000,
  behindSeconds: (caughtUpMs - appendedMs) / 1000,
})
