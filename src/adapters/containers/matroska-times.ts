/**
 * Computes the times of a Matroska film from its Cues. Each listed keyframe is verified in place. Whether the list is complete is checked
 * in the widest gaps and in some others, and everywhere in short films: a missing one elsewhere only makes a copied segment longer. Start
 * and end times come from the blocks.
 */
import type { BoundedFile } from './bounded-file.ts'
import { Unsupported } from './unsupported.ts'
import { elementIn, readHead } from './ebml.ts'
import { reorderedFrames } from './h264-parameters.ts'
import { blockOf, blocksFrom, readCluster, type BlockHead, type Cluster } from './matroska-blocks.ts'
import * as ids from './matroska-ids.ts'
import { readCues, type Cue, type MatroskaHeader, type MatroskaTrack } from './matroska-header.ts'
import { isOneTime, type TrackTimes } from './track-times.ts'

/** Codecs whose keyframes and times ffmpeg takes from the container unchanged. */
const CODECS: ReadonlySet<string> = new Set(['V_MPEG4/ISO/AVC', 'V_MPEGH/ISO/HEVC', 'V_VP8', 'V_VP9', 'V_AV1'])
const REORDERED: ReadonlySet<string> = new Set(['V_MPEG4/ISO/AVC', 'V_MPEGH/ISO/HEVC'])
/** The most frames that decoders reorder. */
const MOST_LEADERS = 16
/** Number of blocks from the first one within which video and audio start. */
const FIRST_BLOCKS = 4096
/** Blocks of a cluster before the one meant by a cue without a relative position. */
const BLOCKS_BEFORE = 1024
const GAPS = { widest: 4, others: 4, all: 16 }

interface Place {
  readonly cluster: Cluster
  readonly block: BlockHead
  /** Presentation time of the first frame of its group. */
  readonly groupTicks: number
}

interface TrackTimesInput {
  readonly file: BoundedFile
  readonly header: MatroskaHeader
  readonly video: MatroskaTrack
  readonly audio: MatroskaTrack | undefined
  /**
   * Of the groups examined: the highest number of frames a tick, whether a frame has the time of the next keyframe, and whether frames are in
   * another order than that of their times.
   */
  readonly seen: { perTick: number; sharesTimes: boolean; isReordered: boolean }
}

/** @throws Unsupported if packets must be read instead */
export async function readMatroskaTimes(file: BoundedFile, header: MatroskaHeader): Promise<TrackTimes> {
  const video = header.tracks.find(({ type }) => type === 'video')
  const audio = header.tracks.find(({ type }) => type === 'audio')
  if (!video || !CODECS.has(video.codecId) || video.isScaled || audio?.isScaled) throw new Unsupported('Its times are of no known kind')
  if (header.segmentEnd !== file.sizeBytes) throw new Unsupported('It is cut off, or was never closed')
  const mediaFile = { file, header, video, audio, seen: { perTick: 0, sharesTimes: false, isReordered: false } }
  const places = await placesOf(mediaFile)
  const first = await beginnings(mediaFile)
  if (first.video.offset !== places[0]?.block.offset) throw new Unsupported('It does not begin with a listed keyframe')
  for (const gap of gapsToLook(places)) await nothingBetween(mediaFile, places, gap)
  const last = places.at(-1)
  if (!last) throw new Unsupported('It has no Cues')
  const end = await endAfter(mediaFile, last)
  return {
    keyframes: places.map(({ block, groupTicks }) => ({
      atUs: timeUs(mediaFile, video, block.ticks),
      offset: block.dataOffset,
      groupUs: timeUs(mediaFile, video, groupTicks),
    })),
    videoStartUs: timeUs(mediaFile, video, first.video.ticks),
    audioStartUs: audio && first.audio ? timeUs(mediaFile, audio, first.audio.ticks) : undefined,
    videoEndUs: timeUs(mediaFile, video, end),
    framesPerSecond: mediaFile.seen.perTick > 0 ? (mediaFile.seen.perTick * 1_000_000_000) / header.tickNs : undefined,
    landsOnKeyframes: !mediaFile.seen.sharesTimes && isReorderingKnown(mediaFile),
  }
}

/**
 * Without B-frames at the beginning ffmpeg would learn only from later ones that H.264 is reordered, and would change the times of the first
 * frames that it reads after a seek; so too if the container has the times of decoding.
 */
function isReorderingKnown({ video: { codecId, entry }, seen }: TrackTimesInput): boolean {
  if (codecId !== 'V_MPEG4/ISO/AVC') return true
  const reordered = reorderedFrames(elementIn(entry, ids.CODEC_PRIVATE) ?? new Uint8Array())
  return reordered === 0 || (reordered !== undefined && seen.isReordered)
}

/** Delays are rounded to ticks, as ffmpeg does. */
function timeUs({ header: { tickNs } }: TrackTimesInput, { delayNs }: MatroskaTrack, ticks: number): number {
  return Math.round(((ticks - Math.round(delayNs / tickNs)) * tickNs) / 1000)
}

/** The keyframes listed in the Cues, each verified in place. */
async function placesOf(mediaFile: TrackTimesInput): Promise<readonly Place[]> {
  const cues = await readCues(mediaFile.file, mediaFile.header, mediaFile.video.number)
  const places: Place[] = []
  let cluster: Cluster | undefined
  for (const cue of cues) {
    if (cluster?.head.start !== cue.cluster) cluster = await readCluster(mediaFile.file, cue.cluster, mediaFile.header.segmentEnd)
    const block = await blockOfCue(mediaFile, cue, cluster)
    const before = places.at(-1)?.block
    if (before?.offset === block.offset) continue
    if (before && (before.offset > block.offset || before.ticks >= block.ticks)) throw new Unsupported('Its Cues are in no order')
    places.push({ cluster, block, groupTicks: await groupStart(mediaFile, cluster, block) })
  }
  return places
}

/** Leading frames follow their keyframe directly in coding order; other codecs than these have none. */
async function groupStart(mediaFile: TrackTimesInput, cluster: Cluster, block: BlockHead): Promise<number> {
  if (!REORDERED.has(mediaFile.video.codecId)) return block.ticks
  let start = block.ticks
  let seen = 0
  for await (const { ticks, isKey, offset } of frames(mediaFile, { cluster, block })) {
    if (offset === block.offset) continue
    if (isKey || ticks > block.ticks || ++seen > MOST_LEADERS) break
    start = Math.min(start, ticks)
  }
  return start
}

async function blockOfCue({ file, video }: TrackTimesInput, cue: Cue, cluster: Cluster): Promise<BlockHead> {
  let at = cluster.head.dataStart + (cue.relative ?? 0)
  for (let seen = 0; at < cluster.head.end && seen < BLOCKS_BEFORE; seen++) {
    const head = await readHead(file, at, cluster.head.end)
    const block = await blockOf(file, head, cluster)
    if (block && block.track === video.number && block.ticks === cue.ticks && block.isKey && !block.isLaced) return block
    if (cue.relative !== undefined) break
    at = head.end
  }
  throw new Unsupported('There is no keyframe where the Cues say')
}

/** The first video block, and the first audio block if there is audio. */
async function beginnings({
  file,
  header,
  video,
  audio,
}: TrackTimesInput): Promise<{ readonly video: BlockHead; readonly audio: BlockHead | undefined }> {
  const from = await readCluster(file, header.firstCluster, header.segmentEnd)
  const first = new Map<number, BlockHead>()
  let seen = 0
  for await (const block of blocksFrom(file, { from, offset: from.head.dataStart, until: header.segmentEnd })) {
    if (!first.has(block.track)) first.set(block.track, block)
    const [videoBlock, audioBlock] = [first.get(video.number), audio && first.get(audio.number)]
    if (videoBlock && (audioBlock || !audio)) return { video: videoBlock, audio: audioBlock }
    if (++seen === FIRST_BLOCKS) break
  }
  throw new Unsupported('Its video or its audio begins late')
}

/** The gaps between neighbouring keyframes to examine. */
function gapsToLook(places: readonly Place[]): readonly number[] {
  const gaps = places.slice(1).map((_, index) => index)
  if (gaps.length <= GAPS.all) return gaps
  const width = (gap: number): number => (places[gap + 1]?.block.ticks ?? 0) - (places[gap]?.block.ticks ?? 0)
  const widest = gaps.toSorted((a, b) => width(b) - width(a)).slice(0, GAPS.widest)
  const others = Array.from({ length: GAPS.others }, (_, index) => Math.floor(((index + 0.5) * gaps.length) / GAPS.others))
  return [...new Set([...widest, ...others])].sort((a, b) => a - b)
}

async function nothingBetween(mediaFile: TrackTimesInput, places: readonly Place[], gap: number): Promise<void> {
  const [from, to] = [places[gap], places[gap + 1]]
  if (!from || !to) return
  let [count, lastTicks] = [0, -Infinity]
  for await (const block of frames(mediaFile, from)) {
    if (block.offset === to.block.offset) {
      if (isOneTime(((block.ticks - lastTicks) * mediaFile.header.tickNs) / 1000)) mediaFile.seen.sharesTimes = true
      return counted(mediaFile, count, to.block.ticks - from.block.ticks)
    }
    count++
    if (block.ticks < lastTicks) mediaFile.seen.isReordered = true
    lastTicks = Math.max(lastTicks, block.ticks)
    if (block.offset > to.block.offset) break
    if (block.isKey && block.offset !== from.block.offset) break
  }
  throw new Unsupported('Its Cues do not list every keyframe')
}

function counted({ seen }: TrackTimesInput, frames: number, ticks: number): void {
  if (ticks > 0) seen.perTick = Math.max(seen.perTick, frames / ticks)
}

/** End of the last frame shown, in ticks. */
async function endAfter(mediaFile: TrackTimesInput, from: Place): Promise<number> {
  const frameTicks = Math.trunc(mediaFile.video.frameNs / mediaFile.header.tickNs)
  let last = { ticks: -Infinity, end: -Infinity }
  let count = 0
  for await (const block of frames(mediaFile, from)) {
    count++
    if (block.isKey && block.offset !== from.block.offset) throw new Unsupported('Its Cues do not list every keyframe')
    if (block.ticks <= last.ticks) continue
    // A frame without a duration lasts as long as the previous one.
    last = { ticks: block.ticks, end: block.ticks + (block.durationTicks || frameTicks || Math.max(0, last.end - last.ticks) || 0) }
  }
  counted(mediaFile, count, last.end - from.block.ticks)
  return last.end
}

async function* frames(
  { file, header, video }: TrackTimesInput,
  { cluster, block }: Pick<Place, 'cluster' | 'block'>,
): AsyncGenerator<BlockHead> {
  for await (const each of blocksFrom(file, { from: cluster, offset: block.offset, until: header.segmentEnd })) {
    if (each.track !== video.number) continue
    if (each.isLaced || each.ticks < 0) throw new Unsupported('Its frames come in an unusual way')
    yield each
  }
}
