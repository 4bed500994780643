/** Generates films with subtitle tracks. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { programs } from '../fixtures/media-files.ts'

export interface SubtitledClip {
  readonly folder: string
  /** Its extension selects the container. */
  readonly name: string
  readonly seconds: number
  /** Subtitle files by their extension (`srt`, `ass`, `vtt`), one track each. */
  readonly subtitles: readonly (readonly [extension: string, text: string])[]
  /** Start of the film's own timestamps. */
  readonly startSeconds?: number
  /** Delay of the audio against the video. */
  readonly soundDelaySeconds?: number
  /** Codec of the tracks; default: that of the files. */
  readonly codec?: string
}

/** A tiny film: one frame per second, a low tone. */
export async function makeSubtitledClip(film: SubtitledClip): Promise<string> {
  const { folder, name, seconds, subtitles, startSeconds = 0, soundDelaySeconds = 0, codec = 'copy' } = film
  const { ffmpeg } = await programs
  mkdirSync(folder, { recursive: true })
  const files = subtitles.map(([extension, text], index) => {
    const path = join(folder, `${name}-${index}.${extension}`)
    writeFileSync(path, text)
    return path
  })
  const path = join(folder, name)
  const video = ['-f', 'lavfi', '-i', `testsrc2=size=64x36:rate=5:duration=${seconds}`]
  const audio = ['-itsoffset', String(soundDelaySeconds), '-f', 'lavfi', '-i', `sine=frequency=200:sample_rate=48000:duration=${seconds}`]
  const maps = [0, 1, ...files.map((_, index) => index + 2)].flatMap((input) => ['-map', String(input)])
  const codecs = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '10',
    '-bf',
    '0',
    '-c:a',
    'ac3',
    '-b:a',
    '64k',
    '-ac',
    '1',
    '-c:s',
    codec,
  ]
  const inputs = [...video, ...audio, ...files.flatMap((file) => ['-i', file])]
  const offset = ['-copyts', '-output_ts_offset', String(startSeconds), '-avoid_negative_ts', 'disabled']
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...inputs, ...maps, ...codecs, ...offset, path], { timeout: 60_000 })
  return path
}

/** SubRip text of cues in seconds. */
export function subRip(...cues: readonly (readonly [from: number, to: number, text: string])[]): string {
  return cues.map(([from, to, text], index) => `${index + 1}\n${stamp(from)} --> ${stamp(to)}\n${text}\n\n`).join('')
}

function stamp(seconds: number): string {
  return new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23).replace('.', ',')
}
