import t from 'tap'
import { firstFrame } from '../../../src/domain/streaming/iframe-segment.ts'
import { writeSegment } from '../../../transcode-agent/segment-writer.ts'
import { segmentTable } from '../../fixtures/segment-table.ts'

const SEGMENT = {
  segment: 7,
  samples: [
    { dts: 2 ** 33, pts: 2 ** 33 + 40, sizeBytes: 5, key: true },
    { dts: 2 ** 33 + 10, pts: 2 ** 33 + 20, sizeBytes: 3, key: false },
    { dts: 2 ** 33 + 30, pts: 2 ** 33 + 60, sizeBytes: 4, key: false },
  ],
  end: 2 ** 33 + 100,
  data: [Buffer.from('firsttwo'), Buffer.from('more')],
}

t.test('the first frame of a segment is a segment of that frame alone, shown as long as the whole', async (t) => {
  const whole = writeSegment(SEGMENT)
  const table = segmentTable(firstFrame(whole))
  t.match(table, { types: ['styp', 'moof', 'mdat'], sequence: 8, track: 1, baseIsMoof: true, start: 2 ** 33, end: 2 ** 33 + 100 })
  t.strictSame(table.samples, [{ dts: 2 ** 33, pts: 2 ** 33, duration: 100, key: true, bytes: Buffer.from('first') }])
})

t.test('it is the same wherever in memory the segment lies, and takes none of its memory', async (t) => {
  const whole = writeSegment(SEGMENT)
  const elsewhere = Buffer.concat([Buffer.from('xyz'), whole, Buffer.from('more')])
  const cut = firstFrame(elsewhere.subarray(3, 3 + whole.byteLength))
  t.strictSame(Buffer.from(cut), Buffer.from(firstFrame(whole)))
  elsewhere.fill(0)
  t.equal(segmentTable(cut).samples[0]?.bytes.toString(), 'first')
})

t.test('offsets below zero are read as what they are', async (t) => {
  const samples = [{ dts: 100, pts: 90, sizeBytes: 5, key: true }]
  const cut = firstFrame(writeSegment({ segment: 0, samples, end: 300, data: [Buffer.from('first')] }))
  t.match(segmentTable(cut), { start: 100, end: 300, samples: [{ pts: 100, duration: 200 }] })
})

t.test('what is no segment of ours is refused', async (t) => {
  const whole = writeSegment(SEGMENT)
  t.throws(() => firstFrame(new Uint8Array(0)), /No moof/)
  t.throws(() => firstFrame(whole.subarray(0, whole.byteLength - 1)), /No mdat/)
  t.throws(() => firstFrame(writeSegment({ ...SEGMENT, samples: [], data: [] })), /A run of 0 samples/)
  const other = Buffer.from(whole)
  other[other.indexOf('trun') + 6] = 0
  t.throws(() => firstFrame(other), /in another form/)
  other.write('free', other.indexOf('traf'), 'latin1')
  t.throws(() => firstFrame(other), /No traf in moof/)
})
