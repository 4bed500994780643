/**
 * Adds details to live events that the recorded event lacks: the library of a movie, the state of a scan, the hour of a viewing, the
 * resume point after an import, and decrypted texts.
 */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { seconds } from '../../domain/feed/live-events.ts'
import type { LiveEvent } from '../../domain/feed/live-event.ts'
import type { LibraryId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { scans as scansView, type ScanDocument } from '../../../projections/views/scans.ts'
import { placeResume } from '../../../projections/views/resume-place.ts'
import { userMovieId, type UserMovieDocument } from '../../../projections/views/user-movies.ts'
import { operationsOf } from '../../../projections/views/view.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { ReadModels } from '../read-models/read-models.ts'

/** A live event with all its details, ready to send. */
export interface DetailedEvent extends LiveEvent {
  readonly position: Position
  readonly at: string
  /** Null if it concerns no library, or a movie that no longer exists. */
  readonly libraryId: LibraryId | null
  readonly scan: ScanDocument | null
}

interface Happened {
  readonly event: RecordedEvent
  readonly live: LiveEvent
}

export interface DetailsDependencies {
  readonly readModels: Pick<ReadModels, 'movies' | 'scans' | 'userMovies' | 'viewings'>
  readonly sealer: Pick<Sealer, 'open'>
}

/** Call it once the views have passed the events. */
export async function completed(
  { readModels, sealer }: DetailsDependencies,
  happened: readonly Happened[],
): Promise<readonly DetailedEvent[]> {
  const movies = await byId(
    readModels.movies,
    happened.map(({ live }) => movieOf(live)),
  )
  const scans = await byId(
    readModels.scans,
    happened.map(({ live }) => live.scanId),
  )
  const viewings = await byId(
    readModels.viewings,
    happened.map(({ live }) => live.viewingId),
  )
  const owns = await byId(
    readModels.userMovies,
    happened.map(({ live }) => ownOf(live)),
  )
  const messages = await messagesOf(sealer, happened)
  return happened.flatMap(({ event, live: bare }) => {
    const { position, at } = event
    const movie = movies.get(movieOf(bare) ?? '')
    const live = withResume(bare, movie, owns.get(ownOf(bare) ?? ''))
    if (!live) return []
    const scan = scans.get(live.scanId ?? '')
    const libraryId = 'libraryId' in live.audience ? live.audience.libraryId : (movie?.libraryId ?? null)
    const { payload, ...rest } = ofMovie(live, movie)
    const viewing = viewings.get(live.viewingId ?? '')
    const message = messages.get(event.id)
    const details = { ...payload, ...omitUndefined({ hour: viewing && hourOf(viewing.startedAt), message }) }
    return [{ ...rest, payload: details, position, at, libraryId, scan: scan ? asOf(scan, event) : null }]
  })
}

const movieOf = ({ audience }: LiveEvent) => ('movieId' in audience ? (audience.movieId ?? undefined) : undefined)

const ownOf = ({ audience, resume }: LiveEvent) =>
  resume && audience.to === 'user' && audience.movieId ? userMovieId(audience.userId, audience.movieId) : undefined

/** The position is that of today, as reads of the movie return it. Undefined: the movie had no resume point that could have changed. */
function withResume(live: LiveEvent, movie: MovieDocument | undefined, own: UserMovieDocument | undefined): LiveEvent | undefined {
  const { resume, ...rest } = live
  if (!resume) return live
  if (resume === 'if-any' && ![own?.here, ...(own?.imported ?? [])].some((stop) => stop?.resume)) return undefined
  const placed = own && movie ? placeResume(movie.files, own) : own
  return { ...rest, payload: { ...rest.payload, position: seconds(placed?.resume?.positionMs ?? 0) } }
}

/** Messages to viewers by event, as far as their keys exist. */
async function messagesOf({ open }: DetailsDependencies['sealer'], happened: readonly Happened[]) {
  const messages = new Map<string, string>()
  for (const { event } of happened) {
    const sealed = event.type === 'PlaybackCommandIssued' ? event.data.message : null
    const message = sealed && (await open(sealed))
    if (message) messages.set(event.id, message)
  }
  return messages
}

const HOUR_MS = 3_600_000

/** In UTC. */
const hourOf = (time: string): string => new Date(Math.floor(Date.parse(time) / HOUR_MS) * HOUR_MS).toISOString()

/** A file may disappear while the movie has others. */
function ofMovie(live: LiveEvent, movie: MovieDocument | undefined): LiveEvent {
  if (live.audience.to !== 'movie' || !live.kind.startsWith('movie.')) return live
  const kind = live.kind === 'movie.missing' && movie?.available === true ? 'movie.updated' : live.kind
  return { ...live, kind, payload: { ...live.payload, libraryId: movie?.libraryId ?? null } }
}

/** The document may be newer: the event contains the progress at its time. */
function asOf(scan: ScanDocument, event: RecordedEvent): ScanDocument {
  const going = event.type === 'ScanStarted' || event.type === 'ScanProgressed' ? { finishedAt: null, error: null } : {}
  const [operation] = operationsOf(scansView, event)
  const then = operation?.fold({ ...scan, ...going }) ?? scan
  return { ...then, errors: then.errors.slice(0, ERRORS_MAX) }
}

/** Most errors of a scan in an event: the rest can be requested. */
const ERRORS_MAX = 20

interface Known<Document> {
  getMany(ids: readonly string[]): Promise<readonly Document[]>
}

const AT_ONCE = 500

async function byId<Document extends { readonly id: string }>(collection: Known<Document>, ids: readonly (string | undefined)[]) {
  const distinct = [...new Set(ids)].filter((id) => id !== undefined)
  const found = new Map<string, Document>()
  for (let n = 0; n < distinct.length; n += AT_ONCE) {
    for (const document of await collection.getMany(distinct.slice(n, n + AT_ONCE))) found.set(document.id, document)
  }
  return found
}
