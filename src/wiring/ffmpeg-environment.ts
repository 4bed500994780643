/** Where ffmpeg and ffprobe are looked for: the environment of this process, and what the settings name. */
import type { Config } from '../config/config.ts'

export const programEnvironment = ({ ffmpegPath, ffprobePath }: Pick<Config, 'ffmpegPath' | 'ffprobePath'>) => ({
  ...process.env,
  ...(ffmpegPath ? { FFMPEG_PATH: ffmpegPath } : {}),
  ...(ffprobePath ? { FFPROBE_PATH: ffprobePath } : {}),
})
