import t from 'tap'
import { boxesIn, boxOf, words } from '../../transcode-agent/box.ts'
import { samplesOf } from '../../transcode-agent/fragment.ts'
import { writeSegment } from '../../transcode-agent/segment-writer.ts'
import { segmentTable } from '../fixtures/segment-table.ts'

const data = Buffer.from('keyframe-picture-b')
const samples = [
  { dts: 5_000_000_000, pts: 5_000_000_000, sizeBytes: 9, key: true },
  { dts: 5_000_001_000, pts: 5_000_003_000, sizeBytes: 8, key: false },
  { dts: 5_000_002_000, pts: 5_000_002_000, sizeBytes: 1, key: false },
]

t.test('a segment says when, how long and what, with times beyond 32 bits', async (t) => {
  const bytes = writeSegment({ segment: 7, samples, end: 5_000_004_000, data: [data.subarray(0, 5), data.subarray(5)] })
  const table = segmentTable(bytes)
  t.strictSame([table.start, table.end], [5_000_000_000, 5_000_004_000])
  t.strictSame(
    table.samples.map(({ pts, duration, key, bytes }) => [pts, duration, key, bytes.toString()]),
    [
      [5_000_000_000, 1_000, true, 'keyframe-'],
      [5_000_003_000, 1_000, false, 'picture-'],
      [5_000_002_000, 2_000, false, 'b'],
    ],
  )
})

t.test('what is written is read back by the reader of fragments', async (t) => {
  const bytes = writeSegment({ segment: 0, samples, end: 5_000_004_000, data: [data] })
  const moof = boxesIn(bytes).find((box) => box.type === 'moof')!.payload
  t.strictSame(
    samplesOf(moof).map(({ pts, sizeBytes, key }) => ({ pts, sizeBytes, key })),
    samples.map(({ pts, sizeBytes, key }) => ({ pts, sizeBytes, key })),
  )
})

t.test('defaults of a fragment stand in for what its run leaves out, and times before zero are read as such', async (t) => {
  const tfhd = boxOf('tfhd', words(0x020038, 1, 1_024, 300, 0x02000000))
  const tfdt = boxOf('tfdt', words(0x01000000, -1, -1_024))
  const run = boxOf('trun', words(0x000001, 2, 0))
  t.strictSame(samplesOf(boxOf('traf', tfhd, tfdt, run)), [
    { pts: -1_024, duration: 1_024, sizeBytes: 300, key: true, offset: 0 },
    { pts: 0, duration: 1_024, sizeBytes: 300, key: true, offset: 0 },
  ])
})

t.test('a run that promises more samples than it has is refused', async (t) => {
  const traf = boxOf('traf', boxOf('tfhd', words(0x020000, 1)), boxOf('tfdt', words(0, 0)), boxOf('trun', words(0x000201, 1_000_000, 0, 5)))
  t.throws(() => samplesOf(traf), { code: 'malformed-mp4' })
})

t.test('a segment may hold any number of samples', async (t) => {
  const count = 200_000
  const many = Array.from({ length: count }, (_, index) => ({ dts: index * 1_024, pts: index * 1_024, sizeBytes: 1, key: true }))
  const table = segmentTable(writeSegment({ segment: 0, samples: many, end: count * 1_024, data: [new Uint8Array(count)] }))
  t.strictSame([table.samples.length, table.start, table.end], [count, 0, count * 1_024])
})
