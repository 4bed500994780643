/** Determines a film's length: from its first packet to the end of its last one, whatever origin its container uses. */
import { NotPlayable } from '../../ports/media.ts'
import type { FfprobeOutput } from './ffprobe-output.ts'
import type { RunFfprobe } from './ffprobe.ts'
import { durationMsOf, shownEndMsOf } from './media-description-from-ffprobe.ts'
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
  const containerMs = durationMsOf(output)
  if (containerMs === null) return measure(reading)
  if (!AMBIGUOUS.test(output.format?.format_name ?? '')) return containerMs
  const statedMs = await withoutSubtitles(reading, output, containerMs)
  const startMs = Number.parseFloat(output.format?.start_time ?? '0') * 1000
  if (!(startMs >= LATE_MS && startMs < statedMs)) return statedMs
  return (await goesOnAfter(reading, statedMs)) ? statedMs : Math.round(statedMs - startMs)
}

/** The container's duration covers subtitles, which may end hours after the film. Their rest is not shown. */
async function withoutSubtitles(reading: LengthReading, output: FfprobeOutput, containerMs: number): Promise<number> {
  if (!output.streams?.some((stream) => stream.codec_type === 'subtitle')) return containerMs
  const statedMs = shownEndMsOf(output)
  if (statedMs !== null && statedMs >= containerMs - ROUNDING_MS) return containerMs
  const { endMs, whole } = await readEnd(reading, containerMs).catch(nothingIfNotPlayable)
  if (endMs === undefined || endMs >= containerMs - ROUNDING_MS) return containerMs
  if (statedMs !== null && endMs <= statedMs + ROUNDING_MS) return statedMs
  return whole ? Math.round(endMs) : containerMs
}

/** Without an index, or with a single keyframe, the search may take too long. */
function nothingIfNotPlayable(cause: unknown): End {
  if (!(cause instanceof NotPlayable)) throw cause
  return { endMs: undefined, whole: false }
}

/** A recording that was never closed has no stored length: its packets are read. */
async function measure({ ffprobe, path, signal, timeoutMs }: LengthReading): Promise<number> {
  const { videoEndMs } = (await scanPackets(ffprobe, { path, signal, timeoutMs })).index
  if (!(videoEndMs > 0)) throw new NotPlayable(NO_LENGTH)
  return Math.round(videoEndMs)
}

/** Whether there is video or audio after a time of the file. */
async function goesOnAfter(reading: LengthReading, ms: number): Promise<boolean> {
  const { endMs = 0 } = await readEnd(reading, ms)
  return endMs > ms + ROUNDING_MS
}

interface End {
  /** Of the last video or audio packet that was read. */
  readonly endMs: number | undefined
  /** Whether nothing was damaged or missing. */
  readonly whole: boolean
}

/** Reads some seconds around a time of the file, from the keyframe before them on: the last one if the film ends earlier. */
async function readEnd({ ffprobe, path, signal, timeoutMs }: LengthReading, ms: number): Promise<End> {
  let rest = ''
  let endMs: number | undefined
  const take = (text: string): void => {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(0, MOST_LINE)
    for (const line of lines) endMs = later(endMs, packetEndMs(line))
  }
  const read = { type: 'packets-between', fromMs: Math.max(0, ms - BEFORE_MS), toMs: ms + AFTER_MS } as const
  const { ok, errors } = await ffprobe({ path, signal, timeoutMs, background: false, read, take })
  return { endMs, whole: ok && errors === '' }
}

const PACKET = /^(?:video|audio),(-?[\d.]+)(?:,([\d.]+))?/
const MOST_LINE = 1_000

function packetEndMs(line: string): number | undefined {
  const [, start, duration = '0'] = PACKET.exec(line) ?? []
  return start === undefined ? undefined : (Number.parseFloat(start) + Number.parseFloat(duration)) * 1000
}

const later = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one
