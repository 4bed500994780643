/**
 * Computes the times of an MP4 film from its sample tables, on the timeline that ffmpeg uses. The first sample shown starts at 0, or at the
 * delay that its edit list asks for (mov_fix_index of libavformat, for the simple lists that films have).
 */
import { setImmediate } from 'node:timers/promises'
import { Unsupported } from './unsupported.ts'
import { reorderedFrames } from './h264-parameters.ts'
import { editOf, type Edit } from './mp4-edits.ts'
import { mp4Facts } from './mp4-facts.ts'
import type { Mp4Header, Mp4Track } from './mp4-header.ts'
import { samplesOf, type Samples, type SampleWalk } from './mp4-samples.ts'
import { isOneTime, type TrackTimes } from './track-times.ts'

/** Codecs whose keyframes and times ffmpeg takes from the container unchanged. */
const VIDEO: ReadonlySet<string> = new Set(['avc1', 'avc3', 'hvc1', 'hev1', 'dvh1', 'dvhe', 'dva1', 'dvav', 'vp08', 'vp09', 'av01'])
const AUDIO: ReadonlySet<string> = new Set(['mp4a', 'ac-3', 'ec-3', 'Opus', 'fLaC', 'alac', '.mp3', 'dtsc', 'dtsh', 'dtsl', 'dtse', 'mlpa'])

/** @throws Unsupported if packets must be read instead */
export async function mp4Times(header: Mp4Header, fileBytes: number): Promise<TrackTimes> {
  if (header.isFragmented) throw new Unsupported('Its samples are in fragments')
  const video = header.tracks.find(({ type }) => type === 'video')
  const audio = header.tracks.find(({ type }) => type === 'audio')
  if (!video || !isKnown(video, VIDEO) || (audio && !isKnown(audio, AUDIO))) throw new Unsupported('Its tracks are of no known kind')
  const frames = await frameFactsOf(video, editOf(video, header.timescale), fileBytes)
  const us = (ticks: number): number => Math.round((ticks * 1_000_000) / video.timescale)
  const landsLateUs = us(frames.landsLate)
  return {
    keyframes: frames.keyframes.map(({ at, offset, groupAt }) => ({ atUs: us(at), offset, groupUs: us(groupAt) })),
    videoStartUs: us(frames.start),
    audioStartUs: audio && Math.round((audioStart(audio, header) * 1_000_000) / audio.timescale),
    videoEndUs: us(frames.lastAt) + us(frames.lastTicks),
    landsOnKeyframes: landsLateUs <= LANDS_LATE_MAX_US && !isOneTime(us(frames.leastGap)) && (frames.isReordered || isInOrder(video)),
    landsLateUs,
  }
}

/**
 * Whether no frames can be reordered. Otherwise a film whose times are all in order may have times of decoding only, as some muxers write
 * them for H.264: ffmpeg then changes the times of the first frames after a seek.
 */
function isInOrder(video: Mp4Track): boolean {
  const configuration = mp4Facts([video])[0]?.configuration
  return configuration?.type !== 'avcC' || reorderedFrames(configuration.bytes) === 0
}

function isKnown({ entry, timescale }: Mp4Track, formats: ReadonlySet<string>): boolean {
  return timescale > 0 && entry !== undefined && formats.has(entry.format)
}

interface Group {
  readonly at: number
  readonly offset: number
  /** Presentation time of the group's first frame shown. */
  groupAt: number
}

interface FrameFacts {
  readonly keyframes: readonly Readonly<Group>[]
  readonly start: number
  /** The last frame shown, and its duration. */
  readonly lastAt: number
  readonly lastTicks: number
  /** From a frame to the keyframe of the next group, at least. */
  readonly leastGap: number
  /** How much later than the target of a seek ffmpeg may land. */
  readonly landsLate: number
  /** Whether frames are in another order than that of their times. */
  readonly isReordered: boolean
}

interface Shown {
  firstDecodedAt: number
  firstShownAt: number
  leastShownAt: number
  lastShownAt: number
  lastTicks: number
  /** Shortest and longest sample since the last keyframe. */
  leastTicks: number
  mostTicks: number
  /** From the last frame shown to a keyframe, at least. */
  leastGap: number
  /** From the decoding of a keyframe to its presentation, at most. */
  mostDelay: number
  isReordered: boolean
}

/** Frame durations at a constant rate differ by this much if the times come from a container that rounds to milliseconds. */
const ROUNDING_SECONDS = 0.0011
const NOTHING: Shown = {
  firstDecodedAt: 0,
  firstShownAt: 0,
  leastShownAt: Infinity,
  lastShownAt: -Infinity,
  lastTicks: 0,
  leastTicks: Infinity,
  mostTicks: 0,
  leastGap: Infinity,
  mostDelay: 0,
  isReordered: false,
}
/** Half of the least distance between keyframes of which one is landed on (`domain/streaming/landings.ts`). */
const LANDS_LATE_MAX_US = 500_000
/** Samples processed before yielding to the event loop: a millisecond or two. */
const AT_ONCE = 10_000
/** All-intra film of four hours at 60 frames a second. */
const MOST_KEYFRAMES = 1_000_000
const ALWAYS: Edit = { delay: 0, from: -Infinity, until: Infinity }

async function frameFactsOf({ samples: tables, timescale }: Mp4Track, edit: Edit | undefined, fileBytes: number): Promise<FrameFacts> {
  const samples = samplesOf(tables)
  const { keyframes, shown } = await walkFrames(samples, edit ?? ALWAYS, fileBytes)
  if (shown.lastShownAt === -Infinity || keyframes.length === 0) throw new Unsupported('Nothing of it is shown')
  // The first decoded sample starts with the edit; if it is shown later, all times move earlier by that difference.
  const firstDelay = edit ? Math.max(0, shown.leastShownAt - shown.firstDecodedAt) : 0
  const shift = edit ? edit.delay - shown.firstDecodedAt - firstDelay : 0
  return {
    keyframes: keyframes.map(({ at, offset, groupAt }) => ({ at: at + shift, offset, groupAt: groupAt + shift })),
    start: shown.firstShownAt + shift,
    lastAt: shown.lastShownAt + shift,
    lastTicks: samples.isReordered ? lastTicksOf(shown, timescale, edit) : shown.lastTicks,
    isReordered: shown.isReordered,
    leastGap: shown.leastGap,
    // ffmpeg looks for the last keyframe that is decoded up to the target, less the delay of the first frame if there is an edit.
    landsLate: Math.max(0, shown.mostDelay - firstDelay),
  }
}

/** Durations are those of decoding: if frames are reordered and of unequal length, only the edit list shows when the last one ends. */
function lastTicksOf({ lastShownAt, lastTicks, leastTicks, mostTicks }: Shown, timescale: number, edit: Edit | undefined): number {
  if (mostTicks - leastTicks <= timescale * ROUNDING_SECONDS) return lastTicks
  if (!edit) throw new Unsupported('The end of its last frame is unknown')
  return Math.min(lastTicks, edit.until - lastShownAt)
}

/** From the keyframe that the first frame shown depends on, up to the last keyframe that ffmpeg examines. */
async function walkFrames(samples: Samples, edit: Edit, fileBytes: number) {
  const first = firstNeeded(samples, edit)
  const keyframes: Group[] = []
  const shown: Shown = { ...NOTHING }
  let keysAfterEnd = samples.isReordered ? 2 : 1
  for (const walk = samples.walk(); keysAfterEnd > 0 && walk.next();) {
    const { sample } = walk
    if (sample.index % AT_ONCE === AT_ONCE - 1) await setImmediate()
    if (sample.offset + sample.sizeBytes > fileBytes) throw new Unsupported('It is cut off')
    if (sample.index < first) continue
    if (keyframes.length > MOST_KEYFRAMES) throw new Unsupported('It has too many keyframes')
    if (sample.isKey) addKeyframe(keyframes, shown, sample)
    if (sample.isKey && sample.shownAt + sample.ticks >= edit.until) keysAfterEnd--
    if (sample.shownAt < edit.from || sample.shownAt >= edit.until) continue
    addShown(shown, sample)
    const group = keyframes.at(-1)
    if (group && sample.shownAt < group.groupAt) group.groupAt = sample.shownAt
  }
  return { keyframes, shown }
}

function addKeyframe(keyframes: Group[], shown: Shown, { decodedAt, shownAt, offset }: SampleWalk['sample']): void {
  keyframes.push({ at: shownAt, offset, groupAt: shownAt })
  shown.leastGap = Math.min(shown.leastGap, shownAt - shown.lastShownAt)
  shown.mostDelay = Math.max(shown.mostDelay, shownAt - decodedAt)
}

function addShown(shown: Shown, { decodedAt, shownAt, ticks, isKey }: SampleWalk['sample']): void {
  if (shown.lastShownAt === -Infinity) {
    shown.firstDecodedAt = decodedAt
    shown.firstShownAt = shownAt
  }
  shown.leastTicks = isKey ? ticks : Math.min(shown.leastTicks, ticks)
  shown.mostTicks = isKey ? ticks : Math.max(shown.mostTicks, ticks)
  if (shownAt < shown.leastShownAt) shown.leastShownAt = shownAt
  if (shownAt < shown.lastShownAt) shown.isReordered = true
  if (shownAt <= shown.lastShownAt) return
  // A frame without a duration lasts as long as the previous one.
  shown.lastTicks = ticks || shown.lastTicks
  shown.lastShownAt = shownAt
}

/** The last keyframe up to the start of the edit; the first sample if there is none. */
function firstNeeded(samples: Samples, { from }: Edit): number {
  let found = 0
  for (const walk = samples.walk(); walk.next() && walk.sample.decodedAt <= from;) {
    if (walk.sample.isKey && walk.sample.shownAt <= from) found = walk.sample.index
  }
  return found
}

/** Start of the first audio sample that is not dropped completely. */
function audioStart(audio: Mp4Track, { timescale }: Mp4Header): number {
  const samples = samplesOf(audio.samples)
  const edit = editOf(audio, timescale)
  if (samples.isReordered) throw new Unsupported('Its sound is in no order')
  for (const walk = samples.walk(); walk.next();) {
    const { decodedAt, ticks } = walk.sample
    if (!edit) return decodedAt
    if (decodedAt >= edit.until) break
    if (decodedAt >= edit.from) return edit.delay
    // Only its end is heard.
    if (decodedAt + ticks > edit.from) return edit.delay + decodedAt - edit.from
  }
  throw new Unsupported('None of its sound is heard')
}
