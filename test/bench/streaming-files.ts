/**
 * Prepares the films for `streaming.ts`: one of the media set, or a clip if that is missing, repeated to some minutes. Copies differ by a
 * tag, so that the server treats each as a separate film.
 */
import { execa } from 'execa'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip, mediaSet, programs } from '../fixtures/media-files.ts'

export interface BenchFiles {
  readonly folder: string
  /** Titles, in order. */
  readonly titles: readonly string[]
  readonly source: string
}

const FILM = 'Big Buck Bunny (2008)'
const REPEATS = 3
const COPIES = 10
const TIMEOUT_MS = 120_000

export async function prepareFiles(folder: string): Promise<BenchFiles> {
  const { ffmpeg } = await programs
  const set = mediaSet()
  const source = set ? join(set.movies, FILM, `${FILM}.mp4`) : await makeClip({ path: join(folder, 'clip.mp4'), ...CLIP })
  const films = join(folder, 'films')
  const titles = Array.from({ length: COPIES }, (_, copy) => `Copy ${copy}`)
  for (const title of titles) {
    await mkdir(join(films, title), { recursive: true })
    const repeat = ['-v', 'error', '-nostdin', '-stream_loop', String(REPEATS - 1), '-i', source]
    const copy = ['-map', '0:v:0', '-map', '0:a:0', '-c', 'copy', '-map_metadata', '-1', '-metadata', `comment=${title}`]
    await execa(ffmpeg, [...repeat, ...copy, join(films, title, `${title}.mp4`)], { timeout: TIMEOUT_MS })
  }
  return { folder: films, titles, source: set ? FILM : 'a made clip, 720p' }
}

const CLIP = {
  seconds: 60,
  width: 1280,
  height: 720,
  keyframeInterval: 96,
  bFrames: 2,
  output: ['-b:v', '2M', '-maxrate', '2M', '-bufsize', '2M', '-x264-params', 'nal-hrd=cbr'],
} as const
