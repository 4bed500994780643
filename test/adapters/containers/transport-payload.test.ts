import t from 'tap'
import { transportPayload } from '../../../src/adapters/containers/transport-payload.ts'

const PES = [0, 0, 1, 0xe0, 0, 0, 0x80, 0, 2, 0xff, 0xff]

interface Packet {
  readonly pid?: number
  readonly begins?: boolean
  readonly adaptationBytes?: number
  readonly payload: readonly number[]
}

/** Padded at the end, where a real packet pads its adaptation field. */
function packet({ pid = 256, begins = false, adaptationBytes, payload }: Packet): Buffer {
  const bytes = Buffer.alloc(188, 0xaa)
  const adaptation = adaptationBytes === undefined ? [] : [adaptationBytes, ...Buffer.alloc(adaptationBytes)]
  bytes.set([0x47, (begins ? 0x40 : 0) | (pid >> 8), pid & 0xff, adaptationBytes === undefined ? 0x10 : 0x30, ...adaptation, ...payload])
  return bytes
}

const packets = [
  packet({ begins: true, adaptationBytes: 7, payload: [...PES, 1, 2, 3] }),
  packet({ pid: 257, begins: true, payload: [9, 9, 9] }),
  packet({ payload: [4, 5, 6] }),
  packet({ begins: true, payload: [...PES, 7] }),
]

t.test('the payload of a PES packet goes on over the packets of other tracks, up to the next one', async (t) => {
  const payload = transportPayload(Buffer.concat(packets))
  t.strictSame([...payload.subarray(0, 3)], [1, 2, 3])
  const second = 188 - 4 - 8 - PES.length
  t.strictSame([...payload.subarray(second, second + 3)], [4, 5, 6])
  t.equal(payload.length, second + 184)
})

t.test('packets with a time before them, or a checksum behind them, are read as well', async (t) => {
  for (const [before, after] of [
    [4, 0],
    [0, 16],
  ] as const) {
    const payload = transportPayload(Buffer.concat(packets.flatMap((one) => [Buffer.alloc(before), one, Buffer.alloc(after)])))
    t.strictSame([...payload.subarray(0, 3)], [1, 2, 3])
  }
})

t.test('what is no transport stream, or begins with no PES packet, has none', async (t) => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(1000), packets[2]!, Buffer.alloc(1000, 0x47)]) {
    t.equal(transportPayload(bytes).length, 0)
  }
})
