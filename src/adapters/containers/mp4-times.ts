/**
 * Times of an MP4 film from its sample tables, on the timeline that ffmpeg gives it: the first sample that is shown begins at 0,
 * or at the delay that its edit list asks for (mov_fix_index of libavformat, for the simple lists that films have).
 */
import { setImmediate } from 'node:timers/promises'
import { Unsupported } from './unsupported.ts'
import { editOf, type Edit } from './mp4-edits.ts'
import type { Mp4Header, Mp4Track } from './mp4-header.ts'
import { samplesOf, type Samples, type SampleWalk } from './mp4-samples.ts'
import type { TrackTimes } from './track-times.ts'

/** Codecs whose keyframes and times ffmpeg takes from the container as they are. */
const VIDEO: ReadonlySet<string> = new Set(['avc1', 'avc3', 'hvc1', 'hev1', 'dvh1', 'dvhe', 'dva1', 'dvav', 'vp08', 'vp09', 'av01'])
const AUDIO: ReadonlySet<string> = new Set(['mp4a', 'ac-3', 'ec-3', 'Opus', 'fLaC', 'alac', '.mp3', 'dtsc', 'dtsh', 'dtsl', 'dtse', 'mlpa'])

/** @throws Declined where packets must be read instead */
export async function mp4Times(header: Mp4Header, fileBytes: number): Promise<TrackTimes> {
  if (header.isFragmented) throw new Unsupported('Its samples are in fragments')
  const video = header.tracks.find(({ type }) => type === 'video')
  const audio = header.tracks.find(({ type }) => type === 'audio')
  if (!video || !isKnown(video, VIDEO) || (audio && !isKnown(audio, AUDIO))) throw new Unsupported('Its tracks are of no known kind')
  const pictures = await picturesOf(video, editOf(video, header.timescale), fileBytes)
  const us = (ticks: number): number => Math.round((ticks * 1_000_000) / video.timescale)
  return {
    keyframes: pictures.keyframes.map(({ at, offset, groupAt }) => ({ atUs: us(at), offset, groupUs: us(groupAt) })),
    videoStartUs: us(pictures.start),
    audioStartUs: audio && Math.round((soundStart(audio, header) * 1_000_000) / audio.timescale),
    videoEndUs: us(pictures.lastAt) + us(pictures.lastTicks),
  }
}

function isKnown({ entry, timescale }: Mp4Track, formats: ReadonlySet<string>): boolean {
  return timescale > 0 && entry !== undefined && formats.has(entry.format)
}

interface Group {
  readonly at: number
  readonly offset: number
  /** The first of its pictures that is shown. */
  groupAt: number
}

interface Pictures {
  readonly keyframes: readonly Readonly<Group>[]
  readonly start: number
  /** The last picture shown, and how long it is. */
  readonly lastAt: number
  readonly lastTicks: number
}

interface Shown {
  firstDecodedAt: number
  firstShownAt: number
  leastShownAt: number
  lastShownAt: number
  lastTicks: number
  /** Of the samples since the last keyframe. */
  leastTicks: number
  mostTicks: number
}

/** Pictures of one rate are as unequal as this where their times come from a container that rounds to milliseconds. */
const ROUNDING_SECONDS = 0.0011
const NOTHING: Shown = {
  firstDecodedAt: 0,
  firstShownAt: 0,
  leastShownAt: Infinity,
  lastShownAt: -Infinity,
  lastTicks: 0,
  leastTicks: Infinity,
  mostTicks: 0,
}
/** Samples looked at before others get their turn: a millisecond or two. */
const AT_ONCE = 10_000
/** All-intra film of four hours at 60 pictures a second. */
const MOST_KEYFRAMES = 1_000_000
const ALWAYS: Edit = { delay: 0, from: -Infinity, until: Infinity }

async function picturesOf({ samples: tables, timescale }: Mp4Track, edit: Edit | undefined, fileBytes: number): Promise<Pictures> {
  const samples = samplesOf(tables)
  const { keyframes, shown } = await walkPictures(samples, edit ?? ALWAYS, fileBytes)
  if (shown.lastShownAt === -Infinity || keyframes.length === 0) throw new Unsupported('Nothing of it is shown')
  // What is decoded first begins with the edit; where its picture comes later, all come as much earlier.
  const shift = edit ? edit.delay - shown.firstDecodedAt - Math.max(0, shown.leastShownAt - shown.firstDecodedAt) : 0
  return {
    keyframes: keyframes.map(({ at, offset, groupAt }) => ({ at: at + shift, offset, groupAt: groupAt + shift })),
    start: shown.firstShownAt + shift,
    lastAt: shown.lastShownAt + shift,
    lastTicks: samples.isReordered ? lastTicksOf(shown, timescale, edit) : shown.lastTicks,
  }
}

/** Lengths are those of decoding: where pictures are reordered and not equally long, only the edit tells when the last one ends. */
function lastTicksOf({ lastShownAt, lastTicks, leastTicks, mostTicks }: Shown, timescale: number, edit: Edit | undefined): number {
  if (mostTicks - leastTicks <= timescale * ROUNDING_SECONDS) return lastTicks
  if (!edit) throw new Unsupported('When its last picture ends is not told')
  return Math.min(lastTicks, edit.until - lastShownAt)
}

/** From the keyframe that the first picture shown needs, up to the last keyframe that ffmpeg looks at. */
async function walkPictures(samples: Samples, edit: Edit, fileBytes: number) {
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
    if (sample.isKey) keyframes.push({ at: sample.shownAt, offset: sample.offset, groupAt: sample.shownAt })
    if (sample.isKey && sample.shownAt + sample.ticks >= edit.until) keysAfterEnd--
    if (sample.shownAt < edit.from || sample.shownAt >= edit.until) continue
    addShown(shown, sample)
    const group = keyframes.at(-1)
    if (group && sample.shownAt < group.groupAt) group.groupAt = sample.shownAt
  }
  return { keyframes, shown }
}

function addShown(shown: Shown, { decodedAt, shownAt, ticks, isKey }: SampleWalk['sample']): void {
  if (shown.lastShownAt === -Infinity) {
    shown.firstDecodedAt = decodedAt
    shown.firstShownAt = shownAt
  }
  shown.leastTicks = isKey ? ticks : Math.min(shown.leastTicks, ticks)
  shown.mostTicks = isKey ? ticks : Math.max(shown.mostTicks, ticks)
  if (shownAt < shown.leastShownAt) shown.leastShownAt = shownAt
  if (shownAt <= shown.lastShownAt) return
  // A picture without a length lasts as long as the one before it.
  shown.lastTicks = ticks || shown.lastTicks
  shown.lastShownAt = shownAt
}

/** The last keyframe up to where the edit begins; the first sample where there is none. */
function firstNeeded(samples: Samples, { from }: Edit): number {
  let found = 0
  for (const walk = samples.walk(); walk.next() && walk.sample.decodedAt <= from;) {
    if (walk.sample.isKey && walk.sample.shownAt <= from) found = walk.sample.index
  }
  return found
}

/** Where the first sound begins that is not dropped whole. */
function soundStart(audio: Mp4Track, { timescale }: Mp4Header): number {
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
