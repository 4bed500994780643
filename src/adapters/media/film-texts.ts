/**
 * Text tracks of films, read out by ffmpeg and kept as `<folder>/<2 first hex>/<fingerprint>-<stream>.<format>`. They can be made
 * again at any time, so they are files and no events.
 */
import { access, readFile } from 'node:fs/promises'
import { subtitleFormat, type SubtitleFormat } from '../../events/subtitle-format.ts'
import { filmInput } from '../../ffmpeg/inputs.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FilmTexts, Stretch, TextFilm, TextTrack } from '../../ports/film-texts.ts'
import { contentPath, isFingerprint } from '../content-path.ts'
import { writeWhole } from '../whole-file.ts'
import { createMatroskaReader, type MatroskaBlock } from './piped-matroska.ts'
import { backgroundReadRate } from './read-rate.ts'
import { startBounded, type RunningFfmpeg, type StartFfmpeg } from './running-ffmpeg.ts'
import { createSubtitleDocument } from './subtitle-documents.ts'

export interface FilmTextsOptions {
  readonly clock: Clock
  readonly folder: string
  readonly start: StartFfmpeg
}

const WHOLE_TIMEOUT_MS = 30 * 60_000
const BACKGROUND_TIMEOUT_MS = 3 * 60 * 60_000
const STRETCH_TIMEOUT_MS = 20_000
/** No cue is shown longer: those that began before a stretch are still seen in it. */
const PRE_ROLL_MS = 30_000
/** Text may lie behind the sound of the same time. */
const OVERRUN_MS = 2_000
const MAX_TRACKS = 64

export function createFilmTexts(options: FilmTextsOptions): FilmTexts {
  const fileOf = ({ fingerprint }: TextFilm, { stream, codec }: TextTrack): string => {
    const format = subtitleFormat(codec)
    if (!isFingerprint(fingerprint) || !Number.isSafeInteger(stream) || !format) throw new Error('Not a text track')
    return contentPath(options.folder, fingerprint, `-${stream}.${format}`)
  }
  return {
    async isKept(film) {
      for (const track of film.tracks.slice(0, MAX_TRACKS)) if (!(await exists(fileOf(film, track)))) return false
      return true
    },
    kept: (film, track) => readFile(fileOf(film, track)).catch(() => undefined),
    async takeOut(film, { background, signal }) {
      const tracks = film.tracks.slice(0, MAX_TRACKS)
      const args = [...(background ? ['-readrate', backgroundReadRate(film.bitrateBps)] : []), ...inputOf(film), ...outputOf(tracks)]
      const timeoutMs = background ? BACKGROUND_TIMEOUT_MS : WHOLE_TIMEOUT_MS
      const documents = await read(options, { args, tracks, signal, timeoutMs, idle: background, isEnd: () => false })
      if (!documents) return false
      for (const [index, track] of tracks.entries()) await keep(fileOf(film, track), documents[index] ?? Buffer.alloc(0))
      return true
    },
    async stretch(film, stretch, signal) {
      const args = [...seekTo(film, stretch), ...inputOf(film), ...pacedOutput(film, stretch)]
      const isEnd = ({ track, startMs }: MatroskaBlock): boolean => track === 2 && startMs > stretch.toMs + OVERRUN_MS
      const reading = { args, tracks: [stretch.track], signal, timeoutMs: STRETCH_TIMEOUT_MS, idle: false, isEnd }
      return (await read(options, reading))?.[0]
    },
  }
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

/** Seeks count from the container's start, even where timestamps are kept as they are. */
function seekTo({ startMs }: TextFilm, { fromMs }: Stretch): readonly string[] {
  const seekMs = fromMs - PRE_ROLL_MS - startMs
  return seekMs > 0 ? ['-ss', seconds(seekMs)] : []
}

const inputOf = ({ path }: TextFilm): readonly string[] => ['-copyts', ...filmInput(path)]

/** MP4 has a form of its own, which Matroska does not take. */
const codecOf = ({ codec }: TextTrack, index: number): readonly string[] => [`-c:s:${index}`, codec === 'mov_text' ? 'srt' : 'copy']

const TO_PIPE = ['-avoid_negative_ts', 'disabled', '-max_interleave_delta', '1000', '-flush_packets', '1', '-f', 'matroska', 'pipe:1']

function outputOf(tracks: readonly TextTrack[]): readonly string[] {
  return [...tracks.flatMap(({ stream }) => ['-map', `0:${stream}`]), ...tracks.flatMap(codecOf), ...TO_PIPE]
}

/**
 * With the sound beside the text it shows how far the film has been read; a lone text may be minutes from the next. Not in MP4:
 * there nothing but the text is read, and what is converted may come later than sound of a later time.
 */
function pacedOutput({ pacer }: TextFilm, { track, toMs }: Stretch): readonly string[] {
  const paced =
    pacer === null || track.codec === 'mov_text' ? ['-to', seconds(toMs)] : ['-map', `0:${pacer}`, '-c:a', 'copy', '-c:v', 'copy']
  return ['-map', `0:${track.stream}`, ...codecOf(track, 0), ...paced, '-cluster_time_limit', '500', ...TO_PIPE]
}

interface Reading {
  readonly args: readonly string[]
  readonly tracks: readonly TextTrack[]
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly idle: boolean
  /** Whether all that was wanted lies before this block. */
  readonly isEnd: (block: MatroskaBlock) => boolean
}

/** The tracks as files; undefined when ffmpeg did not come to the end. */
async function read(options: FilmTextsOptions, reading: Reading): Promise<readonly Buffer[] | undefined> {
  const { args, tracks, signal, timeoutMs, idle, isEnd } = reading
  const { child, end } = startBounded(options, { args: ['-v', 'error', '-nostdin', ...args], idle, timeoutMs, signal })
  try {
    const reader = createMatroskaReader()
    const documents = tracks.map(({ codec }) => createSubtitleDocument(formatOf(codec)))
    const ended = await gather(child, (bytes) => {
      for (const block of reader.push(bytes)) {
        documents[block.track - 1]?.add(block)
        if (isEnd(block)) return true
      }
      return false
    })
    signal.throwIfAborted()
    return ended ? documents.map((document, index) => document.bytes(reader.headers.get(index + 1))) : undefined
  } finally {
    end()
  }
}

const formatOf = (codec: string): SubtitleFormat => subtitleFormat(codec) ?? 'subrip'

/** True when all that was wanted was read; a film with damage in it is read past that. */
async function gather(child: RunningFfmpeg, isEnough: (bytes: Uint8Array) => boolean): Promise<boolean> {
  try {
    for await (const bytes of child.output) if (isEnough(bytes)) return true
  } catch {
    return false
  }
  const { code, errors } = await child.exited
  return code === 0 && !/Input\/output error/i.test(errors)
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** A disk that is full costs the copy, not its caller. */
const keep = (file: string, bytes: Buffer): Promise<void> => writeWhole(file, bytes).catch(() => undefined)
