/**
 * Computes the mean colour (tint) of each poster and backdrop in the background, one film at a time, with the lowest priority. The view
 * knows which tints are missing. An image without a tint is not retried before the next start.
 */
import { decodeKnown } from '../../events/codec.ts'
import type { ImageTint } from '../../events/movie-events.ts'
import { movieStream } from '../../events/streams.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { ImageId, MovieId } from '../../vocabulary/id.ts'
import type { MovieCard, MovieDocument } from '../../../projections/views/movie-document.ts'
import { movie, noteTints } from '../../domain/movies/movie.ts'
import { abortable } from '../../concurrency/timeout.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import type { Access } from '../access/access.ts'
import type { CommandHandler } from '../commands/command-handler.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { waitForViews } from '../consistency/wait-for-views.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { untilNoScan } from '../tasks/file-walk.ts'
import type { Images } from './images.ts'
import type { Report } from '../../ports/report.ts'

export interface TintJobDependencies {
  readonly access: Pick<Access, 'libraries'>
  readonly clock: Clock
  readonly commandHandler: Pick<CommandHandler, 'execute'>
  readonly readModels: Pick<ReadModels, 'movies'>
  readonly log: Pick<EventLog, 'follow' | 'head'>
  readonly images: Pick<Images, 'tint'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
  readonly onError: Report
  /** Images without a tint, because nothing can be decoded. */
  readonly failures: Set<ImageId>
}

const AUTHOR = { actor: 'system', command: 'keepTints' }
const FAILURES_MAX = 10_000
/** Backoff before films with unavailable images are retried. */
const LEFT_MS = { least: 10 * 60_000, most: 24 * 3_600_000 }
/** After each film the job rests for as long as that film took, at most this long, so that it uses at most half a CPU core. */
const REST_MAX_MS = 1_000

/** Runs until the signal. */
export async function runTintJob(deps: TintJobDependencies, signal: AbortSignal): Promise<void> {
  for (let leftMs = LEFT_MS.least; !signal.aborted;) {
    const isLeft = await round(deps, leftMs, signal)
    leftMs = isLeft ? Math.min(LEFT_MS.most, leftMs * 2) : LEFT_MS.least
  }
}

/** Processes all films without a tint, then follows the log until the next round is due. Returns whether films are left over. */
async function round(deps: TintJobDependencies, leftMs: number, signal: AbortSignal): Promise<boolean> {
  const { clock, readModels, log, readYourWrites } = deps
  const over = new AbortController()
  const from = await log.head()
  await waitForViews(readYourWrites, from, signal)
  let isLeft = false
  for await (const { card } of untintedMovies(readModels)) {
    if (!(await keep(deps, card, signal))) isLeft = true
  }
  let disarm = isLeft ? clock.after(leftMs, () => over.abort()) : undefined
  try {
    for await (const batch of log.follow(from, AbortSignal.any([signal, over.signal]))) {
      const events = batch.map(decodeKnown).filter((event) => event !== undefined)
      if (events.some(bringsMany)) return false
      if (await keepChanged(deps, events, signal)) continue
      isLeft = true
      disarm ??= clock.after(leftMs, () => over.abort())
    }
  } catch (cause) {
    if (cause !== over.signal.reason) throw cause
  } finally {
    disarm?.()
  }
  return isLeft
}

export const untintedMovies = ({ movies }: Pick<ReadModels, 'movies'>): AsyncIterable<Pick<MovieDocument, 'card'>> =>
  movies.walk({ where: [{ field: 'untinted', op: 'eq', value: true }], only: ['card'] })

/** Films whose images were unreadable while their drive was offline, or while their library was removed. */
const bringsMany = ({ type }: RecordedEvent): boolean => type === 'LibraryCameOnline' || type === 'LibraryRestored'

/** Processes each film whose images may have changed. False if some are left over. */
async function keepChanged(deps: TintJobDependencies, events: readonly RecordedEvent[], signal: AbortSignal): Promise<boolean> {
  const changed = new Set(events.flatMap(changedBy))
  const last = events.at(-1)
  if (!last || changed.size === 0) return true
  await waitForViews(deps.readYourWrites, last.position, signal)
  let isLeft = false
  for (const id of changed) {
    const found = await deps.readModels.movies.getPart(id, ['card'])
    if (found && !(await keep(deps, found.card, signal))) isLeft = true
  }
  return !isLeft
}

function changedBy(event: RecordedEvent): readonly MovieId[] {
  switch (event.type) {
    case 'MovieArtworkChosen':
    case 'MovieMatchedOnline':
    case 'MovieUnmatchedOnline':
    case 'MovieFileReturned':
      return [event.data.movieId]
    default:
      return []
  }
}

/** False if its image is unavailable at the moment. */
async function keep(deps: TintJobDependencies, found: MovieCard, signal: AbortSignal): Promise<boolean> {
  const { clock, commandHandler, readModels } = deps
  signal.throwIfAborted()
  if (!isWanted(deps, found)) return true
  await untilNoScan(deps, signal)
  // A scan takes hours: the images may have been replaced meanwhile.
  const card = (await readModels.movies.getPart(found.id, ['card']))?.card
  if (!card || !isWanted(deps, card)) return true
  const startMs = clock.monotonic()
  const poster = await lookAt(deps, { imageId: card.poster, known: card.posterTint }, signal)
  const backdrop = await lookAt(deps, { imageId: card.backdrop, known: card.backdropTint }, signal)
  signal.throwIfAborted()
  const tints = { movieId: card.id, poster: poster ?? null, backdrop: backdrop ?? null }
  await commandHandler.execute({ stream: movieStream(card.id), decider: movie }, noteTints(tints), AUTHOR)
  const tookMs = clock.monotonic() - startMs
  if (tookMs > 0) await clock.sleep(Math.min(REST_MAX_MS, tookMs), signal)
  return poster !== undefined && backdrop !== undefined
}

/** Skips an unavailable film: an event reports its return. */
function isWanted({ access, failures }: TintJobDependencies, card: MovieCard): boolean {
  const lacks = (id: ImageId | null, tint: string | null) => id !== null && tint === null && !failures.has(id)
  if (!card.available || !access.libraries.has(card.libraryId)) return false
  return lacks(card.poster, card.posterTint) || lacks(card.backdrop, card.backdropTint)
}

interface TintQuestion {
  readonly imageId: ImageId | null
  /** Null if the image has no tint yet. */
  readonly known: string | null
}

/**
 * Null if there is nothing to store; undefined if the image is unavailable at the moment. Does not wait beyond the signal: a frame that an
 * agent reads through a server that is stopping comes late or never.
 */
async function lookAt(
  { failures, onError, images }: TintJobDependencies,
  { imageId, known }: TintQuestion,
  signal: AbortSignal,
): Promise<ImageTint | null | undefined> {
  if (imageId === null || known !== null || failures.has(imageId)) return null
  try {
    const tint = await abortable(images.tint(imageId), signal)
    if (tint === null && failures.size < FAILURES_MAX) failures.add(imageId)
    return typeof tint === 'string' ? { imageId, tint } : tint
  } catch (cause) {
    if (cause instanceof ServerUnavailable || signal.aborted) throw cause
    onError(cause, 'warn')
    return undefined
  }
}
