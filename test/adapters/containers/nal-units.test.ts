import t from 'tap'
import { kindOfKeyframe, lengthPrefixedUnits, startCodeUnits } from '../../../src/adapters/containers/nal-units.ts'

const h264 = (...units: readonly (readonly number[])[]) =>
  kindOfKeyframe(
    { codec: 'h264', isLed: true },
    units.map((unit) => Uint8Array.from(unit)),
  )
const hevc = (isLed: boolean, ...types: readonly number[]) =>
  kindOfKeyframe(
    { codec: 'hevc', isLed },
    types.map((type) => Uint8Array.of(type << 1, 1)),
  )

t.test('an IDR picture of H.264 is closed, whatever stands before it', async (t) => {
  t.equal(h264([0x65, 0x88]), 'closed')
  t.equal(h264([0x09, 0x10], [0x67], [0x68], [0x06, 5], [0x65, 0x88]), 'closed')
})

t.test('a picture of I slices is open, and one of P slices is unclear, though the container calls both keyframes', async (t) => {
  t.equal(h264([0x06, 6], [0x41, 0x88, 0x80]), 'open', 'slice type 7')
  t.equal(h264([0x41, 0xb0, 0x80]), 'open', 'slice type 2')
  t.equal(h264([0x09, 0x10], [0x41, 0xb0]), 'open', 'by its delimiter')
  t.equal(h264([0x06, 6], [0x41, 0x9a, 0x80]), 'unclear', 'slice type 5')
  t.equal(h264([0x02, 0x88]), 'unclear')
  t.equal(h264([0x41]), 'unclear', 'cut off')
})

t.test('a CRA picture of HEVC is open only where others lead it', async (t) => {
  t.equal(hevc(true, 35, 32, 33, 34, 19), 'closed')
  t.equal(hevc(true, 20), 'closed')
  t.strictSame([hevc(true, 39, 21), hevc(false, 39, 21)], ['open', 'closed'])
  t.strictSame([hevc(true, 16), hevc(false, 16), hevc(true, 17)], ['open', 'closed', 'closed'])
  t.equal(hevc(true, 1), 'unclear')
})

t.test('data without a slice yields no slice type', async (t) => {
  t.equal(h264(), undefined)
  t.equal(h264([0x67], [0x06]), undefined)
  t.equal(hevc(false, 32, 33), undefined)
})

t.test('units are found behind lengths and behind start codes', async (t) => {
  const first = (units: Iterable<Uint8Array>) => [...units].map((unit) => unit[0])
  t.strictSame(first(lengthPrefixedUnits(Uint8Array.of(0, 0, 0, 2, 7, 7, 0, 0, 0, 9, 5, 1), 4)), [7, 5])
  t.strictSame(first(lengthPrefixedUnits(Uint8Array.of(2, 7, 7, 0, 1, 5), 1)), [7, 5])
  t.strictSame(first(startCodeUnits(Uint8Array.of(0, 0, 0, 1, 9, 16, 0, 0, 1, 5, 1))), [9, 5])
})
