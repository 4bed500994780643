/** The ffmpeg that this process reads films with by itself: their texts, their loudness, small pictures of them. */
import type { StartFfmpeg } from './adapters/media/running-ffmpeg.ts'
import { startFfmpeg } from './ffmpeg/process.ts'

export const filmFfmpeg =
  (ffmpegPath: string): StartFfmpeg =>
  (args, { idle }) =>
    startFfmpeg(ffmpegPath, args, { work: 'read', idle })
