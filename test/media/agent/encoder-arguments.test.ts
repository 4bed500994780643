import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { ENCODERS, type Encoder } from '../../../src/vocabulary/encoder.ts'
import { deviceArguments, encoderArguments, encoderComplaint, uploadFilters } from '../../../transcode-agent/encoder-arguments.ts'
import { ffmpegArguments } from '../../../transcode-agent/ffmpeg-arguments.ts'
import type { Work } from '../../../transcode-agent/work.ts'
import { programs } from '../../fixtures/media-files.ts'
import { ENCODED } from '../../fixtures/scripted-agent.ts'

const WORK = {
  input: { type: 'path', path: '/films/a.mkv' },
  stream: 0,
  zeroMs: 0,
  seekMs: null,
  startsMs: [0, 2_000],
  endMs: 4_000,
} as const
const argumentsOf = (encoder: Encoder) => ffmpegArguments({ ...WORK, output: { ...ENCODED, encoder } } satisfies Work, { zscale: true })
const after = (args: readonly string[], name: string) => args[args.indexOf(name) + 1]

interface Expected {
  readonly name: string
  readonly options: string
  readonly device?: string
  readonly upload?: string
  readonly level?: string
}

const PLAIN = 'format=yuv420p'
const TABLE: Readonly<Record<Encoder, Expected>> = {
  x264: { name: 'libx264', options: '-preset veryfast -crf 23 -sc_threshold 0 -forced-idr 1' },
  nvenc: { name: 'h264_nvenc', options: '-rc vbr -cq 25 -b:v 0 -bf 0 -rc-lookahead 0 -no-scenecut 1 -forced-idr 1' },
  qsv: {
    name: 'h264_qsv',
    options: '-global_quality 23 -b:v 3000000 -bf 0 -adaptive_i 0 -adaptive_b 0 -forced_idr 1 -pix_fmt nv12',
    device: '-init_hw_device qsv=hw',
    upload: 'format=nv12',
    level: '31',
  },
  videotoolbox: { name: 'h264_videotoolbox', options: '-b:v 3000000 -bf 0 -realtime 0 -allow_sw 0' },
  vaapi: {
    name: 'h264_vaapi',
    options: '-rc_mode VBR -b:v 3000000 -bf 0 -idr_interval 0',
    device: '-init_hw_device vaapi=hw -filter_hw_device hw',
    upload: 'format=nv12,hwupload',
  },
}

for (const encoder of ENCODERS) {
  const { name, options, device = '', upload, level = '3.1' } = TABLE[encoder]
  t.test(`${encoder} holds a quality or a rate below the peak, and begins again where segments do and nowhere else`, async (t) => {
    const args = argumentsOf(encoder)
    t.equal(after(args, '-c:v'), name)
    const pairs = options.split(' ')
    for (let at = 0; at < pairs.length; at += 2) t.equal(after(args, pairs[at] ?? ''), pairs[at + 1], `${pairs[at]}`)
    t.equal(after(args, '-maxrate'), '3600000')
    t.equal(after(args, '-bufsize'), '1800000')
    t.strictSame([after(args, '-profile:v'), after(args, '-level:v')], ['high', level])
    t.equal(after(args, '-force_key_frames'), '-0.001,1.999')
    t.strictSame(args.filter((argument) => argument === '-b:v').length, options.includes('-b:v') ? 1 : 0)
    t.ok(args.join(' ').includes(`-nostats ${device}`), 'the circuit is opened before the film')
    t.match(after(args, '-vf'), upload === undefined ? new RegExp(`${PLAIN}$`) : new RegExp(`${PLAIN},${upload}$`))
  })
}

const run = promisify(execFile)
for (const encoder of ['x264', 'nvenc', 'qsv', 'vaapi'] as const) {
  t.test(`the ffmpeg of this machine knows each option that ${encoder} is given, where it has that encoder`, async (t) => {
    const { ffmpeg } = await programs
    const { stdout } = await run(ffmpeg, ['-hide_banner', '-h', `encoder=${TABLE[encoder].name}`])
    const isThere = stdout.includes('AVOptions')
    if (!isThere) t.pass(`NOT TESTED: this ffmpeg has no ${encoder}`, { skip: `no ${encoder}` })
    const common = new Set(['-c:v', '-b:v', '-maxrate', '-bufsize', '-bf', '-pix_fmt', '-global_quality', '-profile:v', '-level:v'])
    const own = encoderArguments({ ...ENCODED, encoder }).filter((one) => /^-[a-z]/.test(one) && !common.has(one))
    for (const option of isThere ? own : []) t.match(stdout, new RegExp(`^  ${option} +<`, 'm'), option)
  })
}

t.test('only encoders that work on frames of their own have a device and an upload', async (t) => {
  t.strictSame(
    ENCODERS.filter((encoder) => deviceArguments(encoder).length > 0),
    ['qsv', 'vaapi'],
  )
  t.strictSame(
    ENCODERS.filter((encoder) => uploadFilters(encoder).length > 0),
    ['qsv', 'vaapi'],
  )
})

const SAID: readonly (readonly [said: string, isComplaint: boolean])[] = [
  ['[h264_nvenc @ 0x5581] OpenEncodeSessionEx failed: out of memory (10): (no details)', true],
  ['[vost#0:0/h264_qsv @ 0x55] Error while opening encoder - maybe incorrect parameters', true],
  ['[AVHWDeviceContext @ 0x55] No VA display found for any default device.', true],
  ['Error initializing output stream 0:0 -- Error while opening encoder for output stream #0:0', true],
  ['[hevc @ 0x55] Could not find ref with POC 12', false],
  ['file:/films/a.mkv: Input/output error', false],
  ['', false],
]
for (const [said, isComplaint] of SAID) {
  t.test(`${said || 'silence'} is ${isComplaint ? 'a complaint of the encoder' : 'none of the encoder'}`, async (t) => {
    t.equal(encoderComplaint(`[matroska @ 0x5] Element exceeds\n${said}`), isComplaint ? said : undefined)
  })
}
