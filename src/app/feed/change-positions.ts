/**
 * Tracks in memory, from the log, the position of the last change to each caller's lists. Polling clients get "not modified" without a
 * query.
 */
import { createHash } from 'node:crypto'
import { START, later, type Position } from '../../events/position.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import { partsOf, watchedParts } from '../../events/streams.ts'
import type { Access } from '../access/access.ts'
import type { Viewer } from '../../domain/access/visibility.ts'
import { actsAsAdmin, type Caller } from '../access/caller.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Feedable } from '../access/in-memory-views.ts'

export interface ChangePositions {
  /**
   * A tag that changes whenever a list of libraries, movies or the caller's own marks may change for the caller. It depends only on the
   * libraries that the caller sees, their content, and the caller's own events. Undefined while reads may still show an older state.
   */
  catalogue(caller: Caller): string | undefined
  /** A tag that changes whenever movies of these libraries may change, for all callers alike. Undefined as above. */
  movies(libraryIds: readonly string[]): string | undefined
  readonly feed: Feedable
}

export interface ChangePositionsDependencies {
  readonly access: Pick<Access, 'libraries' | 'library'>
  readonly readYourWrites: Pick<ReadYourWrites, 'least'>
  /** Position of the newest event in the log. */
  readonly head: () => Promise<Position>
  /** Movies whose library is cached. */
  readonly moviesMax?: number
}

const MOVIES_MAX = 50_000
const TAGS_MAX = 1_000

/** The tag of a caller, as long as no event changes anything: also not which libraries there are, or who sees them. */
interface KnownTag {
  readonly tag: string
  readonly viewer: Viewer
  /** Position of the newest change that it covers, and of the last event when it was made. */
  readonly newest: Position
  readonly last: Position
}

/** One user may come with tokens of different scopes. */
const keyOf = (caller: Caller): string => `${caller.userId} ${actsAsAdmin(caller)}`

const isSameViewer = (a: Viewer, b: Viewer): boolean =>
  a.role === b.role && a.libraryAccess === b.libraryAccess && a.libraryIds === b.libraryIds

export function createChangePositions(deps: ChangePositionsDependencies): ChangePositions {
  const { access, readYourWrites, head, moviesMax = MOVIES_MAX } = deps
  const libraries = new Map<string, Position>()
  const users = new Map<string, Position>()
  /** Most events of a movie do not name its library; the event that added the movie does. */
  const libraryOfMovie = createLruCache<string>(moviesMax)
  /**
   * Position of the last change that cannot be attributed: everything before the start, and changes of movies whose library is not cached.
   */
  let base: Position = START
  let last: Position | undefined
  const tags = createLruCache<KnownTag>(TAGS_MAX)

  function noteMovie(movieId: string, { data, position }: RecordedEvent): void {
    if ('libraryId' in data) libraryOfMovie.put(movieId, data.libraryId)
    const libraryId = libraryOfMovie.peek(movieId)
    if (libraryId === undefined) base = later(base, position)
    else libraries.set(libraryId, position)
  }

  function note(event: RecordedEvent): void {
    const { category, name } = partsOf(event.stream)
    if (category === 'library' || category === 'scan') libraries.set(name, event.position)
    else if (category === 'movie') noteMovie(name, event)
    else if (category === 'user') users.set(name, event.position)
    else if (category === 'watched') users.set(watchedParts(name).userId, event.position)
    else if (category === 'playback' && 'userId' in event.data && event.data.userId) users.set(event.data.userId, event.position)
  }

  const changesIn = (libraryIds: readonly string[]) => changesOf(libraryIds, { libraries, base })

  function tagFor(caller: Caller): string | undefined {
    const seen = [...access.libraries.keys()].filter((id) => access.library(caller, id)).toSorted()
    const own = later(base, users.get(caller.userId) ?? START)
    const changes = changesIn(seen)
    const newest = later(own, changes.newest)
    if (newest > readYourWrites.least()) return undefined
    const parts = [caller.userId, actsAsAdmin(caller) ? 'admin' : 'user', own, changes.text]
    const tag = createHash('sha256').update(parts.join(' ')).digest('base64url')
    if (last !== undefined) tags.put(keyOf(caller), { tag, viewer: caller, newest, last })
    return tag
  }

  return {
    catalogue(caller) {
      const known = tags.get(keyOf(caller))
      const isKnown =
        known !== undefined && known.last === last && isSameViewer(known.viewer, caller) && known.newest <= readYourWrites.least()
      return isKnown ? known.tag : tagFor(caller)
    },
    movies(libraryIds) {
      const { newest, text } = changesIn(libraryIds)
      return newest > readYourWrites.least() ? undefined : text
    },
    feed: {
      name: 'change positions',
      async load() {
        if (last === undefined) base = await head()
        return last ?? base
      },
      apply(event) {
        if (last !== undefined && event.position <= last) return
        last = event.position
        note(event)
      },
    },
  }
}

interface Changes {
  /** Position of each library's newest change. */
  readonly libraries: ReadonlyMap<string, Position>
  readonly base: Position
}

/** The newest change of these libraries, and a text that names the newest one of each. */
function changesOf(libraryIds: readonly string[], { libraries, base }: Changes): { readonly newest: Position; readonly text: string } {
  const positions = libraryIds.map((id) => later(base, libraries.get(id) ?? START))
  return { newest: positions.reduce(later, base), text: libraryIds.map((id, n) => `${id}${positions[n]}`).join(' ') }
}
