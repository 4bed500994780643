/** A running scan: the state and functions that its steps share. */
import type { LibraryId, MovieId, ScanId } from '../../vocabulary/id.ts'
import { libraryStream, movieStream } from '../../events/streams.ts'
import { later, START, type Position } from '../../events/position.ts'
import type { LibraryDocument } from '../../../projections/views/libraries.ts'
import { isWithin, library, type LibraryState } from '../../domain/libraries/library.ts'
import { movie, type MovieState } from '../../domain/movies/movie.ts'
import type { Surroundings } from '../../domain/scans/videos-in-folder.ts'
import type { Decision } from '../../domain/decider.ts'
import { isRefusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Media } from '../../ports/media.ts'
import type { TextReader } from '../../ports/text-reader.ts'
import type { CommandHandler } from '../commands/command-handler.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { ViewsBehind, type ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { ImageKey } from '../images/image-key.ts'
import type { AwayReports } from './away-reports.ts'
import type { MediaIndexPrefetch } from './media-index-prefetch.ts'
import type { ScanJournal } from './scan-journal.ts'
import type { ScanRequest } from './scans.ts'

export interface ScanRunDependencies {
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  readonly readModels: ReadModels
  readonly readYourWrites: ReadYourWrites
  readonly ids: Ids
  readonly media: Media
  readonly reader: TextReader
  readonly imageKey: ImageKey
  /** Requests the media index of a film, to be made some time after the scan. */
  readonly wantIndex: MediaIndexPrefetch['want']
  readonly awayReports: AwayReports
  /** Files probed concurrently. */
  readonly width: number
  /** Why no film can be read at the moment; undefined if films can be read. */
  readonly readsWait?: (() => string | undefined) | undefined
}

export interface ScanRun {
  readonly deps: ScanRunDependencies
  readonly library: LibraryDocument
  readonly scanId: ScanId
  readonly request: ScanRequest
  readonly journal: ScanJournal
  /** Aborted if the scan is cancelled, its lease is lost or the server stops. */
  readonly signal: AbortSignal
  /** Unreadable folders: a file missing below one may still exist. */
  readonly unreadable: Set<string>
  /** Appends to a movie; true if there was something new. Appends to one movie run one after another. */
  applyToMovie(movieId: MovieId, decide: (state: MovieState) => Decision): Promise<boolean>
  applyToLibrary(decide: (state: LibraryState) => Decision): Promise<void>
  /** Settles when everything appended so far is visible, and everything in the log up to the position. */
  seen(upTo?: Position): Promise<void>
}

/** Timeout for views that lag behind a large scan. */
const PATIENCE_MS = 10 * 60_000

type Given = Omit<ScanRun, 'unreadable' | 'applyToMovie' | 'applyToLibrary' | 'seen'>

export function createScanRun(given: Given): ScanRun {
  const { deps, journal, library, signal } = given
  const tails = new Map<MovieId, Promise<unknown>>()
  let position: Position = START

  async function append(movieId: MovieId, decide: (state: MovieState) => Decision): Promise<boolean> {
    signal.throwIfAborted()
    const result = await deps.commandHandler.execute({ stream: movieStream(movieId), decider: movie }, decide, journal.author)
    if (isRefusal(result)) return false
    position = later(position, result.position)
    return result.events.length > 0
  }

  return {
    ...given,
    unreadable: new Set(),

    async applyToMovie(movieId, decide) {
      const before = tails.get(movieId) ?? Promise.resolve()
      const applied = before.then(() => append(movieId, decide))
      const tail = applied.catch(() => {})
      tails.set(movieId, tail)
      try {
        return await applied
      } finally {
        if (tails.get(movieId) === tail) tails.delete(movieId)
      }
    },

    applyToLibrary: (decide) => applyToLibrary(deps.commandHandler, library.id, { decide, journal }),

    async seen(upTo = START) {
      const until = deps.clock.monotonic() + PATIENCE_MS
      for (;;) {
        signal.throwIfAborted()
        try {
          return await deps.readYourWrites.waitFor(later(position, upTo))
        } catch (cause) {
          if (!(cause instanceof ViewsBehind) || deps.clock.monotonic() > until) throw cause
        }
      }
    },
  }
}

async function applyToLibrary(
  commandHandler: CommandHandler,
  id: LibraryId,
  { decide, journal }: { decide: (state: LibraryState) => Decision; journal: ScanJournal },
): Promise<void> {
  await commandHandler.execute({ stream: libraryStream(id), decider: library }, decide, journal.author)
}

/** Of the folders below a root, for the recognition of films. */
export const surroundingsOf = ({ deps }: Pick<ScanRun, 'deps'>, root: string): Surroundings => ({
  root,
  thisYear: new Date(deps.clock.now()).getUTCFullYear(),
})

/** A path as errors show it: relative to its root. */
export const below = (root: string, path: string) => (isWithin(path, root) ? path.slice(root.length).replace(/^\//, '') : path) || path

/** Whether the path is within the scan's request. */
export const isInScope = ({ request }: Pick<ScanRun, 'request'>, path: string) =>
  request.paths === null || request.paths.some((start) => isWithin(path, start))

export const isUnreadable = ({ unreadable }: Pick<ScanRun, 'unreadable'>, path: string): boolean =>
  unreadable.size > 0 && [...unreadable].some((each) => isWithin(path, each))

/** The library's root folders. */
export const pathsOf = ({ library }: Pick<ScanRun, 'library'>): readonly string[] => library.roots.map(({ path }) => path)
