/**
 * Iterates over the samples of an MP4 track in decoding order, from the tables of its stbl box. The walker mutates its fields instead of
 * allocating, since a film has hundreds of thousands of samples.
 */
import { boxesOf, boxIn, type Box } from './boxes.ts'
import { Unsupported } from './unsupported.ts'
import { tableOf, type Table } from './mp4-table.ts'

export interface Samples {
  readonly count: number
  /** Whether presentation times are stored in addition to decode times. */
  readonly isReordered: boolean
  walk(): SampleWalk
}

export interface SampleWalk {
  /** Advances to the next sample; false after the last. */
  next(): boolean
  /** The current sample, in ticks of the track. */
  readonly sample: {
    index: number
    decodedAt: number
    shownAt: number
    ticks: number
    isKey: boolean
    offset: number
    sizeBytes: number
  }
}

interface Tables {
  readonly stts: Table
  readonly ctts: Table
  readonly stsc: Table
  readonly chunks: Table
  readonly chunkOffset: (chunk: number) => number
  /** Undefined: every sample is a keyframe. */
  readonly keys: Table | undefined
  readonly sizes: Table
  /** Size of each sample, or 0 if they differ. */
  readonly sizeBytes: number
}

/** 18 hours at 60 frames a second. */
const MOST_SAMPLES = 4_000_000
/** ffmpeg also treats larger values as damage. */
const MOST_OFFSET_TICKS = 2 ** 28
const MOST_TICKS = 2 ** 31 - 1
/** Alternative boxes for keyframes and sizes. */
const OTHER_WAYS: ReadonlySet<string> = new Set(['stps', 'stz2'])
/** Sample group of random access points, in addition to those of stss. */
const RANDOM_ACCESS = 'rap '

/** @throws Unsupported the tables are damaged, or of an unsupported kind */
export function samplesOf(stbl: Uint8Array): Samples {
  for (const box of boxesOf(stbl)) if (isOtherWay(box)) throw new Unsupported('Its samples are described in another way')
  const stss = boxIn(stbl, 'stss')
  const co64 = boxIn(stbl, 'co64')
  const chunks = tableOf(co64 ?? boxIn(stbl, 'stco'), co64 ? 8 : 4)
  const { sizes, sizeBytes, count } = sizesOf(boxIn(stbl, 'stsz'))
  const tables: Tables = {
    stts: tableOf(boxIn(stbl, 'stts'), 8),
    ctts: tableOf(boxIn(stbl, 'ctts'), 8),
    stsc: tableOf(boxIn(stbl, 'stsc'), 12),
    chunks,
    chunkOffset: co64 ? (chunk) => chunks.u64(chunk) : (chunk) => chunks.u32(chunk),
    keys: stss && tableOf(stss, 4),
    sizes,
    sizeBytes,
  }
  if (count === 0 || count > MOST_SAMPLES) throw new Unsupported('It has no samples, or too many')
  if (tables.keys?.count === 0) throw new Unsupported('Its keyframes are not listed')
  if (total(tables.stts) !== count) throw new Unsupported('Its samples are of no certain number')
  if (tables.ctts.count > 0 && total(tables.ctts) < count) throw new Unsupported('Its samples are of no certain number')
  return { count, isReordered: tables.ctts.count > 0, walk: () => walkSamples(tables, count) }
}

function isOtherWay({ type, bytes }: Box): boolean {
  return OTHER_WAYS.has(type) || (type === 'sbgp' && String.fromCharCode(...bytes.subarray(4, 8)) === RANDOM_ACCESS)
}

/** A count, and either one size for all or one for each. */
function sizesOf(stsz: Uint8Array | undefined): { readonly sizes: Table; readonly sizeBytes: number; readonly count: number } {
  const head = tableOf(stsz, 0, 12)
  const sizeBytes = stsz ? new DataView(stsz.buffer, stsz.byteOffset, stsz.byteLength).getUint32(4) : 0
  return { sizes: sizeBytes === 0 ? tableOf(stsz, 4, 12) : head, sizeBytes, count: head.count }
}

function total(runs: Table): number {
  let samples = 0
  for (let run = 0; run < runs.count; run++) samples += runs.u32(run)
  return samples
}

function walkSamples(tables: Tables, count: number): SampleWalk {
  const sample = { index: -1, decodedAt: 0, shownAt: 0, ticks: 0, isKey: false, offset: 0, sizeBytes: 0 }
  const nextTicks = runsOf(tables.stts, (run) => checked(tables.stts.u32(run, 4), MOST_TICKS))
  const nextDelay = tables.ctts.count > 0 ? runsOf(tables.ctts, (run) => checked(tables.ctts.i32(run, 4), MOST_OFFSET_TICKS)) : () => 0
  const nextOffset = offsetsOf(tables)
  let nextKey = 0
  return {
    sample,
    next() {
      if (++sample.index >= count) return false
      sample.decodedAt += sample.ticks
      sample.ticks = nextTicks()
      sample.shownAt = sample.decodedAt + nextDelay()
      sample.sizeBytes = tables.sizeBytes || tables.sizes.u32(sample.index)
      sample.offset = nextOffset(sample.sizeBytes)
      sample.isKey = !tables.keys || (nextKey < tables.keys.count && tables.keys.u32(nextKey) === sample.index + 1)
      if (tables.keys && sample.isKey) nextKey++
      return true
    },
  }
}

function checked(ticks: number, most: number): number {
  if (Math.abs(ticks) > most) throw new Unsupported('A time makes no sense')
  return ticks
}

/** Expands run-length encoded values one by one. */
function runsOf(runs: Table, value: (run: number) => number): () => number {
  let run = -1
  let left = 0
  let current = 0
  return () => {
    while (left === 0) {
      if (++run >= runs.count) throw new Unsupported('A table ends too early')
      left = runs.u32(run)
      current = left > 0 ? value(run) : 0
    }
    left--
    return current
  }
}

/** Sample offsets, computed from the sizes one by one: back to back within chunks. */
function offsetsOf({ stsc, chunks, chunkOffset }: Tables): (sizeBytes: number) => number {
  let chunk = -1
  let run = -1
  let left = 0
  let at = 0
  return (sizeBytes) => {
    while (left === 0) {
      if (++chunk >= chunks.count) throw new Unsupported('It has too few chunks')
      if (run + 1 < stsc.count && stsc.u32(run + 1) === chunk + 1) run++
      if (run < 0) throw new Unsupported('Its chunks begin with none')
      left = stsc.u32(run, 4)
      at = chunkOffset(chunk)
    }
    left--
    const offset = at
    at += sizeBytes
    return offset
  }
}
