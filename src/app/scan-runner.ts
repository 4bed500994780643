/**
 * Scan runner: one scan of one library from start to end. Walks the roots, reads what is new or changed, gives each film its
 * place, notes what is gone. It runs under the lease `scan.<library>`; what goes wrong with one file is an error of the scan,
 * never its end.
 */
import type { ScanId } from '../events/id.ts'
import { libraryStream, movieStream } from '../events/streams.ts'
import { later, START, type Position } from '../events/position.ts'
import type { LibraryDocument } from '../../projections/libraries.ts'
import type { FileDocument } from '../../projections/files.ts'
import { filmsInFolder } from '../domain/film-folder.ts'
import { isWithin, library as libraryDecider, rootsAway } from '../domain/library.ts'
import { lose, movie, observe, regain, sameStamp, type MovieState } from '../domain/movie.ts'
import type { Decision } from '../domain/decider.ts'
import { isRefusal } from '../domain/refusal.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { Leases } from '../ports/leases.ts'
import { NotPlayable, type Media } from '../ports/media.ts'
import type { Commander } from './commander.ts'
import type { Documents } from './documents.ts'
import { companionsOf, readFilm, type WalkedFilm } from './film-reading.ts'
import { readPlaces, type Places } from './film-places.ts'
import type { Freshness } from './freshness.ts'
import { inParallel } from './in-parallel.ts'
import { createScanJournal, type ScanJournal } from './scan-journal.ts'
import { scanLease, type ScanRequest } from './scans.ts'

export interface ScanRunnerDependencies {
  readonly clock: Clock
  readonly commander: Commander
  readonly documents: Documents
  readonly freshness: Freshness
  readonly ids: Ids
  readonly leases: Leases
  readonly media: Media
  readonly node: string
  /** Files probed at once. */
  readonly width: number
  readonly problem: (cause: unknown) => void
}

/** Files younger than this may still be growing: they are looked at again. */
const YOUNG_MS = 2000
const SETTLE_MS = 500
const LEASE_SECONDS = 15

interface Scan {
  readonly deps: ScanRunnerDependencies
  readonly library: LibraryDocument
  readonly request: ScanRequest
  readonly journal: ScanJournal
  readonly signal: AbortSignal
  /** What could not be read: what is missing below it may still be there. */
  readonly unreadable: string[]
  /** Position of the last event that the scan has caused. */
  position: Position
}

export function createScanRunner(deps: ScanRunnerDependencies) {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  async function run(library: LibraryDocument, scanId: ScanId, request: ScanRequest): Promise<void> {
    const lease = await deps.leases.acquire(scanLease(library.id), LEASE_SECONDS)
    if (!lease) return
    const signal = AbortSignal.any([stopping.signal, lease.lost])
    const journal = createScanJournal(deps, { libraryId: library.id, scanId })
    try {
      await scanLibrary({ deps, library, request, journal, signal, unreadable: [], position: START })
    } catch (cause) {
      // A scan that the server's own end has cut off is found, and marked as interrupted, at the next start.
      if (signal.aborted) return
      deps.problem(cause)
      await journal.fail('internal')
    } finally {
      await lease.release()
    }
  }

  return {
    /** Runs a requested scan by itself. */
    run(library: LibraryDocument, scanId: ScanId, request: ScanRequest): void {
      const task = run(library, scanId, request).catch(deps.problem)
      running.add(task)
      void task.finally(() => running.delete(task))
    },
    /** Stops what runs. */
    async close(): Promise<void> {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

async function scanLibrary(scan: Scan): Promise<void> {
  const { deps, journal } = scan
  await journal.start()
  if (!(await rootsAreThere(scan))) return journal.fail('root_unavailable')
  const films = await walk(scan)
  const places = await readPlaces(deps, scan.library.id, new Set(films.map(({ file }) => file.path)))
  await readNew(scan, films, places)
  await journal.phase('matching')
  await noteMissing(scan, films, places)
  await journal.phase('settling')
  await settle(scan, films)
  await deps.freshness.reach(scan.position)
  await journal.complete()
}

/** Nothing is judged missing while a root is away: a drive that is not mounted must not cost anybody a movie. */
async function rootsAreThere({ deps, library, journal }: Scan): Promise<boolean> {
  const away: { path: string; reason: string }[] = []
  for (const { path } of library.roots) {
    const health = await deps.media.health(path)
    if (!health.available) away.push({ path, reason: health.reason })
  }
  const target = { stream: libraryStream(library.id), decider: libraryDecider }
  await deps.commander.execute(target, rootsAway(away), journal.author)
  return away.length === 0
}

async function walk({ deps, library, request, journal, signal, unreadable }: Scan): Promise<readonly WalkedFilm[]> {
  const thisYear = new Date(deps.clock.now()).getUTCFullYear()
  const films: WalkedFilm[] = []
  for (const { path: root } of library.roots) {
    const starts = request.paths?.filter((path) => isWithin(path, root)) ?? [root]
    const problem = (path: string, message: string) => {
      unreadable.push(path)
      journal.error(below(root, path), message)
    }
    for (const start of starts) {
      for await (const folder of deps.media.list(start, { signal, problem })) {
        const found = filmsInFolder(folder, { root, thisYear })
        journal.count('ignored', found.ignored)
        films.push(...found.films.map((film) => ({ ...film, root, folder })))
      }
    }
  }
  return films
}

async function readNew(scan: Scan, films: readonly WalkedFilm[], places: Places): Promise<void> {
  const { deps, request, journal } = scan
  journal.count('seen', films.length)
  await journal.phase('probing', films.length)
  await inParallel(films, deps.width, async (film) => {
    const known = places.at(film.file.path)
    if (known && request.mode === 'incremental' && isUnchanged(known, film)) {
      journal.count(known.missing ? 'restored' : 'unchanged')
      if (known.missing) await apply(scan, known.movieId, regain(known.id))
    } else await read(scan, film, places)
    await journal.step(film.file.name)
  })
}

const isUnchanged = (known: FileDocument, film: WalkedFilm) =>
  known.media !== null && sameStamp(known.stamp, film.file) && known.companions === companionsOf(film)

async function read(scan: Scan, film: WalkedFilm, places: Places): Promise<void> {
  const { deps, library, journal, request, signal } = scan
  const known = places.at(film.file.path)
  const same = known?.media && request.mode === 'incremental' && sameStamp(known.stamp, film.file)
  try {
    const found = await readFilm(deps.media, film, same ? { media: known.media, fingerprint: known.fingerprint } : undefined, signal)
    const { movieId, fileId, how } = places.find(found)
    await apply(scan, movieId, observe({ ...found, movieId, fileId, libraryId: library.id }))
    journal.count(how === 'known' ? (known?.missing ? 'restored' : 'updated') : how)
  } catch (cause) {
    if (!(cause instanceof NotPlayable)) throw cause
    journal.error(below(film.root, film.file.path), cause.message)
  }
}

async function noteMissing(scan: Scan, films: readonly WalkedFilm[], places: Places): Promise<void> {
  const { request, library, journal, unreadable } = scan
  const present = new Set(films.map(({ file }) => file.path))
  const scope = request.paths ?? library.roots.map(({ path }) => path)
  for (const file of places.files) {
    if (file.missing || present.has(file.path) || places.wasMoved(file.id)) continue
    if (!scope.some((path) => isWithin(file.path, path)) || unreadable.some((path) => isWithin(file.path, path))) continue
    await apply(scan, file.movieId, lose(file.id))
    journal.count('missing')
  }
}

/** Looks again at files that were written a moment ago: a film that was still being copied is read once more. */
async function settle(scan: Scan, films: readonly WalkedFilm[]): Promise<void> {
  const { deps, library, signal } = scan
  const youngSince = deps.clock.now() - YOUNG_MS
  await deps.clock.sleep(SETTLE_MS, signal)
  const changed: WalkedFilm[] = []
  for (const film of films.filter(({ file }) => file.modifiedAtMs >= youngSince)) {
    const stamp = await deps.media.stamp(film.file.path)
    if (stamp && !sameStamp(stamp, film.file)) changed.push({ ...film, file: { ...film.file, ...stamp } })
  }
  if (changed.length === 0) return
  await deps.freshness.reach(scan.position)
  const places = await readPlaces(deps, library.id, new Set(films.map(({ file }) => file.path)))
  for (const film of changed) await read(scan, film, places)
}

async function apply(scan: Scan, movieId: FileDocument['movieId'], decide: (state: MovieState) => Decision): Promise<void> {
  const outcome = await scan.deps.commander.execute({ stream: movieStream(movieId), decider: movie }, decide, scan.journal.author)
  if (!isRefusal(outcome)) scan.position = later(scan.position, outcome.position)
}

const below = (root: string, path: string) => (isWithin(path, root) ? path.slice(root.length).replace(/^\//, '') : path) || path
