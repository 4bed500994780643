import t from 'tap'
import { isBidirectional } from '../../transcode-agent/slice-type.ts'

const nal = (...bytes: readonly number[]) => [0, 0, 0, bytes.length, ...bytes]

t.test('the first slice of a frame shows whether it needs a later one', async (t) => {
  // first_mb_in_slice 0 is `1`; slice_type 1 is `010`, 0 is `1`, 6 is `00111`, 5 is `00110`.
  t.equal(isBidirectional(Uint8Array.from(nal(0x01, 0b1010_0000))), true)
  t.equal(isBidirectional(Uint8Array.from(nal(0x41, 0b1100_0000))), false)
  t.equal(isBidirectional(Uint8Array.from([...nal(0x06, 1, 2), ...nal(0x01, 0b1001_1100)])), true)
  t.equal(isBidirectional(Uint8Array.from([...nal(0x09, 0xf0), ...nal(0x41, 0b1001_1000)])), false)
})

t.test('data without a slice has no type, wherever it is cut off', async (t) => {
  for (const bytes of [[], [0, 0, 0], nal(0x06, 1), [255, 255, 255, 255, 6], [0, 0, 0, 0, 0]]) {
    t.equal(isBidirectional(Uint8Array.from(bytes)), undefined)
  }
  t.equal(isBidirectional(Uint8Array.from([0, 0, 0, 9, 1])), false)
})
