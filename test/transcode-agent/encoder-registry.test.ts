import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import type { Encoder } from '../../src/vocabulary/encoder.ts'
import { createEncoderRegistry } from '../../transcode-agent/encoder-registry.ts'
import type { Proof } from '../../transcode-agent/encoder-proof.ts'

const MINUTE_MS = 60_000
const NO_DEVICE: Proof = { type: 'disproved', why: 'No such device' }
const STARVED: Proof = { type: 'undecided', why: 'It made too little in 20 seconds' }
const proved = (name: Encoder, framesPerSecond: number): Proof => ({ type: 'proved', encoder: { name, framesPerSecond } })

/** An agent's abilities, whose proofs end with these results; all others need hardware that is missing. */
function openBench(proofs: Partial<Record<Encoder, Proof>>) {
  const clock = createTestClock()
  const bench = { tried: [] as Encoder[], problems: [] as unknown[], told: [] as string[], isIdle: true, changes: 0, proofs }
  const encoderRegistry = createEncoderRegistry({
    clock,
    ffmpegPath: '/usr/bin/ffmpeg',
    prove: async (encoder) => {
      bench.tried.push(encoder)
      return bench.proofs[encoder] ?? NO_DEVICE
    },
    isIdle: () => bench.isIdle,
    changed: () => void bench.changes++,
    onError: (cause) => bench.problems.push(cause),
    print: (text) => bench.told.push(text),
  })
  const names = () => encoderRegistry.encoders()?.map(({ name }) => name)
  return Object.assign(bench, { clock, encoderRegistry, names })
}

t.test('an agent that has nothing else to do tries software first, then each circuit, and says what there is in plain words', async (t) => {
  const bench = openBench({ x264: proved('x264', 131), nvenc: proved('nvenc', 412) })
  t.equal(bench.encoderRegistry.encoders(), null)
  await bench.clock.advance(6_000)
  t.strictSame(bench.tried, ['x264', 'nvenc', 'qsv', 'videotoolbox', 'vaapi'])
  t.strictSame(bench.encoderRegistry.encoders(), [
    { name: 'x264', framesPerSecond: 131 },
    { name: 'nvenc', framesPerSecond: 412 },
  ])
  t.strictSame(bench.told, [
    'Video encoders of this machine: x264 (software, about 131 frames a second from 1080p to 720p), nvenc (hardware, about 412 frames a second from 1080p to 720p).',
  ])
  t.strictSame(bench.problems, [], 'that there is no other circuit is none')
  await bench.encoderRegistry.close()
})

t.test('what is there is not tried again, what is not is after a while: software soon, circuits seldom', async (t) => {
  const bench = openBench({ x264: NO_DEVICE, nvenc: proved('nvenc', 412) })
  await bench.clock.advance(6_000)
  bench.tried.length = 0
  await bench.clock.advance(MINUTE_MS)
  t.strictSame(bench.tried, ['x264'])
  bench.proofs = { x264: proved('x264', 90), qsv: proved('qsv', 300) }
  await bench.clock.advance(10 * MINUTE_MS)
  t.strictSame(bench.names(), ['nvenc', 'x264', 'qsv'])
  t.notOk(bench.tried.includes('nvenc'))
  t.equal(bench.told.length, 3)
  await bench.encoderRegistry.close()
})

t.test('a proof that was starved by load takes nothing away: an agent goes on encoding as it did', async (t) => {
  const bench = openBench({ x264: STARVED })
  await bench.clock.advance(30_000)
  t.equal(bench.encoderRegistry.encoders(), null, 'it is believed still')
  bench.proofs = { x264: STARVED, nvenc: proved('nvenc', 412) }
  await bench.clock.advance(10 * MINUTE_MS)
  t.strictSame(bench.names(), ['x264', 'nvenc'], 'also beside a circuit that was proved')
  t.strictSame(bench.problems, [])
  await bench.encoderRegistry.close()
})

t.test('an agent that cannot encode at all reports that once', async (t) => {
  const bench = openBench({ x264: { type: 'disproved', why: "Unknown encoder 'libx264'" } })
  await bench.clock.advance(5 * MINUTE_MS)
  t.strictSame(bench.encoderRegistry.encoders(), [])
  t.equal(bench.problems.length, 1)
  t.match(String(bench.problems[0]), /\/usr\/bin\/ffmpeg\) cannot encode video.*Unknown encoder 'libx264'/)
  t.strictSame(bench.told, [])
  await bench.encoderRegistry.close()
})

t.test('one at work tries nothing', async (t) => {
  const bench = openBench({ x264: proved('x264', 131) })
  bench.isIdle = false
  await bench.clock.advance(MINUTE_MS)
  t.strictSame(bench.tried, [])
  await bench.encoderRegistry.close()
})

t.test('a circuit that fails at work is left alone for a minute, and for twice as long when it fails again soon', async (t) => {
  const bench = openBench({ x264: proved('x264', 131), nvenc: proved('nvenc', 412) })
  await bench.clock.advance(6_000)
  const before = bench.changes
  bench.encoderRegistry.failed('nvenc', 'OpenEncodeSessionEx failed')
  bench.encoderRegistry.failed('nvenc', 'its other jobs fail with it')
  t.strictSame(bench.names(), ['x264'])
  t.equal(bench.changes, before + 1, 'others hear of it at once')
  t.match(bench.told.at(-1), /nvenc failed on this machine: it is not used for 60 seconds. OpenEncodeSessionEx failed/)
  await bench.clock.advance(MINUTE_MS + 1)
  t.strictSame(bench.names(), ['x264', 'nvenc'])
  bench.encoderRegistry.failed('nvenc', 'again')
  await bench.clock.advance(MINUTE_MS + 1)
  t.strictSame(bench.names(), ['x264'])
  await bench.clock.advance(MINUTE_MS)
  t.strictSame(bench.names(), ['x264', 'nvenc'])
  await bench.clock.advance(60 * MINUTE_MS)
  bench.encoderRegistry.failed('nvenc', 'much later')
  await bench.clock.advance(MINUTE_MS + 1)
  t.strictSame(bench.names(), ['x264', 'nvenc'])
  bench.encoderRegistry.failed('x264', 'a film that cannot be read')
  t.strictSame(bench.names(), ['x264', 'nvenc'], 'software has no circuit that fails')
  await bench.encoderRegistry.close()
})
