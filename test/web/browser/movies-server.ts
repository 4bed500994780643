/** Starts a server of generated films (movies-worker.ts) with a copy of the web client, which a test can replace by another build. */
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { gzipSync, brotliCompressSync, constants } from 'node:zlib'
import type { Test } from 'tap'
import { builtWeb } from './built-web.ts'
import { ADMIN, signIn, type Api } from '../../system/whole/server-process.ts'

export interface MoviesWorkerData {
  readonly dataDir: string
  readonly films: number
  readonly webFolder: string
  readonly admin: typeof ADMIN
  readonly rateLimit: number
  readonly host: string
}

export interface MoviesServer {
  readonly url: string
  readonly api: Api
  /** Replaces the client by another build; the files of the old one are gone. Returns the new id. */
  upgrade(): Promise<string>
  stop(): Promise<void>
  /** Listens again, at the same address. */
  start(): Promise<void>
}

export interface MoviesServerOptions {
  readonly films: number
  /** Requests a minute for each user; default: practically unlimited. */
  readonly rateLimit?: number
  /** Address to listen on; default: loopback. */
  readonly host?: string
}

export async function startMoviesServer(
  t: Test,
  { films, rateLimit = 1e6, host = '127.0.0.1' }: MoviesServerOptions,
): Promise<MoviesServer> {
  await builtWeb()
  const folder = await mkdtemp(join(tmpdir(), 'marquee-films-'))
  const webFolder = join(folder, 'web')
  await cp(join(import.meta.dirname, '../../../web/dist'), webFolder, { recursive: true })
  const data: MoviesWorkerData = { dataDir: join(folder, 'data'), films, webFolder, admin: ADMIN, rateLimit, host }
  const worker = new Worker(new URL('movies-worker.ts', import.meta.url), { workerData: data })
  const answer = async (): Promise<unknown> => {
    const [message] = (await once(worker, 'message')) as readonly unknown[]
    return message
  }
  t.teardown(async () => {
    worker.postMessage('close', [])
    await answer()
    await worker.terminate()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const { port } = (await answer()) as { readonly port: number }
  const url = `http://${host}:${port}`
  let builds = 0
  return {
    url,
    api: await signIn(url),
    upgrade: () => upgrade(webFolder, (builds += 1)),
    async stop() {
      worker.postMessage('stop', [])
      await answer()
    },
    async start() {
      worker.postMessage('start', [])
      await answer()
    },
  }
}

const HASH = /-[0-9A-Z]{8}(?=\.(?:js|css)\b)/g

/** Renames every script and style, as if all of them had changed. */
async function upgrade(webFolder: string, n: number): Promise<string> {
  const assets = join(webFolder, 'assets')
  const manifest = join(webFolder, 'manifest.json')
  const renamed = (text: string): string => text.replaceAll(HASH, (hash) => `-${n}${hash.slice(2)}`)
  for (const name of await readdir(assets)) {
    if (!/\.(js|css)$/.test(name)) continue
    const text = renamed(await readFile(join(assets, name), 'utf8'))
    const path = join(assets, renamed(name))
    await writeFile(path, text)
    await writeFile(`${path}.gz`, gzipSync(text))
    await writeFile(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }))
  }
  const before = await readFile(manifest, 'utf8')
  const { build } = JSON.parse(before) as { readonly build: string }
  const next = `build-${n}`
  await writeFile(manifest, renamed(before).replaceAll(build, next))
  for (const name of await readdir(assets)) if (/\.(js|css)(\.|$)/.test(name) && !name.includes(`-${n}`)) await rm(join(assets, name))
  return next
}

/** Ids of the newest films, the newest first. */
export async function recentMovies(api: Api): Promise<readonly string[]> {
  const { json } = await api.send('GET', '/v1/movies/recently-added?limit=12')
  return (json as unknown as { items: { id: string }[] }).items.map(({ id }) => id)
}
