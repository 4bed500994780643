/** The ffmpeg that this process reads films with by itself: their texts, their loudness, small pictures of them. */
import type { StartFfmpeg } from './adapters/media/running-ffmpeg.ts'
import { findGuard, isOnPath, putBehind, startFfmpeg } from '../transcode-agent/ffmpeg-process.ts'

/** What is idle has an idle disk class, too, where the system has one. */
export function filmFfmpeg(ffmpegPath: string): StartFfmpeg {
  const guard = findGuard()
  const hasIdleClass = isOnPath('ionice')
  return (args, { idle }) => {
    const isIdle = idle && hasIdleClass
    const child = isIdle ? startFfmpeg('ionice', ['-t', '-c', '3', ffmpegPath, ...args], guard) : startFfmpeg(ffmpegPath, args, guard)
    if (idle) putBehind(child.pid)
    return child
  }
}
