/**
 * Checks the imports of every source file against the table of layers and rooms (`layers.ts`), those of the server against circles, and the map in docs/development.md against
 * that table. Exits with 1 on a wrong import. `npm run arrows` and the test of the same name run it; `--write` updates the map.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { importCircles } from './import-circles.ts'
import { DRIVERS, LAYERS, type Layer, type Rooms } from './layers.ts'

const root = resolve(import.meta.dirname, '../..')
const document = join(root, 'docs/development.md')
const MAP = /(?<=<!-- map: npm run arrows -- --write -->\n\n).*?(?=\n\n<!-- end of the map -->)/s

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.name === 'dist') return []
    return entry.isDirectory() ? sources(path) : /\.tsx?$/.test(entry.name) ? [path] : []
  })
}

/** Files before folders: `projections/main.ts` is a program. */
const BY_PREFIX = Object.entries(LAYERS)
  .flatMap(([name, layer]) => layer.prefixes.map((prefix) => ({ prefix, name, layer })))
  .toSorted((one, other) => Number(one.prefix.endsWith('/')) - Number(other.prefix.endsWith('/')))

const placeOf = (file: string) => BY_PREFIX.find(({ prefix }) => file.startsWith(prefix))

/** The longest room name that the file's folder starts with; undefined for a folder without a row, unless the layer is open. */
function roomOf(file: string, prefix: string, { foundation, features, isOpen }: Rooms): string | undefined {
  const folder = dirname(relative(prefix, file)).replace(/^\.$/, '')
  const names = [...foundation, ...Object.keys(features)].toSorted((one, other) => other.length - one.length)
  const found = names.find((name) => folder === name || (name !== '' && folder.startsWith(`${name}/`)))
  return found ?? (isOpen && folder !== '' ? folder.split('/')[0] : undefined)
}

function mayImportRoom({ foundation, features }: Rooms, from: string, to: string): boolean {
  const own = foundation.indexOf(from)
  if (own >= 0) return foundation.indexOf(to) >= 0 && foundation.indexOf(to) < own
  return foundation.includes(to) || features[from]?.includes(to) === true
}

function unknownRoom(file: string, { rooms, prefixes: [prefix = ''] }: Layer): string[] {
  if (!rooms || roomOf(file, prefix, rooms) !== undefined) return []
  return [`${file} lies in a folder that test/repo/layers.ts does not know`]
}

function wrongRoom(file: string, target: string, { rooms, prefixes: [prefix = ''] }: Layer): string[] {
  if (!rooms) return []
  const [from, to] = [roomOf(file, prefix, rooms), roomOf(target, prefix, rooms)]
  if (from === undefined) return []
  return from === to || (to !== undefined && mayImportRoom(rooms, from, to)) ? [] : [`${file} (${from}) imports ${target} (${to})`]
}

interface Import {
  readonly specifier: string
  /** By `import()`. */
  readonly isOnDemand: boolean
}

function importsIn(file: string): readonly Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = text.matchAll(/(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g)
  return Array.from(found, ([, from, onDemand, bare]) => ({
    specifier: from ?? onDemand ?? bare ?? '',
    isOnDemand: onDemand !== undefined,
  }))
}

const targetOf = (file: string, specifier: string): string => relative(root, resolve(root, dirname(file), specifier))

function wrongImports(file: string): string[] {
  const place = placeOf(file)
  if (!place) return [`${file} is in no layer`]
  const { name, layer } = place
  const wrong = importsIn(file).flatMap(({ specifier }) => {
    const drivers = DRIVERS[specifier]
    if (drivers && !drivers.some((driver) => file.startsWith(driver)))
      return [`${file} imports ${specifier}, which belongs to ${drivers.join(' and ')}`]
    if (specifier.startsWith('node:') && layer.isPure) return [`${file} imports ${specifier}: ${name} is pure`]
    if (!specifier.startsWith('.')) return []
    const target = targetOf(file, specifier)
    const to = placeOf(target)?.name ?? '?'
    if (to === name) return wrongRoom(file, target, layer)
    const allowed = layer.mayImport === 'all' ? to !== 'main' : layer.mayImport.includes(to)
    return allowed ? [] : [`${file} (${name}) imports ${target} (${to})`]
  })
  return [...unknownRoom(file, layer), ...wrong]
}

const SERVER_FOLDERS = ['src', 'projections', 'transcode-agent']

const filesIn = (folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) => sources(join(root, folder)).map((path) => relative(root, path)))

/** One line for each wrong import. */
export const wrongArrows = (): readonly string[] => filesIn([...SERVER_FOLDERS, 'web']).flatMap(wrongImports)

/** One line for each circle of the server's files. */
export function wrongCircles(): readonly string[] {
  const importsOf = (file: string): readonly string[] =>
    importsIn(file)
      .filter(({ specifier, isOnDemand }) => specifier.startsWith('.') && !isOnDemand)
      .map(({ specifier }) => targetOf(file, specifier))
  const circles = importCircles(new Map(filesIn(SERVER_FOLDERS).map((file) => [file, importsOf(file)])))
  return circles.map((files) => `These files import each other in a circle: ${files.join(', ')}`)
}

/** Rows of the map: folder, content, allowed imports. */
function mapOfLayers(): string {
  const rows = Object.values(LAYERS).map(({ prefixes, holds, mayImport }) => [
    prefixes.map((prefix) => `\`${prefix}\``).join(', '),
    holds,
    mayImport === 'all' ? 'everything' : mayImport.join(', ') || 'nothing',
  ])
  return ['| where | what lives there | may import |', '| --- | --- | --- |', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n')
}

const cells = (table: string): readonly string[] => table.split('\n').map((line) => line.replace(/\s+/g, ' ').replace(/-+/g, '-'))

/** Whether the document contains the map of these layers, whatever its columns' widths. */
export function isMapCurrent(): boolean {
  const map = MAP.exec(readFileSync(document, 'utf8'))?.[0] ?? ''
  return cells(map).join('\n') === cells(mapOfLayers()).join('\n')
}

if (import.meta.main) {
  if (process.argv.includes('--write'))
    writeFileSync(
      document,
      readFileSync(document, 'utf8').replace(MAP, () => mapOfLayers()),
    )
  const wrong = [
    ...wrongArrows(),
    ...wrongCircles(),
    ...(isMapCurrent() ? [] : ['the map in docs/development.md is not current: npm run arrows -- --write && npm run fix']),
  ]
  for (const line of wrong) console.error(line)
  process.exitCode = wrong.length > 0 ? 1 : 0
}
