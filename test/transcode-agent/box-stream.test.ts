import t from 'tap'
import { boxOf } from '../../transcode-agent/box.ts'
import { joined, MalformedMp4, MAX_BOX_BYTES, readBoxes, type Box } from '../../transcode-agent/box-stream.ts'

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251)

async function* pieces(whole: Uint8Array, size: number) {
  for (let at = 0; at < whole.byteLength; at += size) yield whole.subarray(at, at + size)
}

async function read(whole: Uint8Array, size: number): Promise<readonly Box[]> {
  const boxes: Box[] = []
  for await (const box of readBoxes(pieces(whole, size))) boxes.push(box)
  return boxes
}

const header = (size: number, type: string) => {
  const buffer = Buffer.alloc(8)
  buffer.writeUInt32BE(size)
  buffer.write(type, 4, 'latin1')
  return buffer
}

t.test('boxes come out whole however the pipe cuts them', async (t) => {
  const whole = Buffer.concat([boxOf('ftyp', bytes(20)), boxOf('moof', bytes(3)), boxOf('mdat', bytes(5_000)), boxOf('free')])
  for (const size of [1, 3, 7, 8, 9, 4096, 100_000]) {
    const boxes = await read(whole, size)
    t.strictSame(
      boxes.map(({ type, sizeBytes }) => [type, sizeBytes]),
      [
        ['ftyp', 20],
        ['moof', 3],
        ['mdat', 5_000],
        ['free', 0],
      ],
      `pieces of ${size}`,
    )
    t.ok(Buffer.from(joined(boxes[2]!.payload)).equals(bytes(5_000)))
  }
})

t.test('a box with a length of 64 bits is read', async (t) => {
  const large = Buffer.alloc(16)
  large.writeUInt32BE(1)
  large.write('mdat', 4, 'latin1')
  large.writeBigUInt64BE(26n, 8)
  const boxes = await read(Buffer.concat([large, bytes(10), boxOf('free')]), 5)
  t.strictSame(
    boxes.map(({ type, sizeBytes }) => [type, sizeBytes]),
    [
      ['mdat', 10],
      ['free', 0],
    ],
  )
})

t.test('a box that is cut off at the end of the stream is left out', async (t) => {
  const whole = Buffer.concat([boxOf('moof', bytes(8)), boxOf('mdat', bytes(100))])
  t.strictSame(
    (await read(whole.subarray(0, -1), 16)).map(({ type }) => type),
    ['moof'],
  )
  t.strictSame(
    (await read(whole.subarray(0, 20), 16)).map(({ type }) => type),
    ['moof'],
  )
})

t.test('lengths that cannot be are refused', async (t) => {
  await t.rejects(read(header(4, 'moof'), 8), MalformedMp4)
  await t.rejects(read(header(0, 'mdat'), 8), MalformedMp4)
  await t.rejects(read(header(MAX_BOX_BYTES + 1, 'mdat'), 8), MalformedMp4)
})

t.test('nothing is read before it is asked for', async (t) => {
  let given = 0
  async function* source() {
    for (; given < 10; given++) yield boxOf('free', bytes(100))
  }
  const boxes = readBoxes(source())
  await boxes.next()
  t.ok(given <= 1, `${given} pieces were taken for one box`)
})
