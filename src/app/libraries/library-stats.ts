/** Computes statistics of a library: its content, and how much of it the caller has seen. */
import type { LibraryId } from '../../vocabulary/id.ts'
import { distinctNames } from '../../vocabulary/text.ts'
import { START, toSeq, type Position } from '../../events/position.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { movies } from '../../../projections/views/movies.ts'
import { primaryOf, tallyPrefix } from '../../../projections/views/movie-query-fields.ts'
import { collectionOf } from '../../../projections/views/view.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ReadStore, Tallied } from '../../ports/read-store.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { countMovies } from '../movies/movie-list.ts'
import { rankTallies } from '../movies/tallies.ts'
import type { ReadModelsAsOf } from '../read-models/as-of.ts'
import { NO_SUCH_LIBRARY } from '../../domain/libraries/refusals.ts'

const COUNTED = ['resolutions', 'videoCodecs', 'audioCodecs', 'containers', 'hdr', 'genres', 'decades'] as const
type Counted = (typeof COUNTED)[number]

/** The content, independent of the caller. Only available movies and files count, except in `missing`. */
export interface LibraryHoldings extends Readonly<Record<Counted, readonly Tallied[]>> {
  readonly movies: number
  readonly missing: number
  readonly files: number
  readonly totalBytes: number
  /** Of the primary files. */
  readonly totalDurationMs: number
  readonly addedLast7Days: number
}

export interface LibraryStats extends LibraryHoldings {
  readonly libraryId: LibraryId
  /** Each available movie is in exactly one of these. */
  readonly watched: number
  readonly inProgress: number
  readonly unwatched: number
  /** Position of the last event that is included, as on the wire. */
  readonly asOfSeq: string
}

export interface LibraryStatistics {
  /** `past`: the documents as of an earlier time; visibility follows current permissions. */
  of(caller: Caller, id: string, past?: ReadModelsAsOf): Promise<LibraryStats | Refusal>
}

export interface LibraryStatisticsDependencies {
  readonly access: Access
  readonly clock: Clock
  readonly readModels: ReadModels
  readonly readYourWrites: ReadYourWrites
  readonly store: Pick<ReadStore, 'checkpoint'>
}

const WEEK_MS = 7 * 24 * 3600 * 1000
/** Lifetime of cached counts if no movie changes: `addedLast7Days` also changes with time. */
const KEPT_MS = 60_000
const LIBRARIES_KEPT = 100
const VALUES_MAX = 1000

export function createLibraryStatistics(deps: LibraryStatisticsDependencies): LibraryStatistics {
  const { access, clock, readModels, readYourWrites, store } = deps
  const kept = createLruCache<{ readonly at: Position; readonly atMs: number; readonly holdings: Promise<LibraryHoldings> }>(LIBRARIES_KEPT)

  /** Computed once for each state of the movies, for all callers. */
  async function holdingsNow(id: LibraryId): Promise<LibraryHoldings> {
    const at = await store.checkpoint(collectionOf(movies))
    const before = kept.peek(id)
    if (before?.at === at && clock.now() - before.atMs < KEPT_MS) return before.holdings
    const holdings = holdingsOf(readModels, id, clock.now())
    kept.put(id, { at, atMs: clock.now(), holdings })
    holdings.catch(() => kept.remove(id))
    return holdings
  }

  return {
    async of(caller, id, past) {
      const library = access.library(caller, id)
      if (!library) return NO_SUCH_LIBRARY
      const positions = [...readYourWrites.positions().values()]
      const seen = positions.reduce((a, b) => (a < b ? a : b), positions[0] ?? START)
      const holdings = await (past ? holdingsOf(past.readModels, library.id, past.atMs) : holdingsNow(library.id))
      const viewer = { userId: caller.userId, libraryIds: [library.id] }
      const count = (query: { readonly watched: boolean; readonly inProgress?: boolean }) =>
        countMovies(past?.readModels ?? readModels, viewer, { sort: 'title', order: 'asc', ...query })
      const [watched, inProgress] = await Promise.all([count({ watched: true }), count({ watched: false, inProgress: true })])
      const unwatched = Math.max(0, holdings.movies - watched - inProgress)
      return { libraryId: library.id, ...holdings, watched, inProgress, unwatched, asOfSeq: past?.seq ?? toSeq(seen) }
    },
  }
}

/** Numbers of available and of missing movies in a library. */
export async function countLibrary(readModels: Pick<ReadModels, 'movies'>, id: LibraryId) {
  const of = async (kind: 'available' | 'missing') =>
    (await readModels.movies.tally('tallies', { prefix: tallyPrefix(id, kind), limit: 1 }))[0]
  return { movieCount: (await of('available'))?.count ?? 0, missingCount: (await of('missing'))?.count ?? 0 }
}

async function holdingsOf(readModels: ReadModels, id: LibraryId, nowMs: number): Promise<LibraryHoldings> {
  const since = new Date(nowMs - WEEK_MS).toISOString()
  const counts = {
    resolutions: new Map<string, number>(),
    videoCodecs: new Map<string, number>(),
    audioCodecs: new Map<string, number>(),
    containers: new Map<string, number>(),
    hdr: new Map<string, number>(),
    genres: new Map<string, number>(),
    decades: new Map<string, number>(),
  }
  const sums = { movies: 0, files: 0, totalBytes: 0, totalDurationMs: 0, addedLast7Days: 0 }
  const there = [{ field: 'libraryId', op: 'eq', value: id } as const, { field: 'available', op: 'eq', value: true } as const]
  for await (const movie of readModels.movies.walk({ where: there })) {
    const files = movie.files.filter(({ available }) => available)
    sums.movies++
    sums.files += files.length
    sums.totalBytes += files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    sums.totalDurationMs += primaryOf(movie.files)?.durationMs ?? 0
    if (movie.addedAt >= since) sums.addedLast7Days++
    for (const name of COUNTED) for (const value of new Set(VALUES[name](movie))) add(counts[name], value)
  }
  const { missingCount: missing } = await countLibrary(readModels, id)
  return { ...sums, missing, ...ranked(counts) }
}

/** Most values come from the primary file of a movie, codecs from all available versions. */
const VALUES: Readonly<Record<Counted, (movie: MovieDocument) => readonly (string | null | undefined)[]>> = {
  resolutions: ({ files }) => [primaryOf(files)?.resolution],
  videoCodecs: ({ files }) => files.flatMap(({ available, videoCodec }) => (available ? [videoCodec] : [])),
  audioCodecs: ({ files }) => files.flatMap(({ available, audioCodecs }) => (available ? audioCodecs : [])),
  containers: ({ files }) => files.flatMap(({ available, container }) => (available ? [container] : [])),
  hdr: ({ files }) => [primaryOf(files)?.hdr],
  genres: ({ details }) => distinctNames(details.genres),
  decades: ({ details: { year } }) => [year === null ? null : `${Math.floor(year / 10) * 10}s`],
}

function add(counts: Map<string, number>, value: string | null | undefined): void {
  if (value !== null && value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
}

/** Most frequent first. */
function ranked(counts: Readonly<Record<Counted, ReadonlyMap<string, number>>>): Record<Counted, readonly Tallied[]> {
  const rank = (values: ReadonlyMap<string, number>): readonly Tallied[] =>
    rankTallies(
      [...values].map(([value, count]) => ({ value, count })),
      VALUES_MAX,
    )
  const { resolutions, videoCodecs, audioCodecs, containers, hdr, genres, decades } = counts
  return {
    resolutions: rank(resolutions),
    videoCodecs: rank(videoCodecs),
    audioCodecs: rank(audioCodecs),
    containers: rank(containers),
    hdr: rank(hdr),
    genres: rank(genres),
    decades: rank(decades),
  }
}
