/**
 * Films for tests: the developers' media set where it lies beside the project, and clips made by ffmpeg everywhere.
 */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { execa } from 'execa'
import { findPrograms } from '../src/ffmpeg/ffmpeg-programs.ts'

export interface ManifestFilm {
  /** Below the set's folder. */
  readonly path: string
  readonly bytes: number
  readonly container: string
  readonly durationMs: number
  readonly startMs: number
  readonly bitRate: number
  readonly video: Readonly<Record<string, unknown>> & { readonly keyframesMs: readonly number[]; readonly fpsRational: string }
  readonly audioTracks: readonly (Readonly<Record<string, unknown>> & { readonly index: number; readonly language: string | null })[]
  readonly subtitleTracks: readonly (Readonly<Record<string, unknown>> & { readonly index: number; readonly language: string | null })[]
  readonly chapters: readonly { readonly startMs: number; readonly title: string }[]
  readonly expected: { readonly titleFromName: string; readonly yearFromName: number }
}

interface ManifestCue {
  readonly startMs: number
  readonly endMs: number
  readonly text: string
}

export interface ManifestSubtitle {
  readonly kind: 'subtitle'
  readonly path: string
  readonly film: string
  readonly format: 'subrip' | 'webvtt'
  readonly encoding: string
  readonly language: string
  readonly forced: boolean
  readonly sdh: boolean
  readonly cueCount: number
  readonly firstCue: ManifestCue
  readonly lastCue: ManifestCue
}

export interface ManifestNfo {
  readonly kind: 'nfo'
  readonly path: string
  readonly title: string
  readonly originalTitle: string | null
  readonly sortTitle: string | null
  readonly year: number | null
  readonly premiered: string | null
  readonly plot: string | null
  readonly tagline: string | null
  readonly mpaa: string | null
  readonly rating: number | null
  readonly set: string | null
  readonly genres: readonly string[]
  readonly tags: readonly string[]
  readonly countries: readonly string[]
  readonly studios: readonly string[]
  readonly directors: readonly string[]
  readonly writers: readonly string[]
  readonly actors: readonly { readonly name: string; readonly role: string; readonly order: number }[]
  readonly uniqueIds: { readonly imdb?: string; readonly tmdb?: string }
}

interface ManifestImage {
  readonly kind: 'image'
  readonly path: string
  readonly role: string
}

export interface Manifest {
  readonly files: readonly ManifestFilm[]
  readonly sidecars: readonly (ManifestSubtitle | ManifestNfo | ManifestImage)[]
  readonly broken: readonly { readonly path: string; readonly kind: string; readonly lastVideoPacketMs?: number }[]
}

export interface MediaSet {
  /** Folder that the manifest's paths are below. */
  readonly root: string
  readonly movies: string
  readonly broken: string
  readonly manifest: Manifest
}

export interface Clip {
  /** Where to write it; its extension chooses the container. Folders are made. */
  readonly path: string
  /** Default 2. */
  readonly seconds?: number
  /** Default 320 x 180. */
  readonly width?: number
  readonly height?: number
  /** Default 24. */
  readonly fps?: number
  /** Frames between keyframes, exactly; default one second of them. */
  readonly keyframeInterval?: number
  readonly bFrames?: number
  /** Default true. */
  readonly video?: boolean
  /** One AAC track for each language (ISO 639-2, as containers have it); default one track, `eng`. */
  readonly audio?: readonly string[]
  /** More arguments before the output. */
  readonly output?: readonly string[]
}

const root = resolve(import.meta.dirname, '../../shared/media')
const CLIP_TIMEOUT_MS = 60_000

/** The media set, or undefined where it is not. */
export function mediaSet(): MediaSet | undefined {
  const manifest = join(root, 'manifest.json')
  if (!existsSync(manifest)) return undefined
  return {
    root,
    movies: join(root, 'movies'),
    broken: join(root, 'broken'),
    manifest: JSON.parse(readFileSync(manifest, 'utf8')) as Manifest,
  }
}

/** ffmpeg and ffprobe as the server would choose them. */
export const programs = findPrograms(process.env)

/** Makes a small film of moving bars and a tone, H.264 and AAC, and gives its path. 2 s take about 0.3 s. */
export async function makeClip(clip: Clip): Promise<string> {
  const { ffmpeg } = await programs
  await mkdir(dirname(clip.path), { recursive: true })
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...inputs(clip), ...codecs(clip), ...(clip.output ?? []), clip.path], {
    timeout: CLIP_TIMEOUT_MS,
  })
  return clip.path
}

/** A film with picture and sound: one of the set, else a clip made in the folder. */
export async function film(folder: string): Promise<string> {
  const set = mediaSet()
  return set
    ? join(set.movies, 'Sintel (2010)', 'Sintel (2010).mkv')
    : makeClip({ path: join(folder, 'Sintel (2010).mkv'), seconds: 6, bFrames: 2 })
}

function inputs({ seconds = 2, width = 320, height = 180, fps = 24, video = true, audio = ['eng'] }: Clip): string[] {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=${fps}:duration=${seconds}`]
  const sound = audio.flatMap((_, index) => [
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=${440 + index * 110}:sample_rate=48000:duration=${seconds}`,
  ])
  return [...(video ? picture : []), ...sound]
}

function codecs({ path, fps = 24, keyframeInterval = fps, bFrames = 0, video = true, audio = ['eng'] }: Clip): string[] {
  const first = video ? 1 : 0
  const maps = [...(video ? ['-map', '0:v'] : []), ...audio.flatMap((_, index) => ['-map', `${index + first}:a`])]
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '35', '-pix_fmt', 'yuv420p', '-sc_threshold', '0']
  const groups = ['-g', String(keyframeInterval), '-keyint_min', String(keyframeInterval), '-bf', String(bFrames)]
  const languages = audio.flatMap((language, index) => [`-metadata:s:a:${index}`, `language=${language}`])
  const exact = ['-fflags', '+bitexact', '-threads', '1', ...(extname(path) === '.mp4' ? ['-movflags', '+faststart'] : [])]
  return [...maps, ...(video ? [...x264, ...groups] : []), '-c:a', 'aac', '-b:a', '64k', '-ac', '2', ...languages, ...exact]
}
