/** The ffmpeg that reads text out of films: ends with this process; with an idle disk class where the system has one. */
import { constants, setPriority } from 'node:os'
import type { FilmTextsOptions } from './adapters/media/film-texts.ts'
import { findGuard, isOnPath, startFfmpeg } from '../transcode-agent/ffmpeg-process.ts'

export function filmTextProgram(ffmpegPath: string): FilmTextsOptions['start'] {
  const guard = findGuard()
  const hasIdleClass = isOnPath('ionice')
  return (args, { idle }) => {
    const isIdle = idle && hasIdleClass
    const child = isIdle ? startFfmpeg('ionice', ['-t', '-c', '3', ffmpegPath, ...args], guard) : startFfmpeg(ffmpegPath, args, guard)
    if (idle) lower(child.pid)
    return child
  }
}

function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already, or the system does not let us: it then runs like any other.
  }
}
