/**
 * Finds where the clock of a transport or program stream begins anew, by the times at some places of the file: recordings and DVD titles are
 * joined byte by byte. A part that is much shorter than the distance of these places may be missed.
 */
import { openMedia } from '../../drives/media-files.ts'
import type { MediaPart } from '../../vocabulary/media-part.ts'
import { createBoundedFile, type BoundedFile } from './bounded-file.ts'
import { clockedContainer, entryBefore, pesTimes, TICKS_PER_MS, ticksBetween, type ClockedContainer, type PesTime } from './pes-times.ts'
import { Unsupported } from './unsupported.ts'

export interface JoinedFilm {
  readonly container: ClockedContainer
  /** At least two. */
  readonly parts: readonly MediaPart[]
}

interface Search {
  readonly file: BoundedFile
  readonly container: ClockedContainer
  /** Of the first video: other programs have clocks of their own. */
  readonly pid: number
}

/** The time at a place of the file. */
interface Sample {
  readonly at: number
  readonly ticks: number
}

const HEAD_BYTES = 512
const PLACES = 32
/** Usually enough for the next time of the video. */
const GLANCE_BYTES = 64 * 1024
/** DVDs have a time every half second. */
const CHUNK_BYTES = 1024 * 1024
/** Frames are not stored in the order of their times, and players forgive small steps: the threshold of ffmpeg's demuxers. */
const BACK_TICKS = 10_000 * TICKS_PER_MS
/** A pause in a recording; a greater step is another recording. */
const AHEAD_TICKS = 60_000 * TICKS_PER_MS
/** How much longer than the others a stretch must be before it is searched for a step ahead. */
const LONG_STRETCH = 4
/** Video and audio of one moment are at most that far apart. */
const TOGETHER_TICKS = 5_000 * TICKS_PER_MS
/** What follows the last time: a frame, or the audio of a packet. A part that is taken for shorter than it is would overlap the next one. */
const REST_MS = 80
const MAX_PARTS = 64
const BUDGET = { reads: 8_192, bytes: 1024 * 1024 * 1024 }

/** Undefined if its clock runs through, or the file is of another kind. @throws the signal's reason, or a file system error */
export async function readJoinedParts(path: string, signal: AbortSignal): Promise<JoinedFilm | undefined> {
  const handle = await openMedia(path)
  try {
    const { size } = await handle.stat()
    return await search(createBoundedFile({ file: handle, sizeBytes: size, signal, budget: BUDGET }))
  } catch (cause) {
    if (cause instanceof Unsupported) return undefined
    throw cause
  } finally {
    handle.close()
  }
}

async function search(file: BoundedFile): Promise<JoinedFilm | undefined> {
  if (file.sizeBytes < HEAD_BYTES) return undefined
  const container = clockedContainer(Buffer.from(await file.read(0, HEAD_BYTES)))
  if (!container) return undefined
  const first = (await timesFrom({ file, container }, 0)).find(({ isVideo }) => isVideo)
  if (!first) return undefined
  const looking = { file, container, pid: first.pid }
  const borders = await bordersOf(looking)
  if (borders.length === 0 || borders.length >= MAX_PARTS) return undefined
  const starts = [0, ...borders]
  const parts: MediaPart[] = []
  for (const [index, startByte] of starts.entries()) {
    const endByte = starts[index + 1] ?? file.sizeBytes
    parts.push({ startByte, endByte, durationMs: await durationMsOf(looking, startByte, endByte) })
  }
  return { container, parts }
}

interface Bounds {
  readonly until?: number
  readonly most?: number
}

async function timesFrom({ file, container }: Omit<Search, 'pid'>, offset: number, bounds: Bounds = {}): Promise<readonly PesTime[]> {
  const { until = file.sizeBytes, most = CHUNK_BYTES } = bounds
  const length = Math.min(most, until - offset)
  return [...pesTimes(await bytesOf(file, offset, length), container)].map((time) => ({ ...time, at: offset + time.at }))
}

const bytesOf = async (file: BoundedFile, offset: number, length: number): Promise<Buffer> =>
  Buffer.from(await file.read(offset, Math.max(0, length)))

/** Offsets at which the clock begins anew, in the order of the file. */
async function bordersOf(looking: Search): Promise<readonly number[]> {
  const { file } = looking
  const samples: Sample[] = []
  const step = Math.max(GLANCE_BYTES, Math.ceil(file.sizeBytes / PLACES))
  for (let offset = 0; offset < file.sizeBytes; offset += step) {
    const sample = await sampleAt(looking, offset)
    if (sample) samples.push(sample)
  }
  const last = await lastSample(looking)
  if (last) samples.push(last)
  const usual = usualTicks(samples)
  const borders: number[] = []
  for (const [index, from] of samples.entries()) {
    const to = samples[index + 1]
    if (to) borders.push(...(await bordersBetween(looking, { from, to, usual })))
  }
  return borders
}

async function sampleAt(looking: Search, offset: number): Promise<Sample | undefined> {
  for (const most of [GLANCE_BYTES, CHUNK_BYTES]) {
    const sample = (await timesFrom(looking, offset, { most })).find(({ isVideo, pid }) => isVideo && pid === looking.pid)
    if (sample) return sample
  }
  return undefined
}

async function lastSample(looking: Search): Promise<Sample | undefined> {
  const times = await timesFrom(looking, Math.max(0, looking.file.sizeBytes - CHUNK_BYTES))
  return times.findLast(({ isVideo, pid }) => isVideo && pid === looking.pid)
}

/** The median time from one place to the next. */
function usualTicks(samples: readonly Sample[]): number {
  const steps = samples.slice(1).map(({ ticks }, index) => ticksBetween(samples[index]?.ticks ?? ticks, ticks))
  const forward = steps.filter((ticks) => ticks > 0).sort((a, b) => a - b)
  return forward[Math.floor(forward.length / 2)] ?? 0
}

interface Stretch {
  readonly from: Sample
  readonly to: Sample
  readonly usual: number
}

/** Each border divides the stretch, and both sides are searched again. */
async function bordersBetween(looking: Search, { from, to, usual }: Stretch): Promise<readonly number[]> {
  const step = ticksBetween(from.ticks, to.ticks)
  if (from.at >= to.at || !isSuspicious(step, usual)) return []
  const border = await borderBetween(looking, from, to)
  if (!border) return []
  const before = await bordersBetween(looking, { from, to: border.before, usual })
  const after = await bordersBetween(looking, { from: border.after, to, usual })
  return [...before, border.at, ...after]
}

const isSuspicious = (step: number, usual: number): boolean =>
  step < -BACK_TICKS || (step > AHEAD_TICKS && step > LONG_STRETCH * Math.max(usual, 1))

const isStep = (from: number, to: number): boolean => {
  const step = ticksBetween(from, to)
  return step < -BACK_TICKS || step > AHEAD_TICKS
}

interface Border {
  readonly at: number
  /** The last time of the old clock, and the first one of the new clock. */
  readonly before: Sample
  readonly after: Sample
}

/** Halves the stretch until it can be read whole. Undefined if no packet in it steps. */
async function borderBetween(looking: Search, from: Sample, to: Sample): Promise<Border | undefined> {
  const step = ticksBetween(from.ticks, to.ticks)
  const isOld = ({ ticks }: Sample): boolean => {
    const since = ticksBetween(from.ticks, ticks)
    return step < 0 ? since >= -BACK_TICKS : since < step / 2
  }
  let [low, high] = [from, to]
  while (high.at - low.at > CHUNK_BYTES) {
    const middle = await sampleAt(looking, low.at + Math.floor((high.at - low.at) / 2))
    if (!middle || middle.at >= high.at) break
    if (isOld(middle)) low = middle
    else high = middle
  }
  return stepWithin(looking, low, high)
}

async function stepWithin(looking: Search, low: Sample, high: Sample): Promise<Border | undefined> {
  const { file, container, pid } = looking
  const bytes = await bytesOf(file, low.at, Math.min(high.at + CHUNK_BYTES, file.sizeBytes) - low.at)
  let before: Sample = { ...low, at: 0 }
  for (const after of pesTimes(bytes, container)) {
    if (!after.isVideo || after.pid !== pid) continue
    if (isStep(before.ticks, after.ticks)) {
      const at = low.at + entryBefore(bytes, { from: before.at, to: after.at }, container)
      return { at, before: { ...before, at: low.at + before.at }, after: { ...after, at: low.at + after.at } }
    }
    before = after
  }
  return undefined
}

/** From the first time of video or audio to the last one, and what follows it. */
async function durationMsOf(looking: Search, startByte: number, endByte: number): Promise<number> {
  const head = await timesFrom(looking, startByte, { until: endByte })
  const tail = await timesFrom(looking, Math.max(startByte, endByte - CHUNK_BYTES), { until: endByte })
  const isOurs = ({ isVideo, pid }: PesTime): boolean => isVideo && pid === looking.pid
  const first = head.find(isOurs)
  const last = tail.findLast(isOurs)
  if (!first || !last) throw new Unsupported('A part of it has no times')
  const within = (times: readonly PesTime[], { ticks }: Sample): readonly number[] =>
    times.map((time) => ticksBetween(ticks, time.ticks)).filter((away) => Math.abs(away) < TOGETHER_TICKS)
  const [earliest, latest] = [Math.min(...within(head, first)), Math.max(...within(tail, last))]
  const ticks = ticksBetween(first.ticks, last.ticks) - earliest + latest
  if (ticks <= 0) throw new Unsupported('A part of it has no length')
  return Math.ceil(ticks / TICKS_PER_MS) + REST_MS
}
