/**
 * Runs the servers of `web.ts` in a separate thread: ours over generated films with posters and the web client; and beside it a bare page
 * with the same header, JSON and posters, whose script has twenty lines.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import sharp from 'sharp'
import { isRefusal } from '../../src/domain/refusal.ts'
import { WEB_FOLDER } from '../../src/http/web/files.ts'
import { appendMovies, appendMarks } from './movies.ts'
import { AUTHOR, createBenchServer, openNodeFixture } from './node.ts'

export interface WebServerData {
  readonly folder: string
  readonly films: number
  readonly admin: { readonly email: string; readonly password: string }
}

const { folder, films: count, admin } = workerData as WebServerData
const port = parentPort
if (!port) throw new Error('It runs in a worker')

const POSTERS = 24
const MARKED = 200
const SIZE = { width: 600, height: 900 }

/** Soft shapes under a fine grain, about as large as usual artwork. */
async function makePosters(): Promise<readonly string[]> {
  const at = join(folder, 'posters')
  mkdirSync(at)
  return Promise.all(
    Array.from({ length: POSTERS }, async (_, n) => {
      const path = join(at, `${n}.jpg`)
      const shapes = Buffer.from(
        `<svg width="600" height="900"><rect width="600" height="900" fill="hsl(${n * 15},45%,35%)"/><circle cx="${100 + n * 17}" cy="${200 + n * 19}" r="180" fill="hsl(${n * 40},60%,60%)"/></svg>`,
      )
      const noise = { ...SIZE, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 18 } } as const
      const grain = await sharp({ create: noise }).png().toBuffer()
      await sharp(shapes)
        .composite([{ input: grain, blend: 'soft-light' }])
        .jpeg({ quality: 88 })
        .toFile(path)
      return path
    }),
  )
}

const posters = await makePosters()
const fixture = await openNodeFixture(join(folder, 'data'))
const { ports, services, background } = fixture
const userId = await services.accounts.registerFirstAdmin({ ...admin, name: 'Admin' }, AUTHOR)
if (!userId || isRefusal(userId)) throw new Error('There is no account')
const library = await services.libraries.createBy(AUTHOR, { name: 'Films', paths: [folder] })
if (isRefusal(library)) throw new Error(library.message)
const posterOf = (n: number): string | undefined => posters[n % posters.length]
const films = await appendMovies(ports.log, ports.ids, { count, libraryIds: [library, library], posterOf })
const [user] = services.access.users.keys()
await appendMarks(ports.log, ports.ids, { userId: user as never, films: films.slice(0, MARKED) })
await background.caughtUp()

const app = await createBenchServer(fixture, { webFolder: WEB_FOLDER })

const { shell } = JSON.parse(readFileSync(join(WEB_FOLDER, 'manifest.json'), 'utf8')) as { readonly shell: string }
const barePage = shell.replace('{{html}}', '').replace('{{head}}', '').replace('{{tail}}', '<script src="/bare.js" type="module"></script>')
const bareScript = readFileSync(join(import.meta.dirname, 'bare-page.js'))
const BARE: Readonly<Record<string, { readonly body: string | Buffer; readonly headers: Readonly<Record<string, string>> }>> = {
  '/bare': {
    body: barePage,
    headers: { 'content-type': 'text/html; charset=utf-8', link: '</v1/home?limit=12>; rel=preload; as=fetch; crossorigin' },
  },
  '/bare.js': { body: bareScript, headers: { 'content-type': 'text/javascript; charset=utf-8' } },
}
// Runs before the server's own handler, so that both pages have one origin.
const handlers = app.server.listeners('request')
app.server.removeAllListeners('request').on('request', (request: IncomingMessage, reply: ServerResponse) => {
  const bare = BARE[request.url ?? '']
  if (bare) reply.writeHead(200, bare.headers).end(bare.body)
  else for (const handle of handlers) Reflect.apply(handle, app.server, [request, reply])
})
await app.listen({ host: '127.0.0.1', port: 0 })

port.on('message', () => void close())

async function close(): Promise<void> {
  await app.close()
  await fixture.close()
  port?.postMessage('closed', [])
}

port.postMessage({ url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }, [])
