/** Starts the program that one read of a film needs. */
import { filmInput, proxiedFilmInput } from '../src/ffmpeg/inputs.ts'
import { startFfmpeg, type FfmpegProcess } from '../src/ffmpeg/process.ts'
import type { FilmRead, ReadPriority } from '../src/ports/film-reads.ts'
import { isProbe, readArguments } from './film-read-arguments.ts'
import type { FilmInput } from './open-film.ts'
import { createPictureLook } from './picture-look.ts'

export interface ReadPrograms {
  readonly ffmpeg: string
  readonly ffprobe: string
}

/** @throws Error this machine cannot show the film's colours */
export type StartRead = (read: FilmRead, input: FilmInput, priority: ReadPriority) => Promise<FfmpegProcess>

export function createStartRead({ ffmpeg, ffprobe }: ReadPrograms): StartRead {
  const look = createPictureLook(ffmpeg)
  return async (read, input, priority) => {
    const args = await readArguments(read, { input: (options) => inputOf(input, options), look })
    const order = { behind: priority === 'behind', idle: priority === 'idle' }
    return isProbe(read) ? startFfmpeg(ffprobe, args, { work: 'probe', ...order }) : startFfmpeg(ffmpeg, args, { work: 'read', ...order })
  }
}

const inputOf = (input: FilmInput, options?: readonly string[]): readonly string[] =>
  input.type === 'path' ? filmInput(input.path, options) : proxiedFilmInput(input.url, options)
