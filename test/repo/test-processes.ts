/** Which test files share a process. */

export interface TestProcess {
  readonly name: string
  readonly files: readonly string[]
}

/** Their tests touch nothing but their own values: no environment, no globals, no child process, no server. */
const SHARED_ROOMS = new Set(['app', 'concurrency', 'config', 'domain', 'events', 'http', 'ports', 'projections', 'vocabulary'])
const FILES_MAX = 25
/** Rooms with the longest files: they begin first, so that no core waits for one at the end. */
const LONG_ROOMS = new Set(['repo', 'process', 'wiring', 'simulation'])

/**
 * Files that take a minute and more on two cores, the longest first: they begin before all others, for the same reason. Most of them wait
 * more than they compute.
 */
export const LONG_FILES: readonly string[] = [
  'test/web/browser/firefox.test.ts',
  'test/system/whole/schemathesis.test.ts',
  'test/system/whole/soak.test.ts',
  'test/system/whole/faults.test.ts',
  'test/system/whole/other-log.test.ts',
  'test/system/whole/scan-nodes.test.ts',
  'test/web/browser/axe.test.ts',
  'test/web/browser/libraries.test.ts',
  'test/web/browser/many-movies.test.ts',
  'test/web/browser/layouts.test.ts',
  'test/web/browser/limits.test.ts',
  'test/web/browser/player.test.ts',
  'test/media/streaming/encoder-classes.test.ts',
  'test/servers/nats/leases.test.ts',
  'test/servers/app/erasure-kills.test.ts',
]

/** In the order in which they start. @param files paths from the repository's root */
export function processesOf(files: readonly string[]): readonly TestProcess[] {
  const long = LONG_FILES.filter((file) => files.includes(file))
  return [...long.map(alone), ...inRooms(files.filter((file) => !long.includes(file)))]
}

const alone = (file: string): TestProcess => ({ name: file, files: [file] })

function inRooms(files: readonly string[]): readonly TestProcess[] {
  const rooms = [...Map.groupBy(files, roomOf)].map(([room, own]) => ({ room, own }))
  const isLong = ({ room }: { readonly room: string }): boolean => LONG_ROOMS.has(room)
  return [...rooms.filter(isLong), ...rooms.filter((one) => !isLong(one))].flatMap(({ room, own }) =>
    SHARED_ROOMS.has(room) ? chunksOf(own) : own.map(alone),
  )
}

const roomOf = (file: string): string => /^test\/([^/]+)\//.exec(file)?.[1] ?? ''

function chunksOf(files: readonly string[]): readonly TestProcess[] {
  const count = Math.ceil(files.length / FILES_MAX)
  return Array.from({ length: count }, (_, n) => {
    const own = files.slice(Math.floor((n * files.length) / count), Math.floor(((n + 1) * files.length) / count))
    return { name: own.length === 1 ? String(own[0]) : `${own.length} files from ${own[0]}`, files: own }
  })
}
