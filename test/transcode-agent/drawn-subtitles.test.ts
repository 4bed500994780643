import t from 'tap'
import type { BurnIn } from '../../src/domain/streaming/burn-in.ts'
import { ffmpegArguments } from '../../transcode-agent/ffmpeg-arguments.ts'
import type { Work } from '../../transcode-agent/work.ts'
import { ENCODED } from '../fixtures/scripted-agent.ts'

const BITMAP: BurnIn = { type: 'bitmap', stream: 5, clock: { type: 'audio', stream: 1 }, width: 1920, height: 800, matrix: 'bt709' }

const workWith = (burnIn: BurnIn, more: Partial<Work> = {}): Work => ({
  input: { type: 'path', path: '/films/one.mkv' },
  stream: 0,
  output: { ...ENCODED, burnIn },
  zeroMs: 0,
  seekMs: 95_000,
  startsMs: [100_000, 102_000],
  endMs: 200_000,
  ...more,
})

const after = (args: readonly string[], name: string): readonly (string | undefined)[] =>
  args.flatMap((argument, index) => (argument === name ? [args[index + 1]] : []))

t.test('frames are read from further back than the film, in which nothing more has to be decoded', async (t) => {
  const args = ffmpegArguments(workWith(BITMAP), { zscale: true })
  t.strictSame(after(args, '-ss'), ['95.000000', '65.000000'])
  t.strictSame(after(args, '-i'), ['file:/films/one.mkv', 'file:/films/one.mkv'])
  t.strictSame(after(args, '-protocol_whitelist'), ['file', 'file'])
  t.strictSame(after(args, '-map'), ['[made]'])
  t.strictSame(after(args, '-reinit_filter:5'), ['0'])
  t.notOk(args.includes('-vf'))
  const early = ffmpegArguments(workWith(BITMAP, { seekMs: 20_000 }), { zscale: true })
  t.strictSame(after(early, '-ss'), ['20.000000'])
})

t.test('the less there is to read of a film, the further back its subtitle is read from', async (t) => {
  const from = (sizeBytes: number) => {
    const work = workWith(BITMAP, { seekMs: 995_000, startsMs: [1_000_000], endMs: 2_000_000, sizeBytes })
    return after(ffmpegArguments(work, { zscale: true }), '-ss')[1]
  }
  t.equal(from(200_000_000), '815.000000', 'at most three minutes')
  t.equal(from(2_000_000_000), '895.000000', 'a hundred megabytes')
  t.equal(from(20_000_000_000), '965.000000', 'at least half a minute')
})

t.test('a film without sound goes by its keyframes', async (t) => {
  const args = ffmpegArguments(workWith({ ...BITMAP, clock: { type: 'video', stream: 0 } }), { zscale: true })
  t.strictSame(after(args, '-skip_frame:v'), ['nokey'])
  t.match(after(args, '-filter_complex')[0], '[1:0]nullsink;[1:5]')
})

t.test('what is drawn comes after the size and before what the encoder is given', async (t) => {
  const [graph = ''] = after(ffmpegArguments(workWith(BITMAP), { zscale: true }), '-filter_complex')
  t.match(graph, /^\[0:0\].*trim=.*scale=1280:720:flags=bicubic,.*,null\[film\];.*overlay=.*,setsar=1,format=yuv420p\[made\]$/)
  const text = workWith({ type: 'text' }, { attachment: { first: '/tmp/p/first', others: '/tmp/p/others' } })
  const [chain] = after(ffmpegArguments(text, { zscale: true }), '-vf')
  t.match(chain, /scale=1280:720:flags=bicubic,.*,ass=filename=\/tmp\/p\/first:fontsdir=\/tmp\/p\/others,setsar=1,format=yuv420p$/)
})

t.test('a path of our own is one value in a filter graph, whatever signs it holds', async (t) => {
  const attachment = { first: "/tmp/it's [a], b;c:d\\e/first", others: '/tmp/p/others' }
  const [chain = ''] = after(ffmpegArguments(workWith({ type: 'text' }, { attachment }), { zscale: true }), '-vf')
  t.ok(chain.includes(String.raw`ass=filename=/tmp/it\\\'s \[a\]\, b\;c\\:d\\\\e/first:fontsdir=/tmp/p/others`), chain)
})

t.test('a job whose text did not come is not run without it', async (t) => {
  t.throws(() => ffmpegArguments(workWith({ type: 'text' }), { zscale: true }), { message: /came without the subtitle/ })
})
