/**
 * Builds the web client into `web/dist`: one bundle a page, with the hash of its content in its name, compressed once. `--watch` builds
 * again on each change. Run by `npm start` and `npm test` before anything else; a build that fails leaves the server without a web
 * client, which then says how to mend it.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild'
import { appIcons, appManifest } from './app-manifest.ts'
import { PAGES } from './pages.ts'

/** What the server reads. */
export interface Manifest {
  /** Changes if any file does. */
  readonly build: string
  /** The page before its parts are filled in; `{{html}}`, `{{dark}}`, `{{light}}`, `{{head}}` and `{{tail}}` are left to the server. */
  readonly shell: string
  /** `'sha256-...'` of the inline style, for the policy. */
  readonly styleHash: string
  /** The entry and the files it needs, by name. */
  readonly entry: readonly string[]
  readonly style: string
  /** Text of `/manifest.webmanifest`, for installing the client as an app. */
  readonly app: string
  readonly pages: readonly ManifestPage[]
  /** Sizes in bytes, compressed with gzip, by name. */
  readonly sizes: Readonly<Record<string, number>>
}

interface ManifestPage {
  readonly path: string
  /** Scripts beyond the entry's. */
  readonly scripts: readonly string[]
  readonly preload: string | null
  readonly forAnyone: boolean
}

const WEB = import.meta.dirname
const DIST = join(WEB, 'dist')
const ASSETS = join(DIST, 'assets')
const STYLE = /<style>(.*?)<\/style>/s
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

const COMMON: BuildOptions = {
  absWorkingDir: WEB,
  bundle: true,
  minify: true,
  metafile: true,
  write: false,
  outdir: ASSETS,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  legalComments: 'none',
  target: ['es2022', 'chrome108', 'firefox115', 'safari16.4'],
  logLevel: 'silent',
}

/** All that is loaded by itself: pages, what comes after the first one, and languages other than English. */
const LOADED_LATER = /\/(pages\/.*\.tsx|data\/live-stream\.ts|parts\/spatial\.ts|player\/hls-engine\.ts|words\/[a-z]{2}\.ts)$/
/** Of these, those that need little beyond the shared chunk. */
const LEAN = /\/(home|sign-in|sign-up|watch|more)\.tsx$|\.ts$/

/** See `shared-chunk.ts` and `further-chunk.ts`. */
const importChunks: Plugin = {
  name: 'chunks',
  setup: ({ onLoad }) =>
    onLoad({ filter: LOADED_LATER }, async ({ path }) => {
      if (path.endsWith('/words/en.ts')) return undefined
      const chunks = LEAN.test(path) ? ['shared-chunk.ts'] : ['shared-chunk.ts', 'further-chunk.ts']
      const imports = chunks.map((chunk) => `import ${JSON.stringify(join(WEB, chunk))}`)
      return { contents: [await readFile(path, 'utf8'), ...imports].join('\n'), loader: path.endsWith('.tsx') ? 'tsx' : 'ts' }
    }),
}

interface Built {
  readonly meta: Metafile
  readonly files: ReadonlyMap<string, Uint8Array>
}

async function run(options: BuildOptions): Promise<Built> {
  const { outputFiles = [], metafile } = await build({ ...COMMON, ...options })
  return {
    meta: metafile ?? { inputs: {}, outputs: {} },
    files: new Map(outputFiles.map(({ path, contents }) => [basename(path), contents])),
  }
}

/** Name of the output that is made from a source file. @throws if nothing is */
function outputOf({ meta }: Built, source: string): string {
  const found = Object.entries(meta.outputs).find(([, { entryPoint }]) => entryPoint === source)
  if (!found) throw new Error(`No file was built from ${source}`)
  return basename(found[0])
}

/** A script and all that it imports before it runs. */
function withImports({ meta }: Built, name: string): readonly string[] {
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    for (const { path: next, kind } of meta.outputs[path]?.imports ?? []) if (kind === 'import-statement') visit(next)
  }
  visit(Object.keys(meta.outputs).find((path) => basename(path) === name) ?? name)
  return [...seen].map((path) => basename(path))
}

const digest = (text: string | Uint8Array, encoding: 'base64' | 'base64url') => createHash('sha256').update(text).digest(encoding)

export async function buildWeb(): Promise<Manifest> {
  const styles = await run({ entryPoints: ['styles/main.css', 'styles/player.css'], metafile: true })
  const style = outputOf(styles, 'styles/main.css')
  const critical = await run({ entryPoints: ['styles/critical.css'] })
  const icon = readFileSync(join(WEB, 'styles/icon.svg'))
  const icons = await appIcons(icon, ASSETS)
  const app = appManifest(icons)
  const pathOf = (wanted: string): string => `/assets/${icons.find(({ sizes }) => sizes === wanted)?.name}`
  const scripts = await run({
    entryPoints: ['main.tsx'],
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [importChunks],
    define: { PLAYER_STYLE: JSON.stringify(`/assets/${outputOf(styles, 'styles/player.css')}`), 'process.env.NODE_ENV': '"production"' },
  })
  const files = new Map([...styles.files, ...scripts.files, ...icons.map(({ name, bytes }) => [name, bytes] as const)])
  const inline = new TextDecoder().decode([...critical.files.values()][0]).trim()
  const entry = withImports(scripts, outputOf(scripts, 'main.tsx'))
  const names = [...files.keys()].sort()
  const id = digest(`${names.join(' ')} ${inline} ${app}`, 'base64url').slice(0, 12)
  const shell = Object.entries({ build: id, icon: pathOf('any'), touch: pathOf('192x192'), critical: inline }).reduce(
    (text, [name, value]) => text.replaceAll(`{{${name}}}`, () => value),
    readFileSync(join(WEB, 'index.html'), 'utf8').replaceAll(/>\s+</g, '><'),
  )
  const manifest: Manifest = {
    build: id,
    shell,
    // Of the text as it stands in the page, white space included.
    styleHash: `'sha256-${digest(STYLE.exec(shell)?.[1] ?? '', 'base64')}'`,
    entry,
    style,
    app,
    pages: PAGES.map(({ path, file, preload = null, by }) => ({
      path,
      scripts: withImports(scripts, outputOf(scripts, file)).filter((name) => !entry.includes(name)),
      preload,
      forAnyone: by === 'anyone',
    })),
    sizes: store(files),
  }
  writeFileSync(join(DIST, 'manifest.json'), JSON.stringify(manifest, null, 1))
  // What is in which script, for those who ask why one is large.
  writeFileSync(join(DIST, 'meta.json'), JSON.stringify(scripts.meta))
  return manifest
}

/** Writes missing files and removes files that are no longer named. Returns the sizes. */
function store(files: ReadonlyMap<string, Uint8Array>): Readonly<Record<string, number>> {
  mkdirSync(ASSETS, { recursive: true })
  const wanted = new Set([...files.keys()].flatMap((name) => [name, `${name}.br`, `${name}.gz`]))
  for (const name of readdirSync(ASSETS)) if (!wanted.has(name)) rmSync(join(ASSETS, name))
  return Object.fromEntries([...files].map(([name, bytes]) => [name, storeFile(name, bytes)]))
}

function storeFile(name: string, bytes: Uint8Array): number {
  const path = join(ASSETS, name)
  if (!existsSync(`${path}.br`) || !existsSync(`${path}.gz`) || !existsSync(path)) {
    writeFileSync(path, bytes)
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, BROTLI))
  }
  return readFileSync(`${path}.gz`).length
}

/** One line of what went wrong: no web client is no reason not to start the server. */
async function buildOrSay(): Promise<void> {
  try {
    await buildWeb()
  } catch (cause) {
    rmSync(join(DIST, 'manifest.json'), { force: true })
    console.error(`The web client could not be built: ${(cause instanceof Error ? cause.message : String(cause)).split('\n').join(' ')}`)
  }
}

function watchSources(): void {
  let timer: NodeJS.Timeout | undefined
  watch(WEB, { recursive: true }, (_event, name) => {
    if (name === null || name.startsWith('dist') || dirname(name).startsWith('dist')) return
    clearTimeout(timer)
    timer = setTimeout(() => void buildOrSay().then(() => console.log(`Built at ${new Date().toLocaleTimeString()}`)), 100)
  })
}

if (import.meta.main) {
  await buildOrSay()
  if (process.argv.includes('--watch')) watchSources()
}
