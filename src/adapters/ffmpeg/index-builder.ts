/** Makes a film's index: from its container's own tables if they can be trusted, else by reading all its packets. */
import type { Clock } from '../../ports/clock.ts'
import type { MediaPart } from '../../vocabulary/media-part.ts'
import { Unsupported } from '../containers/unsupported.ts'
import { readDirectly } from '../containers/direct-reading.ts'
import type { SampleForm } from '../containers/sample-form.ts'
import { indexFromTimes } from '../containers/track-times.ts'
import type { RunFfprobe } from './ffprobe.ts'
import type { FindJoined } from './joined-films.ts'
import { classifyKeyframes } from './keyframe-types.ts'
import { scanPackets, type MadeIndex } from './packet-scan.ts'

export interface IndexBuild {
  readonly ffprobe: RunFfprobe
  readonly clock: Clock
  readonly findJoined: FindJoined
}

/** Tables of the longest films take a second from a slow disk. */
const DIRECT_TIMEOUT_MS = 60_000
/** A film of 100 GB from a disk of 60 MB/s. */
const SCAN_TIMEOUT_MS = 30 * 60_000

/** 10,000 keyframes from a slow disk. */
const LOOKS_TIMEOUT_MS = 120_000

/** @throws NotPlayable as the packet scan does */
export async function buildIndex({ ffprobe, clock, findJoined }: IndexBuild, path: string, signal: AbortSignal): Promise<MadeIndex> {
  const parts = (await findJoined(path))?.parts
  if (parts) return joinedIndex(parts, (await scanPackets(ffprobe, { path, signal, timeoutMs: SCAN_TIMEOUT_MS })).index)
  const direct = await inTime({ clock, signal, ms: DIRECT_TIMEOUT_MS }, (signal) => readDirectly(path, { signal }))
  const extra = { ...(direct?.tracks ? { tracks: direct.tracks } : {}), ...(direct?.isSpliced ? { isSpliced: true } : {}) }
  if (direct && !(direct.times instanceof Unsupported)) {
    const index = { ...indexFromTimes(direct.times), ...extra, whole: true }
    return withKinds(index, { path, form: direct.form, clock, signal })
  }
  const { index, codec } = await scanPackets(ffprobe, { path, signal, timeoutMs: SCAN_TIMEOUT_MS })
  const form = direct?.form ?? (codec && { codec, container: 'mpegts' as const, lengthBytes: 0 })
  return withKinds({ ...index, ...extra }, { path, form, clock, signal })
}

/** Packets state their offsets in their part of the file. Each part may be encoded otherwise, so nothing is copied. */
function joinedIndex(parts: readonly MediaPart[], { keyframeOffsets: _offsets, ...index }: MadeIndex): MadeIndex {
  return { ...index, parts, isSpliced: true }
}

interface Kinds {
  readonly path: string
  readonly form: SampleForm | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** If they cannot be examined in time, no keyframe counts as closed. */
async function withKinds(index: MadeIndex, { path, form, clock, signal }: Kinds): Promise<MadeIndex> {
  if (!form) return index
  const looked = await inTime({ clock, signal, ms: LOOKS_TIMEOUT_MS }, (signal) => classifyKeyframes({ path, form, index, signal }))
  const keyframeKinds = looked ?? index.keyframesMs.map(() => 'unclear' as const)
  return keyframeKinds.every((kind) => kind === 'closed') ? index : { ...index, keyframeKinds }
}

interface Bound {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly ms: number
}

/** Undefined if the disk is too slow, or the file cannot be read. @throws the signal's reason */
async function inTime<Value>({ clock, signal, ms }: Bound, work: (signal: AbortSignal) => Promise<Value>): Promise<Value | undefined> {
  const late = new AbortController()
  const tooLate = Promise.withResolvers<undefined>()
  const disarm = clock.after(ms, () => {
    late.abort()
    tooLate.resolve(undefined)
  })
  try {
    const working = work(AbortSignal.any([signal, late.signal])).catch(() => undefined)
    return await Promise.race([working, tooLate.promise])
  } finally {
    disarm()
    signal.throwIfAborted()
  }
}
