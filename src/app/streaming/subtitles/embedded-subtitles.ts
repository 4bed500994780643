/**
 * Reads subtitles inside films. If a track was extracted, it is read from there. Else only the requested minute is read from the film, so
 * that no player waits for the whole film. Cues have the times of the container.
 */
import type { Cue } from '../../../vocabulary/cue.ts'
import type { SubtitleTrack } from '../../../vocabulary/media-description.ts'
import { subtitleFormat } from '../../../vocabulary/subtitle-format.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { TextTracks, TextMediaFile } from '../../../ports/text-tracks.ts'
import type { TextReader } from '../../../ports/text-reader.ts'
import { createSemaphore, type Semaphore } from '../../../concurrency/semaphore.ts'
import { createLruCache, type LruCache } from '../../../concurrency/lru-cache.ts'
import type { Ask } from '../renditions/rendition-actor.ts'
import { createSingleFlight, type SingleFlight } from '../../../concurrency/single-flight.ts'
import { createSubtitleExtraction, type SubtitleExtraction } from './subtitle-extraction.ts'
import { orUnavailable } from './subtitle-unavailable.ts'
import { busy, isUnavailable, missing, type Unavailable } from '../segments/unavailable.ts'

export interface EmbeddedTrack {
  readonly mediaFile: TextMediaFile
  readonly track: SubtitleTrack & { readonly stream: number }
}

export interface EmbeddedSubtitles {
  /** @throws the signal's reason when the client has disconnected; here and below */
  whole(track: EmbeddedTrack, ask: Ask): Promise<readonly Cue[] | Unavailable>
  /** All cues of the time range, possibly with others. */
  stretch(track: EmbeddedTrack, times: Times, ask: Ask): Promise<readonly Cue[] | Unavailable>
  /** The track as a file in its original format. A track that cannot be extracted is missing. */
  bytes(track: EmbeddedTrack, ask: Ask): Promise<Uint8Array | Unavailable>
  leave(viewer: string): void
  close(): Promise<void>
}

interface Times {
  readonly fromMs: number
  readonly toMs: number
}

export interface EmbeddedSubtitlesOptions {
  readonly texts: TextTracks
  readonly reader: TextReader
  readonly clock: Clock
  readonly answerWithinMs?: number
}

const ANSWER_WITHIN_MS = 8_000
const RETRY_SECONDS = 3
const STRETCHES_AT_ONCE = 2
const KEPT_TRACKS = 64
const KEPT_STRETCHES = 256
const READING = 'The subtitles are still being read out of the film'
const OTHERS_FIRST = 'The subtitles of other films are being read: these are next'
const UNREADABLE = 'The subtitles cannot be read out of the film at the moment'

interface State extends EmbeddedSubtitlesOptions {
  readonly answerWithinMs: number
  readonly subtitleExtraction: SubtitleExtraction
  readonly flights: SingleFlight<Unavailable | readonly Cue[] | undefined>
  readonly slots: Semaphore
  readonly tracks: LruCache<readonly Cue[]>
  readonly stretches: LruCache<readonly Cue[]>
}

export function createEmbeddedSubtitles(options: EmbeddedSubtitlesOptions): EmbeddedSubtitles {
  const { texts, answerWithinMs = ANSWER_WITHIN_MS } = options
  const subtitleExtraction = createSubtitleExtraction(texts)
  const flights = createSingleFlight<readonly Cue[] | Unavailable | undefined>()
  const state: State = {
    ...options,
    answerWithinMs,
    subtitleExtraction,
    flights,
    slots: createSemaphore(STRETCHES_AT_ONCE),
    tracks: createLruCache(KEPT_TRACKS),
    stretches: createLruCache(KEPT_STRETCHES),
  }

  return {
    whole: (embedded, ask) => whole(state, embedded, ask),
    stretch: (embedded, times, ask) => stretch(state, embedded, times, ask),
    bytes: (track, ask) => bytes(state, track, ask),
    leave: (viewer) => subtitleExtraction.leave(viewer),
    async close() {
      flights.close()
      await subtitleExtraction.close()
    },
  }
}

async function known(state: State, { mediaFile, track }: EmbeddedTrack): Promise<readonly Cue[] | Unavailable | undefined> {
  const { tracks, texts } = state
  const key = keyOf(mediaFile, track.stream)
  const before = tracks.get(key)
  if (before) return before
  const bytes = await texts.kept(mediaFile, track)
  const cues = bytes && (await cuesIn(state, bytes, track))
  if (cues && !isUnavailable(cues)) tracks.put(key, cues)
  return cues
}

async function cuesIn({ reader }: State, bytes: Uint8Array, { codec, language }: SubtitleTrack): Promise<readonly Cue[] | Unavailable> {
  const format = subtitleFormat(codec)
  return format ? orUnavailable(reader.cues(bytes, { format, language })) : []
}

/** The result if it is ready in time; a later result serves the next request. */
async function inTime<Read extends object>(
  { clock, answerWithinMs }: State,
  work: Promise<Read | undefined>,
  signal: AbortSignal,
): Promise<Read | Unavailable> {
  const other = Promise.withResolvers<Unavailable>()
  const leave = (): void => other.reject(signal.reason)
  const disarm = clock.after(answerWithinMs, () => other.resolve(busy(READING, RETRY_SECONDS)))
  signal.addEventListener('abort', leave, { once: true })
  work.catch(() => undefined)
  try {
    return (await Promise.race([work, other.promise])) ?? busy(UNREADABLE, RETRY_SECONDS)
  } finally {
    disarm()
    signal.removeEventListener('abort', leave)
  }
}

async function whole(state: State, embedded: EmbeddedTrack, { viewer, signal }: Ask): Promise<readonly Cue[] | Unavailable> {
  const cues = await known(state, embedded)
  if (cues) return cues
  signal.throwIfAborted()
  const reading = state.subtitleExtraction.prioritise(embedded.mediaFile, viewer)
  return inTime(
    state,
    reading.then((whole) => (whole ? known(state, embedded) : undefined)),
    signal,
  )
}

async function stretch(
  state: State,
  embedded: EmbeddedTrack,
  { fromMs, toMs }: Times,
  { viewer, signal }: Ask,
): Promise<readonly Cue[] | Unavailable> {
  const { stretches, slots, texts, flights, subtitleExtraction } = state
  const { mediaFile, track } = embedded
  const key = `${keyOf(mediaFile, track.stream)}/${fromMs}`
  const cues = (await known(state, embedded)) ?? stretches.get(key)
  if (cues) return cues
  const read = (stop: AbortSignal) =>
    slots(async () => {
      const bytes = await texts.stretch(mediaFile, { track, fromMs, toMs }, stop)
      const found = bytes && (await cuesIn(state, bytes, track))
      if (found && !isUnavailable(found)) stretches.put(key, found)
      return found
    })
  const found = await inTime(state, flights.join(key, read, signal), signal)
  subtitleExtraction.begin(mediaFile, viewer)
  return found
}

async function bytes(state: State, { mediaFile, track }: EmbeddedTrack, { viewer, signal }: Ask): Promise<Uint8Array | Unavailable> {
  const { texts, subtitleExtraction } = state
  const kept = await texts.kept(mediaFile, track)
  if (kept) return kept
  if (!subtitleExtraction.hasRoomFor(mediaFile)) return busy(OTHERS_FIRST, RETRY_SECONDS)
  const reading = subtitleExtraction.prioritise(mediaFile, viewer).then((whole) => (whole ? texts.kept(mediaFile, track) : undefined))
  return inTime<Uint8Array | Unavailable>(
    state,
    reading.then((bytes) => bytes ?? missing(UNREADABLE)),
    signal,
  )
}

const keyOf = ({ fingerprint }: TextMediaFile, stream: number): string => `${fingerprint}/${stream}`
