/** Verifies one film: compares the served streams with the rules and with the film itself. */
import { createHash } from 'node:crypto'
import type { StreamSource } from '../../../src/app/streaming/engine.ts'
import type { StreamPlan } from '../../../src/domain/streaming/plan.ts'
import type { Rendition } from '../../../src/domain/streaming/rendition.ts'
import { silenceFor } from '../../../transcode-agent/silence.ts'
import { programs } from '../../fixtures/media-files.ts'
import { greatestExtinfError, isVideo, shownOf } from '../validator/measures.ts'
import type { Served, ServedRendition } from '../validator/served.ts'
import { packetsOf, frameTimesMs, AUDIO_RATE, audioOf, audioOfSegments, type TruePacket } from './media-facts.ts'

export interface Comparison {
  readonly name: string
  /** Number in the film, and in the served stream. */
  readonly wanted: number
  readonly found: number
  readonly joins: number
  readonly extinfErrorMs: number
  /** Largest distance of a frame or an audio frame from its own time. */
  readonly offMs: number
  /** Differences between the served stream and the film, one sentence each. */
  readonly faults: readonly string[]
}

/** Half a millisecond at either end of a container that counts milliseconds, and of ours. */
const ROUNDING_MS = 1.6
/** Frames with equal times in the film get separate times, this close. */
const MOST_MOVED_MS = 20
const ONE_TIME_MS = 0.5
const LATE_START_MS = 500
/** If a film shows nothing new for longer, its frame is repeated. */
const LEAST_PAUSE_MS = 200

export async function compareWithSource(source: StreamSource, plan: StreamPlan, served: Served): Promise<readonly Comparison[]> {
  const all: readonly Rendition[] = [...plan.video, ...plan.audio]
  const compared: Comparison[] = []
  for (const one of served.renditions) {
    const rendition = all.find(({ name }) => name === one.name)
    if (rendition) compared.push(await compare({ source, plan, rendition, served: one }))
  }
  return compared
}

interface Subject {
  readonly source: StreamSource
  readonly plan: StreamPlan
  readonly rendition: Rendition
  readonly served: ServedRendition
}

async function compare(subject: Subject): Promise<Comparison> {
  const { served, rendition } = subject
  const common = { name: served.name, joins: served.segments.length - 1, extinfErrorMs: greatestExtinfError(served) * 1000 }
  const copies = rendition.output.type.startsWith('copy')
  if (!isVideo(served)) return { ...common, ...(copies ? await copiedSound(subject) : await madeSound(subject)) }
  return { ...common, ...(copies ? await copiedVideo(subject) : await madeVideo(subject)) }
}

type Result = Pick<Comparison, 'wanted' | 'found' | 'offMs' | 'faults'>

const hashOf = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')
const bare = (hash: string): string => hash.replace(/^MD5:/, '')

/** Every frame of the film, with its own bytes, in the film's order, at its own time. */
async function copiedVideo({ source, plan, rendition, served }: Subject): Promise<Result> {
  const packets = await packetsOf(source.path, rendition.stream)
  const samples = served.segments.flatMap((table) => table.samples)
  const { timescale } = served.init
  const first = Math.min(...packets.map(({ ms }) => ms))
  const times = packets.map(({ ms }) => (ms === first ? (fromStart([ms], plan.zeroMs)[0] ?? ms) : ms))
  const off = samples.map(({ pts }, index) => Math.abs((pts / timescale) * 1000 + plan.zeroMs - (times[index] ?? NaN)))
  const different = samples.findIndex(({ bytes }, index) => hashOf(bytes) !== bare(packets[index]?.hash ?? ''))
  return {
    wanted: packets.length,
    found: samples.length,
    offMs: Math.max(...off),
    faults: [
      ...(samples.length === packets.length ? [] : [`${samples.length} frames of ${packets.length}`]),
      ...(different < 0 ? [] : [`frame ${different} has other bytes than the film`]),
      ...late(off, times),
    ],
  }
}

/** `times`: of the film's frames, in the same order. */
const late = (off: readonly number[], times: readonly number[]): readonly string[] => {
  const sorted = times.toSorted((a, b) => a - b)
  const shared = new Set(sorted.filter((ms, at) => isOneTime(ms, sorted[at - 1]) || isOneTime(ms, sorted[at + 1])))
  const index = off.findIndex((ms, at) => !(ms <= ROUNDING_MS + (shared.has(times[at] ?? NaN) ? MOST_MOVED_MS : 0)))
  return index < 0 ? [] : [`frame ${index} is off by ${off[index]} ms`]
}

const isOneTime = (ms: number, other = NaN): boolean => Math.abs(ms - other) < ONE_TIME_MS

/** Every decoded frame of the film, at its own time, and only repeats between them while the film stands still. */
async function madeVideo({ source, plan, rendition, served }: Subject): Promise<Result> {
  const wanted = fromStart(await frameTimesMs(source.path, rendition.stream), plan.zeroMs)
  const { timescale } = served.init
  const shown = shownOf(served).map(({ pts }) => (pts / timescale) * 1000 + plan.zeroMs)
  const isSlow = rendition.output.type === 'encode-video' && rendition.output.framesPerSecond !== null
  const own = isSlow ? shown : shown.filter((ms, index) => !isRepeat(ms, { wanted, before: shown[index - 1] }))
  const off = isSlow ? [0] : own.map((ms, index) => (wanted[index] === Infinity ? 0 : Math.abs(ms - (wanted[index] ?? NaN))))
  const count = isSlow || own.length === wanted.length ? [] : [`${own.length} frames of ${wanted.length}`]
  return { wanted: wanted.length, found: own.length, offMs: Math.max(...off), faults: [...count, ...late(off, wanted)] }
}

/** A film whose first frame comes late displays it from the start. */
const fromStart = (times: readonly number[], zeroMs: number): readonly number[] =>
  (times[0] ?? 0) - zeroMs > LATE_START_MS ? [zeroMs, ...times.slice(1)] : times

interface Neighbours {
  /** Rising. */
  readonly wanted: readonly number[]
  readonly before: number | undefined
}

/** Not at the time of a frame of the film, and the film has shown nothing new for a quarter of a second. */
function isRepeat(ms: number, { wanted, before = ms }: Neighbours): boolean {
  if (wanted.includes(Infinity)) return false
  const last = wanted.findLast((one) => one <= ms + ROUNDING_MS) ?? ms
  return ms - last > LEAST_PAUSE_MS && ms > before
}

/** Every audio frame of the film, with its own bytes, in order, within a frame of its own time; silence in gaps. */
async function copiedSound({ source, plan, rendition, served }: Subject): Promise<Result> {
  const { timescale } = served.init
  const { ffmpeg } = await programs
  const frame = rendition.output.type === 'copy-audio' ? await silenceFor(ffmpeg, rendition.output) : undefined
  const silence = hashOf(frame ?? new Uint8Array())
  const packets = (await packetsOf(source.path, rendition.stream)).filter(({ ms }) => ms >= plan.zeroMs - ROUNDING_MS)
  const samples = served.segments
    .flatMap((table) => table.samples)
    .map(({ pts, bytes, duration }) => ({
      ms: (pts / timescale) * 1000 + plan.zeroMs,
      hash: hashOf(bytes),
      durationMs: (duration / timescale) * 1000,
    }))
  const frameMs = Math.max(...samples.map(({ durationMs }) => durationMs))
  const { pairs, lost } = paired(packets, samples)
  const strange = samples.length - pairs.length - samples.filter(({ hash }) => hash === silence).length
  const off = pairs.map(([packet, sample]) => Math.abs(packet.ms - sample.ms))
  const worst = Math.max(0, ...off)
  return {
    wanted: packets.length,
    found: pairs.length,
    offMs: worst,
    faults: [
      ...(lost.length <= 0 ? [] : [`${lost.length} frames of sound lost, the first at ${lost[0]?.ms} ms`]),
      ...(strange <= 0 ? [] : [`${strange} frames of sound are neither the film's nor silence`]),
      ...(worst < frameMs / 2 ? [] : [`a frame of sound is off by ${worst} ms`]),
    ],
  }
}

interface Heard {
  readonly ms: number
  readonly hash: string
}

/** Pairs frames with the same bytes, in order; a packet without a partner is lost. */
function paired(packets: readonly TruePacket[], samples: readonly Heard[]) {
  const pairs: [TruePacket, Heard][] = []
  const lost: TruePacket[] = []
  let at = 0
  for (const packet of packets) {
    const next = samples.findIndex(({ hash, ms }, index) => index >= at && hash === bare(packet.hash) && Math.abs(ms - packet.ms) < 500)
    const sample = samples[next]
    if (sample) pairs.push([packet, sample])
    else lost.push(packet)
    if (next >= 0) at = next + 1
  }
  return { pairs, lost }
}

const WINDOW = AUDIO_RATE
const REACH = AUDIO_RATE / 10

/** The audio of the segments equals the film's at the same time, at the start, in the middle and at the end. */
async function madeSound({ source, plan, rendition, served }: Subject): Promise<Result> {
  const [mediaFile, ours] = [
    await audioOf(source.path, rendition.stream, plan.zeroMs),
    await audioOfSegments(served.initBytes, served.segmentBytes),
  ]
  const shift = Math.round(((served.segments[0]?.start ?? 0) / served.init.timescale) * AUDIO_RATE)
  const off = [0.05, 0.3, 0.55, 0.8, 0.93].flatMap((share) => lagMs(mediaFile, ours, { at: Math.floor(share * ours.length), shift }) ?? [])
  const frameMs = (1024 / served.init.timescale) * 1000
  const worst = Math.max(0, ...off.map(Math.abs))
  const frames = served.segments.reduce((sum, { samples }) => sum + samples.length, 0)
  const wanted = Math.round((plan.durationMs * served.init.timescale) / 1000 / 1024)
  return {
    wanted,
    found: frames,
    offMs: worst,
    faults: [
      ...(Math.abs(frames - wanted) <= 1 ? [] : [`${frames} frames of sound of ${wanted}`]),
      ...(worst < frameMs ? [] : [`sound is off by ${worst} ms`]),
    ],
  }
}

/** Lag of a second of our audio behind the film's; undefined for silence and for audio that cannot be located. */
export function lagMs(
  mediaFile: Int16Array,
  ours: Int16Array,
  { at, shift }: { readonly at: number; readonly shift: number },
): number | undefined {
  const window = ours.subarray(at, at + WINDOW)
  const from = at + shift
  if (
    window.length < WINDOW / 2 ||
    from - REACH < 0 ||
    from + REACH + window.length > mediaFile.length ||
    energy(window) < window.length * 400
  )
    return undefined
  let best = { lag: 0, likeness: -Infinity }
  for (let lag = -REACH; lag <= REACH; lag++) {
    const other = mediaFile.subarray(from + lag, from + lag + window.length)
    let product = 0
    for (let index = 0; index < window.length; index++) product += (window[index] ?? 0) * (other[index] ?? 0)
    const likeness = product / Math.sqrt(energy(other) * energy(window) || 1)
    if (likeness > best.likeness) best = { lag, likeness }
  }
  return best.likeness > 0.5 ? (-best.lag / AUDIO_RATE) * 1000 : undefined
}

const energy = (samples: Int16Array): number => samples.reduce((sum, value) => sum + value * value, 0)
