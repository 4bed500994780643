/** Provides the environment in which ffmpeg and ffprobe are searched: that of this process, and the settings. */
import { omitUndefined } from '../vocabulary/omit-undefined.ts'
import type { Config } from '../config/config.ts'

export const programEnvironment = ({ ffmpegPath, ffprobePath }: Pick<Config, 'ffmpegPath' | 'ffprobePath'>) => ({
  ...process.env,
  ...omitUndefined({ FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath }),
})
