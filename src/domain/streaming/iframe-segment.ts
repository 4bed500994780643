/**
 * Cuts the first frame out of a segment: a new segment with one sample that is shown for the whole duration. Segments start with a
 * frame that can be decoded alone. Only our own segment format is read (`styp`, `moof` with one track and one run whose samples each have
 * a duration, a size, flags and an offset, `mdat`).
 */

interface Box {
  readonly type: string
  readonly start: number
  readonly end: number
}

const HEADER_BYTES = 8
/** Version and flags, number of samples, data offset. */
const RUN_HEAD_BYTES = 12
/** Data offset; per sample the duration, size, flags and composition offset. */
const RUN_FLAGS = 0x000f01
const SAMPLE_BYTES = 16

/** @throws Error if it is not one of our segments */
export function firstFrame(segment: Uint8Array): Uint8Array {
  const data = new DataView(segment.buffer, segment.byteOffset, segment.byteLength)
  const whole = { type: 'segment', start: -HEADER_BYTES, end: segment.byteLength }
  const moof = inside(data, whole, 'moof')
  const mdat = inside(data, whole, 'mdat')
  const traf = inside(data, moof, 'traf')
  const run = readRun(data, inside(data, traf, 'trun'))
  const headBytes = run.box.start + HEADER_BYTES + RUN_HEAD_BYTES + SAMPLE_BYTES
  const bytes = new Uint8Array(headBytes + HEADER_BYTES + run.sizeBytes)
  bytes.set(segment.subarray(0, run.box.start))
  const out = new DataView(bytes.buffer)
  for (const { start } of [moof, traf, run.box]) out.setUint32(start, headBytes - start)
  const at = run.box.start
  const fields = [RUN_FLAGS, 1, headBytes + HEADER_BYTES - moof.start, run.duration, run.sizeBytes, run.flags, 0]
  bytes.set(segment.subarray(at + 4, at + HEADER_BYTES), at + 4)
  fields.forEach((value, index) => out.setUint32(at + HEADER_BYTES + index * 4, value))
  out.setUint32(headBytes, HEADER_BYTES + run.sizeBytes)
  bytes.set(segment.subarray(mdat.start + 4, mdat.start + HEADER_BYTES + run.sizeBytes), headBytes + 4)
  return bytes
}

interface Run {
  readonly box: Box
  /** Of all samples together. */
  readonly duration: number
  /** Of the first sample. */
  readonly sizeBytes: number
  readonly flags: number
}

function readRun(data: DataView, box: Box): Run {
  const at = box.start + HEADER_BYTES
  const count = data.getUint32(at + 4)
  if ((data.getUint32(at) & 0xffffff) !== RUN_FLAGS || count === 0 || box.end - at !== RUN_HEAD_BYTES + count * SAMPLE_BYTES)
    throw new Error(`A run of ${count} samples in another form`)
  const first = at + RUN_HEAD_BYTES
  let duration = 0
  for (let sample = first; sample < box.end; sample += SAMPLE_BYTES) duration += data.getUint32(sample)
  return { box, duration, sizeBytes: data.getUint32(first + 4), flags: data.getUint32(first + 8) }
}

/** The first box of a type inside another. */
function inside(data: DataView, outer: Box, type: string): Box {
  for (let start = outer.start + HEADER_BYTES; start + HEADER_BYTES <= outer.end;) {
    const end = start + data.getUint32(start)
    if (end < start + HEADER_BYTES || end > outer.end) break
    const found = String.fromCharCode(...[4, 5, 6, 7].map((offset) => data.getUint8(start + offset)))
    if (found === type) return { type, start, end }
    start = end
  }
  throw new Error(`No ${type} in ${outer.type}`)
}
