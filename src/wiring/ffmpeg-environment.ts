/** Provides the environment in which ffmpeg and ffprobe are searched: that of this process, and the settings. */
import type { Config } from '../config/config.ts'

export const programEnvironment = ({ ffmpegPath, ffprobePath }: Pick<Config, 'ffmpegPath' | 'ffprobePath'>) => ({
  ...process.env,
  ...(ffmpegPath ? { FFMPEG_PATH: ffmpegPath } : {}),
  ...(ffprobePath ? { FFPROBE_PATH: ffprobePath } : {}),
})
