/**
 * Lists changes for clients that keep a copy: additions, changes and removals since a point, as far as the caller may see them. A page does
 * a bounded amount of work. A client without a point first gets everything that exists.
 */
import type { LibraryId } from '../../vocabulary/id.ts'
import { later, type Position } from '../../events/position.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import { partsOf, watchedParts } from '../../events/streams.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import { TimedOut } from '../../concurrency/timeout.ts'
import { QueueFull } from '../../concurrency/semaphore.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { walkLibrary, type Change, type Walk } from './changes-walk.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { LogPages } from './log-pages.ts'

/** State of a client's copy. */
export interface ChangesPoint {
  readonly at: Position
  /** Libraries in the copy. */
  readonly libraries: readonly LibraryId[]
  /** The library that is being added or removed. */
  readonly walk: Walk | null
}

export interface ChangesPage {
  readonly items: readonly Change[]
  readonly next: ChangesPoint
  /** Whether the page reaches the present. */
  readonly upToDate: boolean
}

export interface ChangesAsk {
  readonly limit: number
  readonly signal: AbortSignal
}

export interface Changes {
  /**
   * `limit`: most items, 1 to 100. The signal aborts when the client has disconnected. Refusal: `unavailable` if too many clients read the
   * log, or if the log does not answer.
   */
  list(caller: Caller, point: ChangesPoint | undefined, ask: ChangesAsk): Promise<ChangesPage | Refusal>
}

export interface ChangesDependencies {
  readonly access: Pick<Access, 'libraries' | 'library'>
  readonly readModels: Pick<ReadModels, 'movies' | 'ownOf'>
  readonly readYourWrites: Pick<ReadYourWrites, 'least'>
  readonly pages: LogPages
}

/** Most events read for one page. */
const EVENTS_MAX = 2000
const BUSY = refuse('unavailable', 'Too many requests for changes: try again', { retryAfterSeconds: 5 })

export function createChanges(deps: ChangesDependencies): Changes {
  const { access, readModels, readYourWrites, pages } = deps

  /** The next library that the copy lacks, or that it holds although the caller may not see it any more. */
  function nextWalk(caller: Caller, { libraries, walk }: ChangesPoint): Walk | undefined {
    const sees = (id: LibraryId) => access.library(caller, id) !== undefined
    if (walk) return walk.kind === 'upsert' && !sees(walk.libraryId) ? { ...walk, kind: 'remove', stage: 'movies', after: '' } : walk
    const lost = libraries.find((id) => !sees(id))
    if (lost) return { kind: 'remove', libraryId: lost, stage: 'movies', after: '' }
    const gained = [...access.libraries.values()].find(({ id }) => sees(id) && !libraries.includes(id))
    return gained && { kind: 'upsert', libraryId: gained.id, stage: 'library', after: '' }
  }

  async function walkOn(
    walk: Walk,
    { caller, point, limit }: { caller: Caller; point: ChangesPoint; limit: number },
  ): Promise<ChangesPage> {
    const { changes, next } = await walkLibrary(readModels, walk, { userId: caller.userId, limit })
    const others = point.libraries.filter((id) => id !== walk.libraryId)
    const libraries = next ? point.libraries : walk.kind === 'upsert' ? [...others, walk.libraryId] : others
    const items = changes.map((change) => ({ ...change, position: point.at }))
    return { items, next: { ...point, libraries, walk: next }, upToDate: false }
  }

  async function fromLog({ caller, point, limit, signal }: FromLog): Promise<ChangesPage> {
    const upTo = readYourWrites.least()
    const found = new Map<string, Candidate>()
    let at = point.at
    let read = 0
    let cut = false
    for await (const page of pages.read({ after: at, upTo }, caller.userId, signal)) {
      for (const event of page.events) {
        const candidate = candidateOf(event, caller)
        const isNew = candidate !== undefined && !found.has(candidate.type + candidate.id)
        cut = (isNew && found.size === limit) || read === EVENTS_MAX
        if (cut) break
        read += 1
        at = event.position
        if (!candidate) continue
        found.delete(candidate.type + candidate.id)
        found.set(candidate.type + candidate.id, candidate)
      }
      if (cut) break
    }
    const items = await judged(deps, caller, [...found.values()])
    return { items, next: { ...point, at: cut ? at : later(at, upTo) }, upToDate: !cut }
  }

  return {
    async list(caller, point = { at: readYourWrites.least(), libraries: [], walk: null }, { limit, signal }) {
      const walk = nextWalk(caller, point)
      if (walk) return walkOn(walk, { caller, point, limit })
      try {
        return await fromLog({ caller, point, limit, signal })
      } catch (cause) {
        if (cause instanceof QueueFull || cause instanceof TimedOut) return BUSY
        throw cause
      }
    },
  }
}

interface FromLog extends ChangesAsk {
  readonly caller: Caller
  readonly point: ChangesPoint
}

interface Candidate {
  readonly position: Position
  readonly type: Change['type']
  readonly id: string
}

const SCAN_STEPS: ReadonlySet<string> = new Set(['ScanStarted', 'ScanProgressed'])
const PLAYED: ReadonlySet<string> = new Set(['PlaybackHeartbeat', 'PlaybackSeeked', 'PlaybackEnded'])

function candidateOf({ stream, position, type, data }: RecordedEvent, { userId }: Caller): Candidate | undefined {
  const { category, name } = partsOf(stream)
  if (category === 'movie') return { position, type: 'movie', id: name }
  if (category === 'library' || (category === 'scan' && !SCAN_STEPS.has(type))) return { position, type: 'library', id: name }
  const mark = watchedParts(name)
  if (category === 'watched' && mark.userId === userId) return { position, type: 'userState', id: mark.movieId }
  const plays = PLAYED.has(type) && 'movieId' in data && 'userId' in data && data.userId === userId
  return plays ? { position, type: 'userState', id: data.movieId } : undefined
}

/** The changes that the caller may see. Whole libraries that appear or disappear are handled by the walks. */
async function judged(
  { access, readModels }: ChangesDependencies,
  caller: Caller,
  candidates: readonly Candidate[],
): Promise<readonly Change[]> {
  const ids = new Set(candidates.filter(({ type }) => type !== 'library').map(({ id }) => id))
  const movies = new Map((await readModels.movies.getMany([...ids])).map((movie) => [String(movie.id), movie]))
  return candidates.flatMap((candidate): Change[] => {
    const movie = movies.get(candidate.id)
    const libraryId = candidate.type === 'library' ? candidate.id : movie?.libraryId
    return libraryId !== undefined && access.library(caller, libraryId) ? [{ ...candidate, kind: 'upsert' }] : []
  })
}
