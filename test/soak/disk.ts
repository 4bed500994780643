/** Measures the data folder of a running server: what has a budget, apart from what grows with the log. */
import { readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

interface FileOnDisk {
  /** Relative to the data folder. */
  readonly path: string
  /** Blocks, as `du` counts them. */
  readonly bytes: number
}

const CACHE = 'cache'
const BLOBS = 'blobs'
const DATABASE = /\.sqlite$/
/** They are as large as the largest commit was, and give no space back while the server runs. */
const JOURNAL = /\.sqlite-(?:wal|shm)$/
/** In the names of the tables of the snapshots of the past, and of their indexes. */
const SNAPSHOTS = 'snapshots_g'
/** Bytes of each table and index. */
const TABLES = 'select name, pgsize - unused as filled, unused as gaps from dbstat where aggregate = true'
const MB = 1024 * 1024
const READ_MS = 5_000

/** @param events in the log */
export function diskFigures(dataDir: string, events: number): Readonly<Record<string, number>> {
  const files = filesIn(dataDir)
  const [cache, blobs] = [CACHE, BLOBS].map((place) => files.filter(({ path }) => path.split(sep)[0] === place))
  const databases = files.filter(({ path }) => DATABASE.test(path)).map(({ path }) => pagesIn(join(dataDir, path)))
  return {
    'disk: cache (MB)': bytesOf(cache) / MB,
    'disk: blobs (MB)': bytesOf(blobs) / MB,
    'disk: journals (MB)': bytesOf(files.filter(({ path }) => JOURNAL.test(path))) / MB,
    'disk: files beside the cache': files.length - (cache?.length ?? 0),
    'disk: log and views (bytes an event)': sumOf(databases.map(({ contentBytes }) => contentBytes)) / Math.max(1, events),
    // An event's documents are in one block more for each FAN times as many stretches of the log, up to LEVELS: it grows by its design.
    'log: snapshots of the past (bytes an event)': sumOf(databases.map(({ snapshotBytes }) => snapshotBytes)) / Math.max(1, events),
    // Pages that grew by inserts are less full than those of a view that was just rebuilt.
    'log: gaps in pages (MB)': sumOf(databases.map(({ gapBytes }) => gapBytes)) / MB,
    'log: free pages, which the next views take (MB)': sumOf(databases.map(({ freeBytes }) => freeBytes)) / MB,
    'log: files in the cache': cache?.length ?? 0,
  }
}

function filesIn(folder: string): readonly FileOnDisk[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    // What was removed since it was listed is left out.
    const stat = entry.isFile() ? statSync(path, { throwIfNoEntry: false }) : undefined
    return stat ? [{ path: relative(folder, path), bytes: stat.blocks * 512 }] : []
  })
}

interface Table {
  readonly name: string
  readonly filled: number
  readonly gaps: number
}

interface Pages {
  /** What the log and the views fill. */
  readonly contentBytes: number
  readonly snapshotBytes: number
  /** Unused in pages that are in use. */
  readonly gapBytes: number
  /** Of pages that are free again. */
  readonly freeBytes: number
}

/** With what is still in the journal, so that it does not matter when the server last moved that into the file. */
function pagesIn(file: string): Pages {
  const database = new DatabaseSync(file, { readOnly: true, timeout: READ_MS })
  try {
    const read = (pragma: string): number => Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0])
    database.exec('begin')
    const freeBytes = read('freelist_count') * read('page_size')
    const tables = database.prepare(TABLES).all() as unknown as readonly Table[]
    database.exec('commit')
    const ofSnapshots = (isOf: boolean) => sumOf(tables.filter(({ name }) => name.includes(SNAPSHOTS) === isOf).map(({ filled }) => filled))
    return {
      contentBytes: ofSnapshots(false),
      snapshotBytes: ofSnapshots(true),
      gapBytes: sumOf(tables.map(({ gaps }) => gaps)),
      freeBytes,
    }
  } finally {
    database.close()
  }
}

const bytesOf = (files: readonly FileOnDisk[] = []): number => sumOf(files.map(({ bytes }) => bytes))

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
