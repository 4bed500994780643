/**
 * Small pictures out of films, by ffmpeg. They come through a pipe of Matroska, which tells of each JPEG when it is shown, so that
 * what is said of a picture is what the decoder said of it.
 */
import { filmInput } from '../../ffmpeg/inputs.ts'
import { within } from '../../flow/deadline.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FilmPicture, PicturedFilm, TrickplayMaker } from '../../ports/trickplay-maker.ts'
import { createMatroskaReader } from './piped-matroska.ts'
import { backgroundReadRate } from './read-rate.ts'
import { startBounded, type StartFfmpeg } from './running-ffmpeg.ts'

export interface FilmPicturesOptions {
  readonly clock: Clock
  readonly start: StartFfmpeg
  /** @throws Error this machine cannot show the film's colours */
  readonly look: (film: PicturedFilm) => Promise<Look>
}

/** From a decoded picture to the small one: size, brightness, colours. */
export interface Look {
  /** What has to be there before the film is opened. */
  readonly needs: readonly string[]
  readonly filters: readonly string[]
}

/** Reading a whole film takes as long as watching it at most, and this for slow disks. */
const THROUGH_TIMEOUT_MS = 10 * 60_000
const END_MS = 5_000
/** Ten seconds of the largest pictures, decoded by the smallest machine. */
const GRAB_TIMEOUT_MS = 2 * 60_000
/** How much after a moment its picture may come. */
const GRAB_REACH_MS = 30_000
/** Matroska has no times before zero, films do. */
const OFFSET_MS = 1_000_000
/** Rounding of the container. */
const TOLERANCE_MS = 1
const PIXELS_MAX = 50_000_000

export function createFilmPictures(options: FilmPicturesOptions): Pick<TrickplayMaker, 'keyframes' | 'pictureFrom'> {
  return {
    async *keyframes(film, signal) {
      const look = await options.look(film)
      const input = ['-readrate', backgroundReadRate(film.bitrateBps), '-skip_frame', 'nokey', ...inputOf(film)]
      const args = [...look.needs, ...input, ...outputOf(film, 'select=eq(key\\,1)', look)]
      yield* picturesBy(options, { film, args, signal, timeoutMs: THROUGH_TIMEOUT_MS + film.durationMs })
    },
    async pictureFrom(film, { fromMs, seekMs }, signal) {
      const look = await options.look(film)
      const startMs = film.zeroMs + fromMs - TOLERANCE_MS
      const trim = `trim=start=${seconds(startMs)}:end=${seconds(startMs + GRAB_REACH_MS)}`
      const seek = seekMs === null ? [] : ['-seek_timestamp', '1', '-noaccurate_seek', '-ss', seconds(film.zeroMs + seekMs)]
      const args = [...look.needs, ...seek, ...inputOf(film), '-frames:v', '1', ...outputOf(film, trim, look)]
      for await (const picture of picturesBy(options, { film, args, signal, timeoutMs: GRAB_TIMEOUT_MS })) return picture
      return undefined
    },
  }
}

const seconds = (ms: number): string => (ms / 1000).toFixed(6)

const ONE_BY_ONE = '-threads 1 -copyts'.split(' ')
const inputOf = ({ path }: PicturedFilm): readonly string[] => [...ONE_BY_ONE, ...filmInput(path, ['-max_pixels', String(PIXELS_MAX)])]

/** Of interlaced pictures one field: between pictures that lie seconds apart there is nothing to interpolate. */
const fieldOf = ({ track }: PicturedFilm): readonly string[] => (track.interlaced ? ['field=type=top'] : [])

/** A JPEG says nothing of its colours: they are those of JFIF. */
const JPEG_COLOURS = ['scale=out_color_matrix=bt601:out_range=pc', 'setsar=1', 'format=yuvj420p']
const JPEGS = '-fps_mode passthrough -enc_time_base 1:90000 -c:v mjpeg -q:v 2 -map_metadata -1 -map_chapters -1'.split(' ')
const TO_PIPE = '-avoid_negative_ts disabled -flush_packets 1 -f matroska pipe:1'.split(' ')

function outputOf(film: PicturedFilm, first: string, { filters }: Look): readonly string[] {
  const all = [first, ...fieldOf(film), ...filters, ...JPEG_COLOURS].join(',')
  return ['-map', `0:${film.track.stream}`, '-vf', all, ...JPEGS, '-output_ts_offset', String(OFFSET_MS / 1000), ...TO_PIPE]
}

interface Run {
  readonly film: PicturedFilm
  readonly args: readonly string[]
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

async function* picturesBy(options: FilmPicturesOptions, { film, args, signal, timeoutMs }: Run): AsyncGenerator<FilmPicture> {
  const { child, end } = startBounded(options, { args: ['-v', 'error', '-nostdin', ...args], idle: true, timeoutMs, signal })
  try {
    const reader = createMatroskaReader()
    for await (const bytes of child.output) {
      for (const { startMs, payload } of reader.push(bytes)) yield { atMs: startMs - OFFSET_MS - film.zeroMs, jpeg: payload }
    }
    signal.throwIfAborted()
    const { code, errors } = await child.exited
    if (code !== 0) throw new Error(`ffmpeg could not read the film: ${errors.slice(-500)}`)
  } catch (cause) {
    signal.throwIfAborted()
    throw cause
  } finally {
    end()
    // A program that waits for a dead drive cannot be ended: it ends with the drive.
    await within(child.exited, { clock: options.clock, ms: END_MS, message: 'ffmpeg does not end' }).catch(() => undefined)
  }
}
