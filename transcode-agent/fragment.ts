/** Parses fragments (`moof` + `mdat`) of one track into samples with absolute times in ticks of the track's timescale. */
import { boxesIn, needBox } from './box.ts'
import { MalformedMp4, view } from './box-stream.ts'

export interface Sample {
  /** Presentation time. */
  readonly pts: number
  /** As written by the muxer; segments get newly derived durations. */
  readonly duration: number
  readonly sizeBytes: number
  readonly key: boolean
  /** Presentation time less the muxer's decode time. */
  readonly offset?: number
}

export interface Fragment {
  /** In coding order. */
  readonly samples: readonly Sample[]
  /** The samples' bytes in sequence. */
  readonly data: readonly Uint8Array[]
}

const TFHD = { baseDataOffset: 0x1, description: 0x2, duration: 0x8, size: 0x10, flags: 0x20 }
const TRUN = { dataOffset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, offset: 0x800 }
const NOT_SYNC = 0x10000

interface Defaults {
  readonly duration: number
  readonly size: number
  readonly flags: number
}

/** The samples of a `moof` that holds one track. */
export function samplesOf(moof: Uint8Array): readonly Sample[] {
  const traf = needBox(moof, 'traf')
  const defaults = readTfhd(needBox(traf, 'tfhd'))
  let dts = readTfdt(needBox(traf, 'tfdt'))
  const samples: Sample[] = []
  for (const { type, payload } of boxesIn(traf)) {
    if (type !== 'trun') continue
    for (const sample of readTrun(payload, defaults)) {
      samples.push({ ...sample, pts: dts + sample.offset })
      dts += sample.duration
    }
  }
  return samples
}

function readTfhd(bytes: Uint8Array): Defaults {
  const data = view(bytes)
  const flags = data.getUint32(0)
  let at = 8 + (flags & TFHD.baseDataOffset ? 8 : 0) + (flags & TFHD.description ? 4 : 0)
  const next = (mask: number): number => {
    if (!(flags & mask)) return 0
    at += 4
    return data.getUint32(at - 4)
  }
  return { duration: next(TFHD.duration), size: next(TFHD.size), flags: next(TFHD.flags) }
}

/** Signed: an AAC encoder's priming comes before zero and is written as 2^64 less its length. */
function readTfdt(bytes: Uint8Array): number {
  const data = view(bytes)
  return data.getUint8(0) === 1 ? Number(data.getBigInt64(4)) : data.getInt32(4)
}

interface RunSample extends Omit<Sample, 'pts'> {
  readonly offset: number
}

function* readTrun(bytes: Uint8Array, defaults: Defaults): Generator<RunSample> {
  const data = view(bytes)
  const flags = data.getUint32(0) & 0xffffff
  const count = data.getUint32(4)
  let at = 8 + (flags & TRUN.dataOffset ? 4 : 0)
  const firstFlags = flags & TRUN.firstFlags ? data.getUint32(at) : undefined
  if (firstFlags !== undefined) at += 4
  const width = [TRUN.duration, TRUN.size, TRUN.flags, TRUN.offset].filter((mask) => flags & mask).length * 4
  if (at + count * width > bytes.byteLength) throw new MalformedMp4(`A trun of ${count} samples in ${bytes.byteLength} bytes`)
  const next = (mask: number, otherwise: number): number => {
    if (!(flags & mask)) return otherwise
    at += 4
    return data.getUint32(at - 4)
  }
  for (let index = 0; index < count; index++) {
    const duration = next(TRUN.duration, defaults.duration)
    const sizeBytes = next(TRUN.size, defaults.size)
    const sampleFlags = next(TRUN.flags, index === 0 ? (firstFlags ?? defaults.flags) : defaults.flags)
    const offset = next(TRUN.offset, 0) | 0
    yield { duration, sizeBytes, key: (sampleFlags & NOT_SYNC) === 0, offset }
  }
}
