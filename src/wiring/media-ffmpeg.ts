/** Finds the ffmpeg and ffprobe with which this process reads films itself. */
import { createStartRead } from '../../transcode-agent/media-read.ts'
import { createJoinedFilms } from '../adapters/ffmpeg/joined-films.ts'
import { omitUndefined } from '../vocabulary/omit-undefined.ts'
import type { MediaReadEnd, RunningMediaRead, StartMediaRead } from '../ports/media-reads.ts'

const KILLED: MediaReadEnd = { code: null, signal: 'SIGKILL', errors: '', firstErrors: '' }

export function mediaFfmpeg(ffmpeg: string, ffprobe = 'ffprobe', findJoined = createJoinedFilms()): StartMediaRead {
  const start = createStartRead({ ffmpeg, ffprobe })
  return ({ path, read, priority }): RunningMediaRead => {
    let isKilled = false
    const starting = findJoined(path).then(async (joined) => {
      const child = await start(read, { type: 'path', path, ...omitUndefined({ parts: joined?.parts }) }, priority)
      if (isKilled) child.kill()
      return child
    })
    const begun = Promise.withResolvers<void>()
    starting.then(
      () => begun.resolve(),
      () => undefined,
    )
    async function* output(): AsyncGenerator<Uint8Array> {
      const { output: bytes } = await starting
      yield* bytes as AsyncIterable<Uint8Array>
    }
    const exited = starting.then(
      (child) => child.exited,
      (cause: unknown) => {
        if (isKilled) return KILLED
        throw cause
      },
    )
    exited.catch(() => undefined)
    return {
      begun: begun.promise,
      output: output(),
      exited,
      kill() {
        isKilled = true
        starting.then(
          (child) => child.kill(),
          () => undefined,
        )
      },
    }
  }
}
