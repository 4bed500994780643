/**
 * Reads subtitles inside films. If a track was extracted, it is read from there. Else only the requested minute is read from the film, so
 * that no player waits for the whole film. Cues have the times of the container.
 */
import type { Cue } from '../../../vocabulary/cue.ts'
import type { SubtitleTrack } from '../../../vocabulary/media-description.ts'
import { subtitleFormat } from '../../../vocabulary/subtitle-format.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { TextTracks, TextMediaFile } from '../../../ports/film-texts.ts'
import type { TextReader } from '../../../ports/text-reader.ts'
import { createSemaphore } from '../../../concurrency/semaphore.ts'
import { createLruCache } from '../../../concurrency/lru-cache.ts'
import type { Ask } from '../renditions/rendition-actor.ts'
import { createSingleFlight } from '../../../concurrency/single-flight.ts'
import { createSubtitleExtraction } from './subtitle-extraction.ts'
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

export function createEmbeddedSubtitles(options: EmbeddedSubtitlesOptions): EmbeddedSubtitles {
  const { texts, reader, clock, answerWithinMs = ANSWER_WITHIN_MS } = options
  const subtitleExtraction = createSubtitleExtraction(texts)
  const flights = createSingleFlight<readonly Cue[] | Unavailable | undefined>()
  const slots = createSemaphore(STRETCHES_AT_ONCE)
  const tracks = createLruCache<readonly Cue[]>(KEPT_TRACKS)
  const stretches = createLruCache<readonly Cue[]>(KEPT_STRETCHES)

  async function known({ mediaFile, track }: EmbeddedTrack): Promise<readonly Cue[] | Unavailable | undefined> {
    const key = keyOf(mediaFile, track.stream)
    const before = tracks.get(key)
    if (before) return before
    const bytes = await texts.kept(mediaFile, track)
    const cues = bytes && (await cuesIn(bytes, track))
    if (cues && !isUnavailable(cues)) tracks.put(key, cues)
    return cues
  }

  async function cuesIn(bytes: Uint8Array, { codec, language }: SubtitleTrack): Promise<readonly Cue[] | Unavailable> {
    const format = subtitleFormat(codec)
    return format ? orUnavailable(reader.cues(bytes, { format, language })) : []
  }

  /** The result if it is ready in time; a later result serves the next request. */
  async function inTime<Read extends object>(work: Promise<Read | undefined>, signal: AbortSignal): Promise<Read | Unavailable> {
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

  return {
    async whole(embedded, { viewer, signal }) {
      const cues = await known(embedded)
      if (cues) return cues
      signal.throwIfAborted()
      const reading = subtitleExtraction.prioritise(embedded.mediaFile, viewer)
      return inTime(
        reading.then((whole) => (whole ? known(embedded) : undefined)),
        signal,
      )
    },
    async stretch(embedded, { fromMs, toMs }, { viewer, signal }) {
      const { mediaFile, track } = embedded
      const key = `${keyOf(mediaFile, track.stream)}/${fromMs}`
      const cues = (await known(embedded)) ?? stretches.get(key)
      if (cues) return cues
      const read = (stop: AbortSignal) =>
        slots(async () => {
          const bytes = await texts.stretch(mediaFile, { track, fromMs, toMs }, stop)
          const found = bytes && (await cuesIn(bytes, track))
          if (found && !isUnavailable(found)) stretches.put(key, found)
          return found
        })
      const found = await inTime(flights.join(key, read, signal), signal)
      subtitleExtraction.begin(mediaFile, viewer)
      return found
    },
    async bytes({ mediaFile, track }, { viewer, signal }) {
      const kept = await texts.kept(mediaFile, track)
      if (kept) return kept
      if (!subtitleExtraction.hasRoomFor(mediaFile)) return busy(OTHERS_FIRST, RETRY_SECONDS)
      const reading = subtitleExtraction.prioritise(mediaFile, viewer).then((whole) => (whole ? texts.kept(mediaFile, track) : undefined))
      return inTime<Uint8Array | Unavailable>(
        reading.then((bytes) => bytes ?? missing(UNREADABLE)),
        signal,
      )
    },
    leave: (viewer) => subtitleExtraction.leave(viewer),
    async close() {
      flights.close()
      await subtitleExtraction.close()
    },
  }
}

const keyOf = ({ fingerprint }: TextMediaFile, stream: number): string => `${fingerprint}/${stream}`
