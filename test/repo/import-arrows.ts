/**
 * The way imports point (README, "Map of the house"): reads the import lines of every source file and ends with 1 on a wrong
 * arrow. Run by `npm run arrows` and by the test of the same name.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Layer of a file, by the first prefix that fits. */
const LAYERS: readonly (readonly [prefix: string, layer: string])[] = [
  ['src/events/', 'events'],
  ['src/ffmpeg/', 'ffmpeg'],
  ['src/flow/', 'flow'],
  ['src/ports/', 'ports'],
  ['src/adapters/', 'adapters'],
  ['src/domain/', 'domain'],
  ['src/app/', 'app'],
  ['src/http/', 'http'],
  ['src/main.ts', 'main'],
  ['src/cli.ts', 'main'],
  ['src/config/config.ts', 'config'],
  ['src/config/', 'config'],
  ['src/', 'wiring'],
  ['projections/main.ts', 'main'],
  ['projections/projector', 'projector'],
  ['projections/', 'views'],
  ['transcode-agent/main.ts', 'main'],
  ['transcode-agent/', 'agent'],
]

/** What each layer may import besides itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  ffmpeg: [],
  flow: [],
  events: [],
  ports: ['events'],
  domain: ['events'],
  views: ['events'],
  app: ['domain', 'events', 'flow', 'ports', 'views'],
  projector: ['app', 'events', 'flow', 'ports', 'views'],
  agent: ['app', 'domain', 'events', 'ffmpeg', 'flow', 'ports'],
  http: ['app', 'domain', 'events', 'flow', 'ports', 'views'],
  adapters: ['ffmpeg', 'flow', 'ports', 'events'],
  config: [],
  wiring: ['adapters', 'agent', 'app', 'config', 'domain', 'events', 'ffmpeg', 'http', 'flow', 'ports', 'projector', 'views'],
  main: ['adapters', 'agent', 'app', 'config', 'domain', 'events', 'ffmpeg', 'http', 'flow', 'ports', 'projector', 'views', 'wiring'],
}

/** Packages and Node modules that only one place may import. */
const DRIVERS: Readonly<Record<string, string>> = {
  'node:sqlite': 'src/adapters/sqlite/',
  mongodb: 'src/adapters/mongodb/',
  nats: 'src/adapters/nats/',
  '@eventstore/db-client': 'src/adapters/esdb/',
  sharp: 'src/adapters/pictures/',
}
const PURE = new Set(['domain', 'views'])

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? sources(path) : entry.name.endsWith('.ts') ? [path] : []
  })
}

const layerOf = (file: string) => LAYERS.find(([prefix]) => file.startsWith(prefix))?.[1]

function problemsOf(file: string): string[] {
  const layer = layerOf(file) ?? '?'
  const text = readFileSync(join(root, file), 'utf8')
  const specifiers = [
    ...text.matchAll(/(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g),
  ]
  return specifiers.flatMap((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? ''
    const driver = DRIVERS[specifier]
    if (driver && !file.startsWith(driver)) return [`${file} imports ${specifier}, which belongs to ${driver}`]
    if (specifier.startsWith('node:') && PURE.has(layer)) return [`${file} imports ${specifier}: ${layer} is pure`]
    if (!specifier.startsWith('.')) return []
    const target = relative(root, resolve(root, dirname(file), specifier))
    const to = layerOf(target) ?? '?'
    return to === layer || ALLOWED[layer]?.includes(to) ? [] : [`${file} (${layer}) imports ${target} (${to})`]
  })
}

/** One line for each wrong arrow. */
export function wrongArrows(): readonly string[] {
  return ['src', 'projections', 'transcode-agent'].flatMap((folder) =>
    sources(join(root, folder)).flatMap((path) => problemsOf(relative(root, path))),
  )
}

if (import.meta.main) {
  const wrong = wrongArrows()
  for (const line of wrong) console.error(line)
  process.exitCode = wrong.length > 0 ? 1 : 0
}
