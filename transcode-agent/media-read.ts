/** Starts the program that one read of a film needs. */
import { mediaInput, type MediaInput } from '../src/ffmpeg/inputs.ts'
import { startFfmpeg, type FfmpegProcess } from '../src/ffmpeg/process.ts'
import type { MediaRead, ReadPriority } from '../src/ports/media-reads.ts'
import { isProbe, readArguments } from './media-read-arguments.ts'
import { createFrameProbe } from './frame-probe.ts'

export interface ReadPrograms {
  readonly ffmpeg: string
  readonly ffprobe: string
}

/** @throws Error this machine cannot show the film's colours */
export type StartRead = (read: MediaRead, input: MediaInput, priority: ReadPriority) => Promise<FfmpegProcess>

export function createStartRead({ ffmpeg, ffprobe }: ReadPrograms): StartRead {
  const look = createFrameProbe(ffmpeg)
  return async (read, input, priority) => {
    const args = await readArguments(read, { input: (options) => mediaInput(input, options), look })
    const order = { behind: priority === 'behind', idle: priority === 'idle' }
    return isProbe(read) ? startFfmpeg(ffprobe, args, { work: 'probe', ...order }) : startFfmpeg(ffmpeg, args, { work: 'read', ...order })
  }
}
