import t from 'tap'
import { opusSamples } from '../../transcode-agent/opus-packet.ts'

/** First byte of a packet: configuration, stereo, code of its number of frames. */
const packet = (configuration: number, code: number, ...rest: readonly number[]) => Uint8Array.of((configuration << 3) | 4 | code, ...rest)

t.test('the first byte of an Opus packet states the length of its frames', async (t) => {
  const [silk, hybrid, celt] = [
    [10, 20, 40, 60],
    [10, 20],
    [2.5, 5, 10, 20],
  ]
  const lengthsMs = [silk, silk, silk, hybrid, hybrid, celt, celt, celt, celt].flat()
  t.strictSame(
    lengthsMs.map((_, configuration) => (opusSamples(packet(configuration, 0)) ?? 0) / 48),
    lengthsMs,
  )
})

t.test('a packet holds one frame, two, or as many as its second byte states', async (t) => {
  t.equal(opusSamples(packet(31, 1)), 2 * 960)
  t.equal(opusSamples(packet(31, 2)), 2 * 960)
  t.equal(opusSamples(packet(31, 3, 0xc0 | 3)), 3 * 960)
})

t.test('bytes that are no Opus packet state no length', async (t) => {
  t.equal(opusSamples(new Uint8Array()), undefined)
  t.equal(opusSamples(packet(31, 3)), undefined)
  t.equal(opusSamples(packet(31, 3, 0)), undefined)
  t.equal(opusSamples(packet(31, 3, 7)), undefined, 'longer than 120 ms')
})
