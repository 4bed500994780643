/** Serves subtitles of a film as HLS playlists and as whole files: text tracks in it and files beside it, in any format and encoding. */
import { setImmediate } from 'node:timers/promises'
import type { SubtitleTrack } from '../../../vocabulary/media-description.ts'
import { MAX_SUBTITLE_BYTES, subtitleFormat } from '../../../vocabulary/subtitle-format.ts'
import { pieceCount, subtitlePiece, SUBTITLE_PIECE_MS } from '../../../domain/subtitles/subtitle-segments.ts'
import { subtitlePlaylist, type SubtitleEntry } from '../../../domain/streaming/playlist.ts'
import type { Cue } from '../../../vocabulary/cue.ts'
import { moved, webVttParts } from '../../../domain/subtitles/subtitle-text.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Media } from '../../../ports/media.ts'
import type { MediaDescription } from '../../../vocabulary/media-description.ts'
import { createEmbeddedSubtitles, type EmbeddedSubtitlesOptions, type EmbeddedTrack } from './embedded-subtitles.ts'
import { createLruCache } from '../../../concurrency/lru-cache.ts'
import { createSingleFlight } from '../../../concurrency/single-flight.ts'
import { TimedOut, withTimeout } from '../../../concurrency/timeout.ts'
import type { Ask } from '../renditions/rendition-actor.ts'
import type { NumberSubtitles } from './subtitle-numbers.ts'
import { textMediaFile } from '../../derived-media/text-tracks.ts'
import { orUnavailable } from './subtitle-unavailable.ts'
import { busy, isUnavailable, type Unavailable } from '../segments/unavailable.ts'

/** WebVTT; undefined if there is no such subtitle, or if its file is unreadable. */
export type SubtitleAnswer = Promise<string | Unavailable | undefined>

export interface Subtitles {
  entries(source: SubtitleSource): readonly SubtitleEntry[]
  playlist(source: SubtitleSource, index: number, token: string): string | undefined
  /** @throws the signal's reason when the client has disconnected; here and below */
  whole(source: TimedSource, index: number, ask: Ask): SubtitleAnswer
  piece(source: TimedSource, place: SubtitlePlace, ask: Ask): SubtitleAnswer
  /** A text subtitle as a file in its original format; undefined if it is unreadable. */
  bytes(source: SubtitleSource, track: SubtitleTrack, ask: Ask): Promise<Uint8Array | Unavailable | undefined>
  /** The viewer's session has ended: work that only it needed is stopped. */
  leave(viewer: string): void
  close(): Promise<void>
}

export interface SubtitleSource {
  readonly fileId: string
  readonly path: string
  readonly fingerprint: string
  readonly media: MediaDescription
  readonly sidecars: readonly SubtitleTrack[]
}

export interface TimedSource extends SubtitleSource {
  /** Zero of the output timeline as a timestamp of the film. */
  readonly zeroMs: number
}

export interface SubtitlePlace {
  readonly index: number
  readonly piece: number
}

export interface SubtitlesOptions extends EmbeddedSubtitlesOptions {
  readonly media: Pick<Media, 'readSmall' | 'stamp'>
  readonly numbered: NumberSubtitles
}

const KEPT_FILES = 32
/** Longer than a sleeping drive takes to wake up, and most subtitles take to parse. */
const FILE_MS = 12_000
const NO_ANSWER = busy('The drive of the subtitle does not answer', 30)
/** Read to the end even if the first client disconnects, since others wait for the same. */
const NEVER = new AbortController().signal

export function createSubtitles(options: SubtitlesOptions): Subtitles {
  const { clock, media, numbered, reader } = options
  const embedded = createEmbeddedSubtitles(options)
  const files = createLruCache<readonly Cue[]>(KEPT_FILES)
  const flights = createSingleFlight<readonly Cue[] | Unavailable | undefined>()

  function trackOf(source: SubtitleSource, index: number): SubtitleTrack | undefined {
    const track = numbered(source).get(index)
    return track && subtitleFormat(track.codec) ? track : undefined
  }

  /** Its times already count from the film's first frame or audio sample. */
  const fileCues = (path: string, track: SubtitleTrack): Promise<readonly Cue[] | Unavailable | undefined> =>
    orNoAnswer(clock, currentCues(path, track))

  /** Reads a changed file again. */
  async function currentCues(path: string, track: SubtitleTrack): Promise<readonly Cue[] | Unavailable | undefined> {
    const stamp = await media.stamp(path)
    const key = `${path} ${stamp?.sizeBytes} ${stamp?.modifiedAtMs} ${track.language}`
    const known = files.get(key)
    if (known || !stamp) return known
    return flights.join(key, () => readFileCues(path, track, key), NEVER)
  }

  async function readFileCues(path: string, { codec, language }: SubtitleTrack, key: string) {
    const bytes = await media.readSmall(path, MAX_SUBTITLE_BYTES)
    const format = subtitleFormat(codec)
    const cues = bytes && format && (await orUnavailable(reader.cues(bytes, { format, language })))
    if (cues && !isReason(cues)) files.put(key, cues)
    return cues
  }

  return {
    entries: (source) =>
      [...numbered(source)].flatMap(([index, { codec, language, title, forced, default: standard, hearingImpaired }]) =>
        subtitleFormat(codec) ? [{ index, language, title, forced, default: standard, hearingImpaired }] : [],
      ),
    playlist: (source, index, token) => trackOf(source, index) && subtitlePlaylist(index, source.media.durationMs, token),
    async whole(source, index, ask) {
      const track = trackOf(source, index)
      if (!track) return undefined
      const inside = insideOf(source, track)
      if (!inside) return track.path === null ? undefined : written(await fileCues(track.path, track), writeWhole)
      return written(await embedded.whole(inside, ask), (cues) => writeWhole(moved(cues, -source.zeroMs)))
    },
    async piece(source, { index, piece }, ask) {
      const track = piece < pieceCount(source.media.durationMs) ? trackOf(source, index) : undefined
      if (!track) return undefined
      const inside = insideOf(source, track)
      if (!inside) return track.path === null ? undefined : written(await fileCues(track.path, track), (cues) => subtitlePiece(cues, piece))
      const fromMs = source.zeroMs + piece * SUBTITLE_PIECE_MS
      const cues = await embedded.stretch(inside, { fromMs, toMs: fromMs + SUBTITLE_PIECE_MS }, ask)
      return written(cues, (all) => subtitlePiece(moved(all, -source.zeroMs), piece))
    },
    async bytes(source, track, ask) {
      const inside = insideOf(source, track)
      if (inside) return embedded.bytes(inside, ask)
      return track.path === null ? undefined : media.readSmall(track.path, MAX_SUBTITLE_BYTES)
    },
    leave: (viewer) => embedded.leave(viewer),
    close: () => embedded.close(),
  }
}

async function orNoAnswer<Read>(clock: Clock, reading: Promise<Read>): Promise<Read | Unavailable> {
  try {
    return await withTimeout(reading, { clock, ms: FILE_MS, message: NO_ANSWER.unavailable })
  } catch (cause) {
    if (cause instanceof TimedOut) return NO_ANSWER
    throw cause
  }
}

function insideOf(source: SubtitleSource, { stream, ...track }: SubtitleTrack): EmbeddedTrack | undefined {
  return stream === null ? undefined : { mediaFile: textMediaFile(source), track: { ...track, stream } }
}

async function written(
  cues: readonly Cue[] | Unavailable | undefined,
  write: (cues: readonly Cue[]) => string | Promise<string>,
): SubtitleAnswer {
  return cues === undefined || isReason(cues) ? cues : write(cues)
}

/** Yields to other requests between the parts: the largest subtitles have about 300,000 cues. */
async function writeWhole(cues: readonly Cue[]): Promise<string> {
  const parts: string[] = []
  for (const part of webVttParts(cues)) {
    if (parts.length > 1) await setImmediate()
    parts.push(part)
  }
  return parts.join('')
}

const isReason = (cues: readonly Cue[] | Unavailable): cues is Unavailable => isUnavailable(cues)
