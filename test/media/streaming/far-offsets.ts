/** Moves the samples of an MP4 film beyond 4 GB, like in a film of that size. The file is sparse, so it needs no more disk space. */
import { open, readFile, rename } from 'node:fs/promises'
import { boxesOf, boxOf } from './edit-lists.ts'

const HOLE_BYTES = 4.5 * 2 ** 30
const HEAD_BYTES = 8
const LARGE_HEAD_BYTES = 16
const COUNT_END = 16
const PARENTS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])

/** `path`: an MP4 file whose header comes last. Its chunks get 64-bit offsets. */
export async function moveFar(path: string): Promise<void> {
  const boxes = boxesOf(await readFile(path))
  const [before, [samples, ...behind]] = [
    boxes.slice(
      0,
      boxes.findIndex(({ type }) => type === 'mdat'),
    ),
    boxes.slice(boxes.findIndex(({ type }) => type === 'mdat')),
  ]
  if (!samples) throw new Error('No mdat')
  const start = Buffer.concat(before.map(({ bytes }) => bytes))
  const head = Buffer.alloc(LARGE_HEAD_BYTES)
  head.writeUInt32BE(1)
  head.write('mdat', 4, 'latin1')
  head.writeBigUInt64BE(BigInt(LARGE_HEAD_BYTES + HOLE_BYTES + samples.bytes.length - HEAD_BYTES), HEAD_BYTES)
  const shift = LARGE_HEAD_BYTES + HOLE_BYTES - HEAD_BYTES
  const end = behind.map(({ bytes }) => farther(bytes, shift))
  const far = `${path}.far`
  const file = await open(far, 'w')
  try {
    await file.write(Buffer.concat([start, head]), 0, undefined, 0)
    await file.write(
      Buffer.concat([samples.bytes.subarray(HEAD_BYTES), ...end]),
      0,
      undefined,
      start.length + LARGE_HEAD_BYTES + HOLE_BYTES,
    )
  } finally {
    await file.close()
  }
  await rename(far, path)
}

function farther(box: Buffer, shift: number): Buffer {
  const type = box.toString('latin1', 4, HEAD_BYTES)
  if (PARENTS.has(type)) return boxOf(type, ...boxesOf(box, HEAD_BYTES).map(({ bytes }) => farther(bytes, shift)))
  if (type !== 'stco') return box
  const offsets = Array.from({ length: box.readUInt32BE(COUNT_END - 4) }, (_, n) => BigInt(box.readUInt32BE(COUNT_END + 4 * n) + shift))
  return boxOf('co64', box.subarray(HEAD_BYTES, COUNT_END), ...offsets.map(bigEndian))
}

function bigEndian(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}
