import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Metafile } from 'esbuild'
import t, { type Test } from 'tap'
import { buildWeb } from '../../web/build.ts'

/** Sizes of a first page and of later code, in bytes compressed by gzip. */
const KB = 1000
const LIMITS = { html: 3 * KB, style: 10 * KB, first: 60 * KB, further: 15 * KB, browsing: 85 * KB, all: 120 * KB }
const PLAYER = { own: 25 * KB, engine: 190 * KB }
/** d3 and the parts of plots together. */
const PLOTS = 35 * KB
/** Of each language besides English: a person loads one, once. */
const LANGUAGE = 16 * KB
const LARGEST = 10

const manifest = await buildWeb()
const meta = JSON.parse(readFileSync(join(import.meta.dirname, '../../web/dist/meta.json'), 'utf8')) as Metafile

const sizeOf = (names: Iterable<string>): number => [...new Set(names)].reduce((sum, name) => sum + (manifest.sizes[name] ?? 0), 0)
const scriptsOf = (path: string): readonly string[] => manifest.pages.find((page) => page.path === path)?.scripts ?? []
const first = [...manifest.entry, ...scriptsOf('/')]

const outputs = new Map(Object.entries(meta.outputs).map(([path, output]) => [basename(path), output]))
/** A script and everything that it may load, now or later. */
function reach(name: string, without: ReadonlySet<string>, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name) || without.has(name)) return found
  found.add(name)
  for (const { path } of outputs.get(name)?.imports ?? []) reach(basename(path), without, found)
  return found
}
const has = (name: string, part: string): boolean => Object.keys(outputs.get(name)?.inputs ?? {}).some((input) => input.includes(part))
const scripts = Object.keys(manifest.sizes).filter((name) => name.endsWith('.js'))
const engine = scripts.filter((name) => has(name, 'node_modules/hls.js/'))
/** Pages that import a single plot hold it themselves, and count as pages. */
const plots = new Set(scripts.filter((name) => !has(name, 'pages/') && (has(name, 'node_modules/d3-') || has(name, 'plots/'))))
const languages = scripts.filter(
  (name) => /words\/[a-z]{2}\.ts/.test(Object.keys(outputs.get(name)?.inputs ?? {}).join(' ')) && !has(name, 'words/en.ts'),
)
const player = reach(
  scripts.find((name) => has(name, 'pages/watch.tsx')) ?? '',
  new Set([
    ...manifest.entry,
    ...manifest.pages.filter(({ path }) => !path.startsWith('/watch')).flatMap((page) => page.scripts),
    ...engine,
  ]),
)

/** The largest modules of these scripts, before compression. */
function largestIn(names: Iterable<string>): string {
  const modules = [...new Set(names)].flatMap((name) =>
    Object.entries(outputs.get(name)?.inputs ?? {}).map(([path, { bytesInOutput }]) => ({ path, bytesInOutput })),
  )
  return modules
    .toSorted((a, b) => b.bytesInOutput - a.bytesInOutput)
    .slice(0, LARGEST)
    .map(({ path, bytesInOutput }) => `${bytesInOutput} ${path}`)
    .join('\n')
}

function atMost(t: Test, names: readonly string[], limit: number, what: string): void {
  const size = sizeOf(names)
  t.ok(size > 0, `${what}: there is some`)
  t.ok(size <= limit, `${what}: ${size} of ${limit} bytes${size > limit ? `; the largest modules:\n${largestIn(names)}` : ''}`)
}

t.test('the page itself and its style are small', async (t) => {
  const links = [...first, manifest.style].map((name) => `<link rel="modulepreload" href="/assets/${name}">`).join('')
  t.ok(gzipSync(manifest.shell.replace('{{head}}', links)).length <= LIMITS.html)
  atMost(t, [manifest.style], LIMITS.style, 'style')
})

t.test('every first page needs few scripts', async (t) => {
  for (const path of ['/', '/sign-in', '/sign-up']) atMost(t, [...manifest.entry, ...scriptsOf(path)], LIMITS.first, path)
})

t.test('any further page adds little', async (t) => {
  for (const { path, scripts } of manifest.pages) {
    if (path === '/' || path.startsWith('/watch')) continue
    const further = scripts.filter((name) => !first.includes(name) && !plots.has(name))
    t.ok(sizeOf(further) <= LIMITS.further, `${path}: ${sizeOf(further)} bytes; the largest modules:\n${largestIn(further)}`)
  }
})

t.test('home, list and film together, and all but the player and the plots, stay within their budgets', async (t) => {
  atMost(t, [...first, ...scriptsOf('/films'), ...scriptsOf('/films/:id')], LIMITS.browsing, 'home, list and film')
  const isApart = (name: string): boolean => player.has(name) || engine.includes(name) || plots.has(name) || languages.includes(name)
  atMost(
    t,
    scripts.filter((name) => !isApart(name)),
    LIMITS.all,
    'all but player, plots and other languages',
  )
  t.ok(languages.length > 0)
  for (const name of languages) atMost(t, [name], LANGUAGE, name)
})

t.test('the plots are small, and no page without them loads what draws them', async (t) => {
  atMost(t, [...plots], PLOTS, 'plots')
  const drawing = scripts.filter((name) => has(name, 'node_modules/d3-'))
  t.ok(drawing.length > 0)
  const pages = manifest.pages.filter((page) => page.scripts.some((name) => drawing.includes(name))).map(({ path }) => path)
  t.strictSame(pages, ['/stats', '/admin/stats'])
})

t.test('the player is small, and what decodes streams is loaded apart', async (t) => {
  atMost(t, [...player], PLAYER.own, 'player')
  t.ok(sizeOf(engine) <= PLAYER.engine, `hls.js: ${sizeOf(engine)} bytes`)
  t.notOk(
    manifest.pages.some((page) => page.scripts.some((name) => engine.includes(name))),
    'no page waits for it',
  )
})
