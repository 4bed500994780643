/** Examines an encoder's output for a test video: number of frames, codec, and which frames are keyframes. */
import type { Clock } from '../src/ports/clock.ts'
import { joined, readBoxes, view } from './box-stream.ts'
import { samplesOf, type Sample } from './fragment.ts'
import { initSegment } from './init-segment.ts'

export interface TestFrames {
  readonly count: number
  /** RFC 6381; undefined if no frame came. */
  readonly codec: string | undefined
  /** Times of the frames at which a decoder can start. */
  readonly beginsMs: readonly number[]
  /** Includes opening the hardware device. */
  readonly tookMs: number
}

const LENGTH_BYTES = 4
/** Types of H.264 NAL units that hold a part of a frame (ITU-T H.264, table 7-1). */
const SLICE = 1
const IDR_SLICE = 5

/** Reads until the stream ends; the caller knows why it ended. */
export async function watchTestFrames(output: AsyncIterable<Uint8Array>, clock: Clock): Promise<TestFrames> {
  const seen = {
    count: 0,
    codec: undefined as string | undefined,
    beginsMs: [] as number[],
    timescale: 1,
    samples: [] as readonly Sample[],
  }
  const startedAt = clock.monotonic()
  try {
    for await (const { type, payload } of readBoxes(output)) {
      if (type === 'moov') Object.assign(seen, initSegment(joined(payload)))
      if (type === 'moof') seen.samples = samplesOf(joined(payload))
      if (type !== 'mdat') continue
      seen.count += seen.samples.length
      seen.beginsMs.push(...begins(seen.samples, joined(payload)).map((pts) => Math.round((pts * 1000) / seen.timescale)))
    }
  } catch {
    // The program's end closes the pipe; the frames before it count.
  }
  const { count, codec, beginsMs } = seen
  return { count, codec, beginsMs, tookMs: clock.monotonic() - startedAt }
}

/** The encoder's keyframe flag is not trusted: a decoder goes by the NAL units. */
function begins(samples: readonly Sample[], data: Uint8Array): readonly number[] {
  let at = 0
  return samples.flatMap(({ pts, sizeBytes }) => {
    at += sizeBytes
    return isIdr(data.subarray(at - sizeBytes, at)) ? [pts] : []
  })
}

function isIdr(frame: Uint8Array): boolean {
  for (let at = 0; at + LENGTH_BYTES < frame.length;) {
    const unit = (frame[at + LENGTH_BYTES] ?? 0) & 0x1f
    if (unit >= SLICE && unit <= IDR_SLICE) return unit === IDR_SLICE
    at += LENGTH_BYTES + view(frame).getUint32(at)
  }
  return false
}
