/** A server of generated films in a separate thread, with a web client from a folder that the test can change. */
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { AUTHOR, openNodeFixture, SECRETS } from '../../bench/node.ts'
import { appendMovies } from '../../bench/movies.ts'
import { CHEAP } from '../../fixtures/node-fixture.ts'
import { createNodeServer } from '../../fixtures/serve-node.ts'
import type { MoviesWorkerData } from './movies-server.ts'

const { dataDir, films: count, webFolder, admin, rateLimit, host } = workerData as MoviesWorkerData
const port = parentPort
if (!port) throw new Error('It runs in a worker')

const fixture = await openNodeFixture(dataDir, CHEAP)
const { ports, services, streams, background } = fixture
const user = await services.accounts.registerFirstAdmin({ ...admin, name: 'Admin' }, AUTHOR)
if (!user || isRefusal(user)) throw new Error('There is no account')
const libraryIds = []
for (const name of ['Films', 'Other films']) {
  const id = await services.libraries.createBy(AUTHOR, { name, paths: [`/media/${name}`] })
  if (isRefusal(id)) throw new Error(id.message)
  libraryIds.push(id)
}
await appendMovies(ports.log, ports.ids, { count, libraryIds })
await background.caughtUp()

async function listen(at: number) {
  const app = await createNodeServer({
    services: { ...services, streams },
    ports,
    ready: background.readiness,
    config: { secrets: SECRETS, rateLimit, version: '0', webFolder },
  })
  await app.listen({ host, port: at })
  return { app, at: (app.server.address() as AddressInfo).port }
}

let server = await listen(0)
port.on('message', (asked: 'stop' | 'start' | 'close') => void (asked === 'stop' ? stop() : asked === 'start' ? start() : close()))

async function stop(): Promise<void> {
  await server.app.close()
  port?.postMessage('stopped', [])
}

async function start(): Promise<void> {
  server = await listen(server.at)
  port?.postMessage('started', [])
}

async function close(): Promise<void> {
  await server.app.close()
  await fixture.close()
  port?.postMessage('closed', [])
}

port.postMessage({ port: server.at }, [])
