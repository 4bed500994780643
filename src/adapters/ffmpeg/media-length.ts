/** Determines a film's length: from its first packet to the end of its last one, whatever origin its container uses. */
import { NotPlayable } from '../../ports/media.ts'
import type { FfprobeOutput } from './ffprobe-output.ts'
import type { RunFfprobe } from './ffprobe.ts'
import { durationMsOf } from './media-description-from-ffprobe.ts'
import { NO_LENGTH } from './not-playable.ts'
import { scanPackets } from './packet-scan.ts'

export interface LengthReading {
  readonly ffprobe: RunFfprobe
  readonly path: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** Containers whose duration is a length if some programs wrote it (mkvmerge), and the end time if others did (ffmpeg). */
const AMBIGUOUS = /\b(?:matroska|mov)\b/
/** A smaller start time is not worth a check: an audio frame, or a decoder's delay. */
const LATE_MS = 500
/** Range in which the end is searched: before and after the container's time. */
const BEFORE_MS = 2_000
const AFTER_MS = 1_500
/** The container's duration may be rounded, or be that of another track. */
const ROUNDING_MS = 250

/** @throws NotPlayable neither its container nor its packets contain it */
export async function mediaLengthMs(reading: LengthReading, output: FfprobeOutput): Promise<number> {
  const statedMs = durationMsOf(output)
  if (statedMs === null) return measure(reading)
  const startMs = Number.parseFloat(output.format?.start_time ?? '0') * 1000
  if (!(startMs >= LATE_MS && startMs < statedMs) || !AMBIGUOUS.test(output.format?.format_name ?? '')) return statedMs
  return (await goesOnAfter(reading, statedMs)) ? statedMs : Math.round(statedMs - startMs)
}

/** A recording that was never closed has no stored length: its packets are read. */
async function measure({ ffprobe, path, signal, timeoutMs }: LengthReading): Promise<number> {
  const { videoEndMs } = (await scanPackets(ffprobe, { path, signal, timeoutMs })).index
  if (!(videoEndMs > 0)) throw new NotPlayable(NO_LENGTH)
  return Math.round(videoEndMs)
}

/** Whether there is video or audio after a time of the file. Reads only a group of pictures and some seconds. */
async function goesOnAfter({ ffprobe, path, signal, timeoutMs }: LengthReading, ms: number): Promise<boolean> {
  let rest = ''
  let found = false
  const take = (text: string): void => {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(0, MOST_LINE)
    found ||= lines.some((line) => Number.parseFloat(PACKET.exec(line)?.[1] ?? '') * 1000 > ms + ROUNDING_MS)
  }
  const read = { type: 'packets-between', fromMs: Math.max(0, ms - BEFORE_MS), toMs: ms + AFTER_MS } as const
  await ffprobe({ path, signal, timeoutMs, background: false, read, take })
  return found
}

const PACKET = /^(?:video|audio),(-?[\d.]+)/
const MOST_LINE = 1_000
