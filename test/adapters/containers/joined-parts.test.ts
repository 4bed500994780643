/** Places at which the clock of a stream begins anew, in streams made of nothing but the heads of packets. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readJoinedParts } from '../../../src/adapters/containers/joined-parts.ts'

const PACKET_BYTES = 188
const TICKS = 90_000
/** Packets without a head between two times. */
const FILLING = 40
const VIDEO_PID = 256

interface Recording {
  readonly fromSeconds: number
  readonly seconds: number
  readonly pid?: number
  readonly stride?: number
  readonly stream?: number
}

function packet(pid: number, head: Buffer | undefined, stride: number): Buffer {
  const bytes = Buffer.alloc(stride, 0x55)
  const at = stride - PACKET_BYTES
  bytes.set([0x47, (head ? 0x40 : 0) | (pid >> 8), pid & 0xff, 0x10], at)
  if (head) bytes.set(head, at + 4)
  return bytes
}

function pesHead(ticks: number, stream: number): Buffer {
  const [high, middle, low] = [Math.floor(ticks / 2 ** 30) & 7, Math.floor(ticks / 2 ** 15) & 0x7fff, ticks % 2 ** 15]
  const head = Buffer.from([0, 0, 1, stream, 0, 0, 0x80, 0x80, 5, 0x21 | (high << 1), 0, 0, 0, 0])
  head.writeUInt16BE((middle << 1) | 1, 10)
  head.writeUInt16BE((low << 1) | 1, 12)
  return head
}

/** Its tables, then a time each second. */
function recording({ fromSeconds, seconds, pid = VIDEO_PID, stride = PACKET_BYTES, stream = 0xe0 }: Recording): Buffer {
  const packets = [packet(0, undefined, stride)]
  for (let second = 0; second < seconds; second++) {
    packets.push(packet(pid, pesHead(((fromSeconds + second) * TICKS) % 2 ** 33, stream), stride))
    for (let filled = 0; filled < FILLING; filled++) packets.push(packet(pid, undefined, stride))
  }
  return Buffer.concat(packets)
}

async function partsOf(t: Test, ...recordings: readonly Buffer[]) {
  const path = join(t.testdir(), 'film.ts')
  writeFileSync(path, Buffer.concat(recordings))
  const found = await readJoinedParts(path, new AbortController().signal)
  return found?.parts.map(({ startByte, endByte, durationMs }) => [startByte, endByte, Math.round(durationMs / 1000)])
}

/** Offsets at which the recordings begin. */
const startsOf = (recordings: readonly Buffer[]) => recordings.map((_, index) => Buffer.concat(recordings.slice(0, index)).length)

t.test('each recording is a part, whether its clock starts before or long after the end of the one before', async (t) => {
  const clocks = [100, 100, 50_000, 7, 400]
  for (const stride of [PACKET_BYTES, 192]) {
    const recordings = clocks.map((fromSeconds, index) => recording({ fromSeconds, seconds: 100 + 20 * index, stride }))
    // At the sync byte, which packets of 192 bytes have after their arrival time.
    const starts = startsOf(recordings).map((start) => start && start + stride - PACKET_BYTES)
    const ends = [...starts.slice(1), Buffer.concat(recordings).length]
    const exact = starts.map((start, index) => [start, ends[index], 99 + 20 * index])
    t.strictSame(await partsOf(t, ...recordings), exact, `packets of ${stride} bytes`)
  }
})

t.test('a clock that goes round, pauses, and streams with other clocks, are no parts', async (t) => {
  const wrap = 2 ** 33 / TICKS
  t.equal(await partsOf(t, recording({ fromSeconds: wrap - 150, seconds: 300 })), undefined, 'the clock goes round')
  t.equal(
    await partsOf(t, recording({ fromSeconds: 0, seconds: 200 }), recording({ fromSeconds: 250, seconds: 200 })),
    undefined,
    'a pause',
  )
  const mixed = Array.from({ length: 60 }, (_, index) => [
    recording({ fromSeconds: 1_000 + 5 * index, seconds: 5 }),
    recording({ fromSeconds: 9 + 5 * index, seconds: 5, pid: 300 }),
    recording({ fromSeconds: 77_000, seconds: 1, stream: 0xbd }),
  ])
  t.equal(await partsOf(t, ...mixed.flat()), undefined, 'another program, and subtitles with times of their own')
})

t.test('what has no clock is no film in parts', async (t) => {
  t.equal(await partsOf(t, Buffer.alloc(100)), undefined)
  t.equal(await partsOf(t, Buffer.alloc(1_000_000, 0x47)), undefined)
  const film = recording({ fromSeconds: 0, seconds: 100 })
  t.equal(await partsOf(t, film, Buffer.alloc(3_000_000)), undefined, 'and an empty end')
  await t.rejects(readJoinedParts('/nowhere.ts', new AbortController().signal), { code: 'ENOENT' })
})
