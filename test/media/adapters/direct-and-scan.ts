/** Reads the times of a film in both ways: from the container's own tables, and from all of its packets. */
import { Unsupported } from '../../../src/adapters/containers/unsupported.ts'
import { readDirectly } from '../../../src/adapters/containers/direct-reading.ts'
import { indexFromTimes } from '../../../src/adapters/containers/track-times.ts'
import { createFfprobe } from '../../../src/adapters/ffmpeg/ffprobe.ts'
import { scanPackets } from '../../../src/adapters/ffmpeg/packet-scan.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import type { MediaIndex } from '../../../src/ports/media.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import { programs } from '../../fixtures/media-files.ts'

const never = new AbortController().signal
const SCAN_TIMEOUT_MS = 60_000

/** The times from the tables, or why the tables are rejected. */
export async function direct(path: string): Promise<MediaIndex | string> {
  const { times } = await readDirectly(path, { signal: never })
  return times instanceof Unsupported ? times.message : indexFromTimes(times)
}

export async function scanned(path: string): Promise<MediaIndex> {
  const ffprobe = createFfprobe({ start: mediaFfmpeg('ffmpeg', (await programs).ffprobe), clock: createSystemClock() })
  const {
    index: { whole: _whole, ...index },
  } = await scanPackets(ffprobe, { path, signal: never, timeoutMs: SCAN_TIMEOUT_MS })
  return index
}
