/**
 * Reads the built web client into memory at the first request: about 1 MB, compressed at build time. It is read again after a new build, so
 * that a developer need not restart the server.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** Output folder of `web/build.ts`. */
export const WEB_FOLDER = join(import.meta.dirname, '../../../web/dist')

/** The part of `manifest.json` (written by `web/build.ts`) that the server needs. */
export interface WebManifest {
  readonly build: string
  /** The page, with the placeholders `{{html}}`, `{{dark}}`, `{{light}}`, `{{head}}` and `{{tail}}`. */
  readonly shell: string
  readonly styleHash: string
  readonly entry: readonly string[]
  readonly style: string
  /** Text of the web app manifest. */
  readonly app: string
  readonly pages: readonly WebPage[]
}

export interface WebPage {
  readonly path: string
  readonly scripts: readonly string[]
  /** API path of the page's first request; it contains parameters by name. */
  readonly preload: string | null
  readonly forAnyone: boolean
}

export type Coding = 'br' | 'gzip' | 'identity'

export interface WebFile {
  readonly type: string
  readonly bodies: Readonly<Record<Coding, Buffer>>
}

export interface WebClient {
  readonly manifest: WebManifest
  readonly files: ReadonlyMap<string, WebFile>
}

export interface WebFiles {
  /** Undefined if there is no build. */
  read(): Promise<WebClient | undefined>
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** `folder`: folder of the build. */
export function createWebFiles(folder: string): WebFiles {
  const manifestPath = join(folder, 'manifest.json')
  let kept: { readonly at: number; readonly client: Promise<WebClient> } | undefined

  return {
    async read() {
      const at = await stat(manifestPath).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      )
      if (at === undefined) return undefined
      if (kept?.at !== at) kept = { at, client: readClient(folder, manifestPath) }
      const { client } = kept
      return client.catch((cause: unknown) => {
        kept = undefined
        throw cause
      })
    },
  }
}

async function readClient(folder: string, manifestPath: string): Promise<WebClient> {
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as WebManifest
  const assets = join(folder, 'assets')
  const names = (await readdir(assets)).filter((name) => TYPES[extname(name)] !== undefined)
  const files = await Promise.all(names.map(async (name) => [name, await readWebFile(join(assets, name))] as const))
  return { manifest, files: new Map(files) }
}

async function readWebFile(path: string): Promise<WebFile> {
  const [identity, gzip, br] = await Promise.all([path, `${path}.gz`, `${path}.br`].map((name) => readFile(name)))
  if (!identity || !gzip || !br) throw new Error(`${path} could not be read`)
  return { type: TYPES[extname(path)] ?? 'application/octet-stream', bodies: { identity, gzip, br } }
}
