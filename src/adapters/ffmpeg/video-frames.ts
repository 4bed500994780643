/**
 * Extracts thumbnails from films by ffmpeg. They come through a pipe as Matroska, which carries each JPEG's presentation time, so the times
 * are the decoder's own.
 */
import { withTimeout } from '../../concurrency/timeout.ts'
import type { Clock } from '../../ports/clock.ts'
import { MediaReadLost, FRAME_OFFSET_MS, type MediaRead, type ReadVideo, type StartMediaRead } from '../../ports/media-reads.ts'
import type { MediaFrame, MediaFileWithFrames, TrickplayMaker } from '../../ports/trickplay-maker.ts'
import { startBounded, untilRead } from './bounded-read.ts'
import { createMatroskaReader } from './piped-matroska.ts'
import { backgroundReadRate } from './read-rate.ts'

export interface MediaFramesOptions {
  readonly clock: Clock
  readonly start: StartMediaRead
}

/** Reading a whole film takes at most as long as watching it; this is added for slow disks. */
const THROUGH_TIMEOUT_MS = 10 * 60_000
const END_MS = 5_000
/** Ten seconds of the largest video, decoded by the smallest machine. */
const GRAB_TIMEOUT_MS = 2 * 60_000
/** How long after the requested time a frame may come. */
const GRAB_REACH_MS = 30_000
/** Rounding of the container. */
const TOLERANCE_MS = 1

export function createMediaFrames(options: MediaFramesOptions): Pick<TrickplayMaker, 'keyframes' | 'frameFrom'> {
  return {
    async *keyframes(mediaFile, signal) {
      const read = { type: 'keyframes', mediaFile: videoOf(mediaFile), readRate: backgroundReadRate(mediaFile.bitrateBps) } as const
      const run = { mediaFile, read, signal, timeoutMs: THROUGH_TIMEOUT_MS + mediaFile.durationMs }
      yield* resumed(options, run)
    },
    async frameFrom(mediaFile, { fromMs, seekMs }, signal) {
      const startMs = mediaFile.zeroMs + fromMs - TOLERANCE_MS
      const seek = seekMs === null ? null : mediaFile.zeroMs + seekMs
      const window = { fromMs: startMs, toMs: startMs + GRAB_REACH_MS, seekMs: seek }
      const read = { type: 'picture-from', mediaFile: videoOf(mediaFile), ...window } as const
      const first = async () => {
        for await (const frame of framesBy(options, { mediaFile, read, signal, timeoutMs: GRAB_TIMEOUT_MS })) return frame
        return undefined
      }
      return untilRead(options.clock, first, signal)
    },
  }
}

const videoOf = ({ track, width, height }: MediaFileWithFrames): ReadVideo => ({ track, width, height })

interface Run {
  readonly mediaFile: MediaFileWithFrames
  readonly read: MediaRead
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** If an agent was lost, another one starts over: the same thumbnails come again, and those already yielded are skipped. */
async function* resumed(options: MediaFramesOptions, run: Run): AsyncGenerator<MediaFrame> {
  let given = 0
  let frames: AsyncGenerator<MediaFrame> | undefined
  const next = async (): Promise<IteratorResult<MediaFrame>> => {
    let passed = frames ? given : 0
    frames ??= framesBy(options, run)
    try {
      for (; ; passed++) {
        const frame = await frames.next()
        if (frame.done === true || passed >= given) return frame
      }
    } catch (cause) {
      if (cause instanceof MediaReadLost) frames = undefined
      throw cause
    }
  }
  try {
    for (; ; given++) {
      const frame = await untilRead(options.clock, next, run.signal)
      if (frame.done === true) return
      yield frame.value
    }
  } finally {
    await frames?.return(undefined)
  }
}

async function* framesBy(options: MediaFramesOptions, { mediaFile, read, signal, timeoutMs }: Run): AsyncGenerator<MediaFrame> {
  const { child, end } = startBounded(options, { path: mediaFile.path, read, priority: 'idle', timeoutMs, signal })
  try {
    const reader = createMatroskaReader()
    for await (const bytes of child.output) {
      for (const { startMs, payload } of reader.push(bytes)) yield { atMs: startMs - FRAME_OFFSET_MS - mediaFile.zeroMs, jpeg: payload }
    }
    signal.throwIfAborted()
    const { code, errors } = await child.exited
    if (code !== 0) throw new Error(`ffmpeg could not read the film: ${errors.slice(-500)}`)
  } catch (cause) {
    signal.throwIfAborted()
    throw cause
  } finally {
    end()
    // A program that waits for a dead drive cannot be killed: it ends with the drive.
    await withTimeout(child.exited, { clock: options.clock, ms: END_MS, message: 'ffmpeg does not end' }).catch(() => undefined)
  }
}
