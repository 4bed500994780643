/**
 * Builds the programs into `dist`: JavaScript in few files, so that a start neither strips types nor opens a thousand modules, and keeps
 * neither their sources nor the stripper in memory. Run by `npm start`; `src/process/start-again.ts` starts them if they fit the sources.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, type BuildOptions, type Plugin } from 'esbuild'
import { isBuiltFrom, SOURCES_FILE, sourcesIn } from '../src/process/built-programs.ts'

const ROOT = join(import.meta.dirname, '..')

/** By the name of the file that is built. */
const PROGRAMS: Readonly<Record<string, string>> = {
  main: 'src/main.ts',
  cli: 'src/cli.ts',
  projector: 'projections/main.ts',
  agent: 'transcode-agent/main.ts',
}

/** Threads and children: started by the name of their file, which the build keeps. */
const WORKERS = [
  'src/adapters/ffmpeg/walk-worker.ts',
  'src/adapters/node/scrypt-worker.ts',
  'src/adapters/sharp/image-worker.ts',
  'src/adapters/sqlite/event-log-check.ts',
  'src/adapters/sqlite/event-log-writer.ts',
  'src/adapters/sqlite/journal-worker.ts',
  'src/wiring/text-worker.ts',
]

/** Native code, files that are found beside a package, and drivers that stack traces have to name (`driver-rejection.ts`). */
const EXTERNAL = ['sharp', '@parcel/watcher', '@fastify/swagger-ui', 'mongodb', 'nats', '@eventstore/db-client']

const OPTIONS: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  external: EXTERNAL,
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  // Names stay: error messages and profiles show them.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'silent',
  // Packages that are CommonJS look for `require`.
  banner: { js: `import{createRequire as createRequireHere}from'node:module';const require=createRequireHere(import.meta.url);` },
}

/** Paths that a source takes from its own place, as they are from the folder of the build. */
const places = (folder: string): Plugin => ({
  name: 'places',
  setup: (build) =>
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.') || path.includes('node_modules')) return undefined
      const own = JSON.stringify(relative(folder, join(path, '..')))
      const contents = text
        .replaceAll(/new URL\('([\w-]+)\.ts', import\.meta\.url\)/g, `new URL('$1.js', import.meta.url)`)
        .replaceAll(/\bjoin\(import\.meta\.dirname,/g, `join(import.meta.dirname, ${own},`)
      return { contents, loader: 'ts' }
    }),
})

/**
 * Node copies each builtin module that a module imports, and so runs its getters: that of `node:http` loads the client of `fetch`. One
 * that is required is not copied.
 */
const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup: (build) => {
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin' } : { path, external: true },
    )
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: `module.exports = require(${JSON.stringify(path)})` }))
  },
}

/**
 * V8 keeps a text in two bytes a character if one of them is outside of Latin-1. esbuild leaves those of regular expressions, in which an
 * escape means the same.
 */
const inAscii = (text: string): string => text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** @throws what esbuild says */
export async function buildPrograms(folder: string): Promise<void> {
  const sources = sourcesIn(ROOT)
  const making = `${folder}.new`
  rmSync(making, { recursive: true, force: true })
  const entryPoints = [
    ...Object.entries(PROGRAMS).map(([out, file]) => ({ out, in: file })),
    ...WORKERS.map((file) => ({ out: file.replace(/^.*\/|\.ts$/g, ''), in: file })),
  ]
  const options = { ...OPTIONS, outdir: making, entryPoints, plugins: [places(making), requiredBuiltins] }
  const { outputFiles } = await build({ ...options, write: false })
  mkdirSync(making)
  for (const { path, text } of outputFiles) writeFileSync(path, inAscii(text))
  writeFileSync(join(making, SOURCES_FILE), JSON.stringify(sources))
  replace(folder, making)
}

/** A program that starts meanwhile finds either all of the old files or all of the new ones. */
function replace(folder: string, by: string): void {
  const old = `${folder}.old`
  rmSync(old, { recursive: true, force: true })
  try {
    renameSync(folder, old)
  } catch {
    // The first build.
  }
  renameSync(by, folder)
  rmSync(old, { recursive: true, force: true })
}

/** What could not be built is not there: then the sources run. */
async function buildOrSay(folder: string): Promise<void> {
  if (isBuiltFrom(folder, ROOT)) return
  try {
    await buildPrograms(folder)
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true })
    const reason = (cause instanceof Error ? cause.message : String(cause)).split('\n').join(' ')
    console.error(`The programs could not be built, so the sources run: ${reason}`)
  }
}

if (import.meta.main) await buildOrSay(join(ROOT, 'dist'))
