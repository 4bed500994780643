import t from 'tap'
import { ENCODED } from '../fixtures/scripted-agent.ts'
import { ffmpegArguments } from '../../transcode-agent/ffmpeg-arguments.ts'
import { frameBoundary } from '../../transcode-agent/audio-arguments.ts'
import type { ToneMap } from '../../src/domain/streaming/tone-map.ts'
import type { Work } from '../../transcode-agent/work.ts'

const PATH = '/films/-i /etc/passwd; "rm" | $(x) %d.mkv'
const WORK: Work = {
  input: { type: 'path', path: PATH },
  stream: 2,
  output: { type: 'copy-video', cadence: null },
  zeroMs: 1_400,
  seekMs: 5_400,
  startsMs: [4_000, 6_000],
  endMs: 8_000,
}
const ENCODE = { ...ENCODED, cadence: { numerator: 24_000, denominator: 1_001, startMs: 0 } } as const
const ALL = { zscale: true }

/** The argument after each of the given ones. */
const after = (args: readonly string[], ...names: readonly string[]) => names.map((name) => args[args.indexOf(name) + 1])

t.test('the source is one argument, behind a protocol, and may open no other file', async (t) => {
  const args = ffmpegArguments(WORK, ALL)
  t.strictSame(after(args, '-i', '-protocol_whitelist', '-map'), [`file:${PATH}`, 'file', '0:2'])
  t.equal(args.filter((argument) => argument.includes('passwd')).length, 1)
  t.notMatch(after(args, '-format_whitelist')[0], /hls|concat|dash|lavfi/)
  t.equal(args.at(-1), 'pipe:1')
  t.ok(args.includes('-nostdin'))
})

t.test('parts of a source are a script in which its path is one name, and formats and protocols stay closed', async (t) => {
  const parts = [
    { startByte: 0, endByte: 188, durationMs: 1_500 },
    { startByte: 188, endByte: 376, durationMs: 2_000 },
  ]
  const args = ffmpegArguments({ ...WORK, input: { type: 'path', path: "/films/it's\\.ts", parts } }, ALL)
  const [url = '', protocols, formats] = after(args, '-i', '-protocol_whitelist', '-format_whitelist')
  t.strictSame([protocols, formats], ['data,subfile,file', 'concat'])
  t.equal(
    Buffer.from(url.slice('data:text/plain;base64,'.length), 'base64').toString(),
    String.raw`ffconcat version 1.0
file 'subfile,,start,0,end,188,,:file:/films/it'\''s\.ts'
option format_whitelist mpegts,mpeg
duration 1.5
file 'subfile,,start,188,end,376,,:file:/films/it'\''s\.ts'
option format_whitelist mpegts,mpeg
duration 2
`,
  )
  t.throws(() => ffmpegArguments({ ...WORK, input: { type: 'path', path: "/films/a\nfile '/etc/passwd'.ts", parts } }, ALL), /line break/)
})

t.test('every output keeps the times of the film and cuts nothing by itself', async (t) => {
  const outputs: readonly Work['output'][] = [
    { type: 'copy-video', cadence: null },
    { type: 'copy-audio', codec: 'aac', sampleRate: 48_000, frameSamples: 1024, channels: 2, adts: false, anchorMs: 0 },
    { type: 'encode-audio', channels: 2, bitrateBps: 160_000, sampleRate: 48_000 },
    ENCODE,
  ]
  for (const output of outputs) {
    const args = ffmpegArguments({ ...WORK, output }, ALL)
    t.ok(args.includes('-copyts'))
    t.strictSame(after(args, '-avoid_negative_ts', '-f', '-ss', '-seek_timestamp'), ['disabled', 'mp4', '5.400000', '1'])
    t.match(after(args, '-movflags')[0], /^\+empty_moov\+default_base_moof\+delay_moov\+frag_discont\+negative_cts_offsets/)
    t.notOk(ffmpegArguments({ ...WORK, output, seekMs: null }, ALL).includes('-ss'))
  }
})

t.test('video is encoded with a keyframe at each boundary, an end to what came before, and a known profile', async (t) => {
  const args = ffmpegArguments({ ...WORK, output: ENCODE }, ALL)
  t.equal(after(args, '-force_key_frames')[0], '5.399,7.399')
  const [filters = ''] = after(args, '-vf')
  t.match(filters, /streamselect=inputs=2:map=0,select='[^']*',trim=start=4\.599000,scale=1280:720:flags=bicubic,/)
  t.match(filters, /overlay=x=W:y=H:eof_action=repeat,select='[^']*',trim=start=5\.399000,setsar=1,format=yuv420p$/)
  t.match(filters, /trim=end=9\.400000/, 'the last frame stands up to the end of the film')
  t.strictSame(after(args, '-profile:v', '-level:v', '-maxrate', '-bufsize', '-fps_mode'), [
    'high',
    '3.1',
    '3600000',
    '1800000',
    'passthrough',
  ])
  t.equal(after(args, '-bsf:v')[0], 'h264_metadata=tick_rate=48000/1001')
})

const PQ: ToneMap = { by: 'zscale', transfer: 'pq', primaries: 'bt2020', matrix: 'bt2020nc', isFullRange: false, peakNits: 4_000 }
t.test('video that states no matrix keeps the one that players assume, and then states it', async (t) => {
  const filters = after(ffmpegArguments({ ...WORK, output: { ...ENCODE, matrix: 'bt709' } }, ALL), '-vf')[0]
  t.match(
    filters,
    /,scale=1280:720:flags=bicubic:in_color_matrix=bt709:out_color_matrix=bt709:out_range=tv,setparams=[^,]*:colorspace=bt709:/,
  )
})

const SAID = /setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv,/
const PLACEBO = /,hwupload,libplacebo=w=1280:h=720:tonemapping=spline:peak_detect=false:colorspace=bt709:.*:format=yuv420p,hwdownload,/
const FILTERS: readonly (readonly [string, Partial<Extract<Work['output'], { readonly type: 'encode-video' }>>, ...RegExp[]])[] = [
  ['interlaced frames are made whole first', { deinterlace: true }, /^bwdif=mode=send_frame:deint=interlaced,settb=/],
  ['slow films get a fixed rate', { framesPerSecond: 5 }, /,scale=.*overlay=.*,fps=5:start_time=4\.600000,trim=/],
  ['HDR is mapped', { toneMap: PQ }, SAID, /,zscale=w=1280:h=720:t=linear:npl=100,.*tonemap=hable:desat=0:peak=40,/],
  ['HLG too', { toneMap: { ...PQ, transfer: 'hlg' } }, /color_trc=arib-std-b67/, /tonemap=hable/],
  ['in its own colours', { toneMap: { ...PQ, primaries: 'bt709', matrix: 'ictcp' } }, /color_primaries=bt709:.*colorspace=ictcp:range=tv/],
  ['and range', { toneMap: { ...PQ, isFullRange: true } }, /:range=pc,zscale/],
  [
    'wide colours are narrowed without a curve',
    { toneMap: { ...PQ, transfer: 'sdr' } },
    /zscale=w=1280:h=720:p=bt709:t=bt709:m=bt709:r=limited/,
  ],
  ['by libplacebo where it is said', { toneMap: { ...PQ, by: 'libplacebo' } }, SAID, PLACEBO],
  [
    'and only scaled where nothing can',
    { toneMap: { ...PQ, by: 'none' } },
    /,scale=1280:720:flags=bicubic:out_range=tv,setparams=color_primaries=bt709:/,
  ],
]
for (const [title, changes, ...filters] of FILTERS) {
  t.test(title, async (t) => {
    const args = ffmpegArguments({ ...WORK, output: { ...ENCODE, ...changes } }, ALL)
    for (const filter of filters) t.match(after(args, '-vf')[0], filter)
  })
}

t.test('libplacebo works on a device that is opened before the film, and without what this ffmpeg has not', async (t) => {
  const output = { ...ENCODE, toneMap: { ...PQ, by: 'libplacebo' } } as const
  const args = ffmpegArguments({ ...WORK, output }, { zscale: false, libplacebo: { hasContrastRecovery: true } })
  t.match(after(args, '-vf')[0], /peak_detect=false:contrast_recovery=0:/)
  t.ok(args.indexOf('-init_hw_device') < args.indexOf('-i'))
  t.strictSame(after(args, '-init_hw_device', '-filter_hw_device'), ['vulkan=mapper', 'mapper'])
})

t.test('the first segment takes the film from its start, without trimming', async (t) => {
  const args = ffmpegArguments({ ...WORK, output: ENCODE, seekMs: null, startsMs: [0, 2_000] }, ALL)
  t.notMatch(after(args, '-vf')[0], /trim=start/)
})

t.test('sound begins four frames before a whole frame of the grid and is silent up to the end of the film', async (t) => {
  const args = ffmpegArguments({ ...WORK, output: { type: 'encode-audio', channels: 1, bitrateBps: 96_000, sampleRate: 48_000 } }, ALL)
  const first = 1_400 * 48 + frameBoundary(4_000, 48_000) - 4 * 1_024
  t.equal(
    after(args, '-af')[0],
    `aresample=48000,aresample=async=1:min_comp=0.004:min_hard_comp=0.018:first_pts=${first},apad,atrim=end_pts=${(1_400 + 8_000) * 48}`,
  )
  t.strictSame(after(args, '-ac', '-b:a'), ['1', '96000'])
})

t.test('AAC out of a transport stream loses its headers', async (t) => {
  const output = { type: 'copy-audio', codec: 'aac', sampleRate: 48_000, frameSamples: 1024, channels: 2, adts: true, anchorMs: 0 } as const
  t.equal(after(ffmpegArguments({ ...WORK, output }, ALL), '-bsf:a')[0], 'aac_adtstoasc')
})

t.test('the boundaries of eight thousand segments fit into one argument', async (t) => {
  const startsMs = Array.from({ length: 8_000 }, (_, index) => 80_000_000 + index * 2_000)
  const longest = Math.max(...ffmpegArguments({ ...WORK, output: ENCODE, startsMs }, ALL).map((argument) => argument.length))
  t.ok(longest < 128 * 1024, `${longest} bytes`)
})
