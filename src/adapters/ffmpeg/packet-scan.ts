/** Reads every packet header of a film's first video track: where its keyframes are, where it begins and ends. */
import type { MediaIndex } from '../../ports/media.ts'
import { NotPlayable } from '../../ports/media.ts'
import { indexFromTimes, type Keyframe } from '../containers/track-times.ts'
import type { NalCodec } from '../containers/nal-units.ts'
import type { RunFfprobe } from './ffprobe.ts'
import { NO_FRAME } from './not-playable.ts'

export interface MadeIndex extends MediaIndex {
  /** Whether all of the file could be read; the result of a partial read must not be kept permanently. */
  readonly whole: boolean
}

export interface Scan {
  readonly index: MadeIndex
  /** Codec of the video, if it has NAL units. */
  readonly codec: NalCodec | undefined
}

interface ScanOptions {
  readonly path: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** Microseconds, as ffprobe prints them. */
interface Packet {
  readonly ptsUs: number
  readonly durationUs: number
  readonly offset: number | null
  readonly key: boolean
  /** The container marks it to be dropped by players. */
  readonly dropped: boolean
}

/** All-intra film of 9 hours at 60 frames a second. */
const MAX_KEYFRAMES = 2_000_000
const LINE = /^(-?[\d.]+|N\/A),(-?[\d.]+|N\/A),([\d.]+|N\/A),(\d+|N\/A),([K_][\w]*)/
/** Follows the packets: the name of the stream's codec. */
const CODEC = /^(h264|hevc)\b/

export async function scanPackets(ffprobe: RunFfprobe, { path, signal, timeoutMs }: ScanOptions): Promise<Scan> {
  const run = { path, signal, timeoutMs, background: true }
  const audio: { startUs?: number } = {}
  const video: VideoTrace = { keyframes: [], startUs: undefined, lastUs: -Infinity, endUs: -Infinity, inGroup: 0, framesPerSecond: 0 }
  await ffprobe({
    ...run,
    read: { type: 'first-audio-packets' },
    take: byPacket((packet) => void (packet.dropped || (audio.startUs ??= packet.ptsUs))),
  })
  let codec: NalCodec | undefined
  const take = byPacket(
    (packet) => addPacket(video, packet),
    (line) => {
      const [, name] = CODEC.exec(line) ?? []
      if (name === 'h264' || name === 'hevc') codec = name
    },
  )
  const { ok, errors } = await ffprobe({ ...run, read: { type: 'video-packets' }, take })
  const { keyframes, startUs: videoStartUs, endUs: videoEndUs } = video
  if (videoStartUs === undefined) throw new NotPlayable(NO_FRAME)
  closeGroup(video, videoEndUs)
  const framesPerSecond = video.framesPerSecond || undefined
  const times = indexFromTimes({ keyframes, videoStartUs, videoEndUs, audioStartUs: audio.startUs, framesPerSecond })
  return { index: { ...times, whole: ok && !/Input\/output error/i.test(errors) }, codec }
}

interface VideoTrace {
  readonly keyframes: { -readonly [Name in keyof Keyframe]: Keyframe[Name] }[]
  startUs: number | undefined
  lastUs: number
  endUs: number
  /** Frames since the last keyframe, including it. */
  inGroup: number
  framesPerSecond: number
}

function closeGroup(video: VideoTrace, endUs: number): void {
  const spanUs = endUs - (video.keyframes.at(-1)?.atUs ?? endUs)
  if (spanUs > 0) video.framesPerSecond = Math.max(video.framesPerSecond, (video.inGroup * 1_000_000) / spanUs)
  video.inGroup = 0
}

function addPacket(video: VideoTrace, packet: Packet): void {
  if (packet.key) closeGroup(video, packet.ptsUs)
  video.inGroup++
  if (packet.key) video.keyframes.push({ atUs: packet.ptsUs, offset: packet.offset, groupUs: packet.ptsUs })
  if (video.keyframes.length > MAX_KEYFRAMES) throw new NotPlayable('It has too many keyframes')
  if (packet.dropped) return
  video.startUs ??= packet.ptsUs
  const group = video.keyframes.at(-1)
  if (group && packet.ptsUs < group.groupUs) group.groupUs = packet.ptsUs
  if (packet.ptsUs <= video.lastUs) return
  // A packet without a duration lasts as long as the previous one.
  video.endUs = packet.ptsUs + (packet.durationUs || Math.max(0, video.endUs - video.lastUs) || 0)
  video.lastUs = packet.ptsUs
}

/** Splits output into lines and lines into packets; buffers no more than a line. */
function byPacket(take: (packet: Packet) => void, takeOther: (line: string) => void = () => {}): (text: string) => void {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(0, 1000)
    for (const line of lines) {
      const packet = readPacket(line)
      if (packet) take(packet)
      else takeOther(line)
    }
  }
}

/** Some AVI packets have no presentation time: their decode time is as good. */
function readPacket(line: string): Packet | undefined {
  const [, pts = '', dts = '', duration = '', pos = '', flags = ''] = LINE.exec(line) ?? []
  const ptsUs = microseconds(pts) ?? microseconds(dts)
  if (ptsUs === undefined) return undefined
  const offset = /^\d/.test(pos) ? Number(pos) : null
  return { ptsUs, durationUs: microseconds(duration) ?? 0, offset, key: flags.startsWith('K'), dropped: flags.includes('D') }
}

function microseconds(seconds: string): number | undefined {
  const value = Number.parseFloat(seconds)
  return Number.isFinite(value) ? Math.round(value * 1_000_000) : undefined
}
