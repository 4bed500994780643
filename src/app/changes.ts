/**
 * Changes for clients that keep a copy: what came, changed or went since a point, as the caller may see it. A page does a bounded
 * piece of work; whoever begins without a point is told everything that there is first.
 */
import { decode } from '../events/codec.ts'
import type { LibraryId } from '../events/id.ts'
import { START, later, type Position } from '../events/position.ts'
import type { RecordedEvent } from '../events/recorded.ts'
import { partsOf, watchedParts } from '../events/streams.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Access } from './access.ts'
import type { Caller } from './caller.ts'
import { walkLibrary, type Change, type Walk } from './changes-walk.ts'
import type { Documents } from './documents.ts'
import type { Freshness } from './freshness.ts'

/** Where a client's copy stands. */
export interface ChangesPoint {
  readonly at: Position
  /** Libraries that the copy holds. */
  readonly libraries: readonly LibraryId[]
  /** One that is being taken in or thrown out. */
  readonly walk: Walk | null
}

export interface ChangesPage {
  readonly items: readonly Change[]
  readonly next: ChangesPoint
  /** Whether that was all, as of now. */
  readonly upToDate: boolean
}

export interface Changes {
  /** `limit`: most items, 1 to 100. */
  list(caller: Caller, point: ChangesPoint | undefined, limit: number): Promise<ChangesPage>
}

export interface ChangesDependencies {
  readonly access: Pick<Access, 'libraries' | 'library'>
  readonly documents: Pick<Documents, 'movies' | 'ownOf'>
  readonly freshness: Pick<Freshness, 'least'>
  readonly log: Pick<EventLog, 'follow'>
}

/** Most events read for one page. */
const EVENTS_MAX = 2000

export function createChanges(deps: ChangesDependencies): Changes {
  const { access, documents, freshness, log } = deps

  /** What the copy does not hold but should, or holds but should not: the next one of them. */
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
    const { changes, next } = await walkLibrary(documents, walk, { userId: caller.userId, limit })
    const others = point.libraries.filter((id) => id !== walk.libraryId)
    const libraries = next ? point.libraries : walk.kind === 'upsert' ? [...others, walk.libraryId] : others
    const items = changes.map((change) => ({ ...change, position: point.at }))
    return { items, next: { ...point, libraries, walk: next }, upToDate: false }
  }

  async function fromLog({ caller, point, limit }: { caller: Caller; point: ChangesPoint; limit: number }): Promise<ChangesPage> {
    const upTo = freshness.least()
    const found = new Map<string, Candidate>()
    let at = point.at
    let read = 0
    let cut = false
    for await (const event of eventsUpTo(log, { after: at, upTo })) {
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
    const items = await judged(deps, caller, [...found.values()])
    return { items, next: { ...point, at: cut ? at : later(at, upTo) }, upToDate: !cut }
  }

  return {
    async list(caller, point = { at: freshness.least(), libraries: [], walk: null }, limit) {
      const walk = nextWalk(caller, point)
      return walk ? walkOn(walk, { caller, point, limit }) : fromLog({ caller, point, limit })
    },
  }
}

interface Candidate {
  readonly position: Position
  readonly type: Change['type']
  readonly id: string
}

/** Ends; what this program does not know is left out. */
async function* eventsUpTo(
  log: Pick<EventLog, 'follow'>,
  { after, upTo }: { after: Position; upTo: Position },
): AsyncGenerator<RecordedEvent> {
  const stop = new AbortController()
  try {
    for await (const page of after < upTo ? log.follow(after, stop.signal) : []) {
      for (const stored of page) {
        const event = stored.position <= upTo ? decode(stored) : undefined
        if (event) yield event
      }
      if ((page.at(-1)?.position ?? START) >= upTo) return
    }
  } finally {
    stop.abort()
  }
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

/** What the caller may see of it; of libraries that came and went the walks tell. */
async function judged(
  { access, documents }: ChangesDependencies,
  caller: Caller,
  candidates: readonly Candidate[],
): Promise<readonly Change[]> {
  const ids = new Set(candidates.filter(({ type }) => type !== 'library').map(({ id }) => id))
  const movies = new Map((await documents.movies.getMany([...ids])).map((movie) => [String(movie.id), movie]))
  return candidates.flatMap((candidate): Change[] => {
    const movie = movies.get(candidate.id)
    if (candidate.type === 'movie' && !movie) return [{ ...candidate, kind: 'remove' }]
    const libraryId = candidate.type === 'library' ? candidate.id : movie?.libraryId
    return libraryId !== undefined && access.library(caller, libraryId) ? [{ ...candidate, kind: 'upsert' }] : []
  })
}
