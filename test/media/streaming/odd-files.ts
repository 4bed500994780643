/**
 * Films that are each unusual in one way, as they occur in practice. A recipe contains ffmpeg's arguments for one or more parts. The parts
 * are concatenated byte by byte, which transport and program streams allow. Films are generated once and cached by their recipe.
 */
import { execa } from 'execa'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { programs } from '../../fixtures/media-files.ts'
import { withStretches, type ShownStretch } from './edit-lists.ts'
import { moveFar } from './far-offsets.ts'

/** Arguments of ffmpeg before the output's name; the film's extension selects the container unless `-f` does. */
type Part = readonly string[]

const MAKING_MS = 120_000

const words = (text: string): readonly string[] => text.split(' ')
const video = (rate: string | number, seconds: number, size = '192x108') =>
  words(`-f lavfi -i testsrc2=size=${size}:rate=${rate}:duration=${seconds}`)
const tone = (seconds: number) => words(`-f lavfi -i aevalsrc=0.5*sin(2*PI*t*(300+150*t)):sample_rate=48000:duration=${seconds}`)
/** A tone of 40 ms at each second. */
const ticking = (seconds: number) =>
  words(`-f lavfi -i aevalsrc=0.5*sin(2*PI*1000*t)*lt(mod(t\\,1)\\,0.04):sample_rate=48000:duration=${seconds}`)
const late = (seconds: number) => words(`-itsoffset ${seconds}`)
const X264 = words('-c:v libx264 -preset ultrafast -crf 35 -pix_fmt yuv420p -sc_threshold 0 -threads 1')
const AAC = words('-c:a aac -b:a 64k -ac 2')
const BOTH = words('-map 0:v -map 1:a')
const OWN_TIMES = words('-fps_mode passthrough -enc_time_base 1:90000')
/** Packets that are dropped from the file, by their number or by their time. */
const without = (stream: 'v' | 'a', when: string) => words(`-bsf:${stream} noise=drop=${when.replaceAll(',', '\\,')}`)
/** Other times for the video packets, in the container's ticks. */
const retimed = (times: string) => words(`-bsf:v setts=${times.replaceAll(',', '\\,')}`)
/** Slides that change at these seconds. */
const slides = (...seconds: readonly number[]) => words(`-vf select='${seconds.map((at) => `eq(n,${at * 5})`).join('+')}'`)

/** Interlaced video: two moments per frame, the first one in the upper or in the lower lines. */
const fields = (seconds: number, first: 'tff' | 'bff' = 'tff', size = '192x144') => [
  ...video(50, seconds, size),
  ...tone(seconds),
  ...words(`-vf tinterlace=mode=interleave_${first === 'tff' ? 'top' : 'bottom'},setfield=${first}`),
]

const plain = (rate: string | number, seconds = 6) => [...video(rate, seconds), ...tone(seconds)]

/** One line per film; append new ones at the end of their group. */
const FILMS = {
  // Gaps in the video.
  'ends-early.mkv': [[...video(25, 5), ...tone(17), ...X264, ...words('-g 50'), ...AAC]],
  'ends-very-early.mp4': [[...video(25, 3), ...tone(40), ...X264, ...words('-g 50'), ...AAC]],
  'begins-late.mkv': [[...late(1), ...video(25, 7), ...tone(9), ...BOTH, ...X264, ...words('-bf 2 -g 30'), ...AAC]],
  'begins-very-late.mkv': [[...late(9.3), ...video(25, 5), ...tone(15), ...BOTH, ...X264, ...words('-g 30'), ...AAC]],
  'empty-edit.mp4': [[...late(2.6), ...video(25, 7), ...tone(10), ...BOTH, ...X264, ...words('-bf 2 -g 30 -fps_mode vfr'), ...AAC]],
  'pauses.mkv': [[...plain(25, 16), ...X264, ...words('-g 25'), ...without('v', 'between(pts,5000,11000)'), ...AAC]],
  'pauses.mp4': [
    [...video(25, 16), ...tone(16), ...words("-vf select='not(between(t,5,11))'"), ...OWN_TIMES, ...X264, ...words('-g 25'), ...AAC],
  ],
  'slides.mkv': [[...plain(5, 46), ...slides(0, 5, 12, 14, 31, 45), ...OWN_TIMES, ...X264, ...words('-g 1'), ...AAC]],
  'slides.mp4': [[...plain(5, 46), ...slides(0, 5, 12, 14, 31, 45), ...OWN_TIMES, ...X264, ...AAC]],
  // Matroska declares 60 frames per second; there are six in 46 seconds after one keyframe.
  'slides-at-60.mkv': [
    [
      ...plain(60, 46),
      ...words("-vf select='eq(n,0)+eq(n,300)+eq(n,720)+eq(n,840)+eq(n,1860)+eq(n,2700)'"),
      ...words('-fps_mode vfr'),
      ...X264,
      ...AAC,
    ],
  ],
  'still-at-end.mkv': [[...plain(25, 20), ...words("-vf select='lt(t,6)+gte(t,19.95)'"), ...OWN_TIMES, ...X264, ...words('-g 25'), ...AAC]],
  // Some of its frames lie before the time 0 of the container.
  'before-zero.mkv': [
    [
      ...video(25, 8),
      ...ticking(8),
      ...X264,
      ...words('-vf drawbox=color=white:t=fill:enable=lt(mod(t\\,1)\\,0.04)'),
      ...words('-bf 2 -g 50 -output_ts_offset -0.2 -avoid_negative_ts disabled'),
      ...AAC,
    ],
  ],
  'one-frame.mkv': [[...late(2.6), ...video(25, 0.04), ...tone(6), ...BOTH, ...X264, ...AAC]],
  'shortest.mp4': [[...video(25, 0.04), ...tone(0.04), ...X264, ...AAC]],
  // Transport streams cut out of a broadcast.
  'clock-jumps.ts': [
    [...plain(25, 6), ...X264, ...words('-g 25'), ...AAC],
    [...plain(25, 6), ...X264, ...words('-g 25'), ...AAC, ...words('-output_ts_offset 21')],
  ],
  // Recordings that were joined: each begins its times anew.
  'clock-restarts.ts': [
    [...video(25, 16), ...ticking(16), ...X264, ...words('-bf 2 -g 50'), ...AAC],
    [...video(25, 12), ...ticking(12), ...X264, ...words('-bf 2 -g 50'), ...AAC],
  ],
  'clock-far-ahead.ts': [
    [...video(25, 16), ...ticking(16), ...X264, ...words('-bf 2 -g 50'), ...AAC],
    [...video(25, 12), ...ticking(12), ...X264, ...words('-bf 2 -g 50'), ...AAC, ...words('-output_ts_offset 9000')],
  ],
  'clock-restarts.vob': [
    [...video(25, 16), ...ticking(16), ...words('-c:v mpeg2video -q:v 9 -bf 2 -c:a ac3 -f vob')],
    [...video(25, 12), ...ticking(12), ...words('-c:v mpeg2video -q:v 9 -bf 2 -c:a ac3 -f vob')],
  ],
  'mid-group.ts': [[...plain(25, 9), ...X264, ...words('-bf 2 -g 50'), ...without('v', 'lt(n,10)'), ...AAC]],
  'changes-size.ts': [
    [...plain(25, 6), ...X264, ...words('-g 25'), ...AAC],
    [...video(25, 6, '256x144'), ...tone(6), ...X264, ...words('-g 25'), ...AAC, ...words('-output_ts_offset 6')],
  ],
  // Gaps in the audio.
  'gap-in-flac.mkv': [[...plain(25, 14), ...X264, ...words('-g 50 -c:a flac -ac 2'), ...without('a', 'between(pts,3000,9000)')]],
  'short-commentary.mkv': [
    [
      ...video(25, 14),
      ...tone(14),
      ...tone(3),
      ...words('-map 0:v -map 1:a -map 2:a'),
      ...X264,
      ...words('-g 50 -c:a:0 flac -ac:a:0 8 -c:a:1 ac3 -ac:a:1 2'),
    ],
  ],
  'silent-track.mkv': [
    [
      ...video(25, 14),
      ...tone(14),
      ...tone(1),
      ...words('-map 0:v -map 1:a -map 2:a'),
      ...X264,
      ...words('-g 50 -c:a:0 aac -c:a:1 ac3 -bsf:a:1 noise=drop=1'),
    ],
  ],
  'long-audio.mkv': [[...video(25, 4), ...tone(26), ...X264, ...words('-g 50 -c:a ac3 -b:a 96k')]],
  // Keyframes that do not allow a clean start.
  'open-groups.ts': [
    [
      ...plain(25, 14),
      ...X264,
      ...words('-preset veryfast -x264-params open-gop=1:keyint=24:min-keyint=24:scenecut=0:bframes=3:b-adapt=0'),
      ...AAC,
    ],
  ],
  'fresh-starts.mp4': [
    [
      ...plain(25, 14),
      ...X264,
      ...words('-preset veryfast -x264-params open-gop=1:keyint=24:min-keyint=12:scenecut=0:bframes=3:b-adapt=0'),
      ...words('-force_key_frames expr:gte(t,n_forced*6) -forced-idr 1'),
      ...AAC,
    ],
  ],
  'intra-refresh.mkv': [[...plain(25, 14), ...X264, ...words('-x264-params intra-refresh=1:keyint=25'), ...AAC]],
  'cra.mkv': [
    [
      ...plain(25, 14),
      ...words('-c:v libx265 -preset ultrafast -crf 35 -pix_fmt yuv420p -x265-params'),
      'open-gop=1:keyint=24:min-keyint=24:scenecut=0:bframes=3:b-adapt=0:log-level=none:pools=1:frame-threads=1',
      ...AAC,
    ],
  ],
  // Containers.
  'plain.mkv': [[...plain('24000/1001'), ...X264, ...AAC]],
  'plain.mp4': [[...plain('30000/1001'), ...X264, ...AAC]],
  'plain.mov': [[...plain(24), ...X264, ...words('-c:a pcm_s16le')]],
  'plain.webm': [[...plain(30), ...words('-c:v libvpx-vp9 -b:v 100k -cpu-used 8 -deadline realtime -c:a libopus -ac 2')]],
  'plain.avi': [[...plain(25), ...words('-c:v mpeg4 -q:v 9 -bf 2 -c:a libmp3lame -ac 2')]],
  'plain.wmv': [[...plain(25), ...words('-c:v wmv2 -b:v 200k -c:a wmav2 -ac 2')]],
  'plain.flv': [[...plain(30), ...X264, ...AAC]],
  'plain.ogm': [[...plain(25), ...words('-c:v libtheora -q:v 3 -c:a libvorbis -ac 2 -f ogg')]],
  'plain.ts': [[...plain(50), ...X264, ...words('-c:a mp2 -ac 2')]],
  'plain.m2ts': [[...plain('24000/1001'), ...X264, ...words('-c:a ac3')]],
  'plain.mpg': [[...plain(25), ...words('-c:v mpeg2video -q:v 9 -bf 2 -c:a mp2')]],
  'plain.vob': [[...plain('30000/1001'), ...words('-c:v mpeg2video -q:v 9 -bf 2 -c:a ac3 -f vob')]],
  'plain.3gp': [[...plain(15), ...words('-c:v mpeg4 -q:v 9'), ...AAC]],
  'plain.dv': [[...video(25, 2, '720x576'), ...tone(2), ...words('-c:v dvvideo -pix_fmt yuv420p -c:a pcm_s16le -ac 2 -f dv')]],
  // Interlaced: 50 fields per second.
  'pal.mpg': [[...fields(9), ...words('-c:v mpeg2video -q:v 5 -bf 2 -g 12 -flags +ildct+ilme'), ...words('-c:a mp2')]],
  'pal-bottom-first.vob': [
    [...fields(9, 'bff'), ...words('-c:v mpeg2video -q:v 5 -bf 2 -g 12 -flags +ildct+ilme'), ...words('-c:a ac3 -f vob')],
  ],
  'fields.ts': [[...fields(9), ...X264, ...words('-preset veryfast -bf 2 -g 24 -flags +ildct+ilme -x264-params tff=1 -c:a mp2')]],
  'open-fields.ts': [
    [
      ...fields(9),
      ...X264,
      ...words('-preset veryfast -flags +ildct+ilme -x264-params'),
      ...words('tff=1:open-gop=1:keyint=24:min-keyint=24:scenecut=0:bframes=3:b-adapt=0'),
      ...AAC,
    ],
  ],
  // Interlaced, which only their frames state.
  'fields.avi': [[...fields(9), ...words('-c:v mpeg4 -q:v 5 -flags +ildct+ilme -c:a libmp3lame -ac 2')]],
  'fields.dv': [[...fields(5, 'bff', '720x576'), ...words('-c:v dvvideo -pix_fmt yuv420p -c:a pcm_s16le -ac 2 -f dv')]],
  'turns-to-fields.ts': [
    [...video(25, 5, '192x144'), ...tone(5), ...words('-c:v mpeg2video -q:v 5 -bf 2 -g 12 -c:a mp2')],
    [...fields(9), ...words('-c:v mpeg2video -q:v 5 -bf 2 -g 12 -flags +ildct+ilme -c:a mp2 -output_ts_offset 5')],
  ],
  // Rates.
  'fast.mkv': [[...plain(120), ...X264, ...words('-g 120'), ...AAC]],
  'variable.mkv': [[...plain(60), ...words("-vf select='lt(mod(n*7,19),8)'"), ...OWN_TIMES, ...X264, ...words('-g 40'), ...AAC]],
  // MP4 whose keyframes are decoded long before they are shown: 60 frames a second, then 2.
  'thinning.mp4': [
    [
      ...plain(60, 12),
      ...words("-vf select='lt(t,4)+not(mod(n,30))'"),
      ...OWN_TIMES,
      ...X264,
      ...words('-preset veryfast -bf 3 -force_key_frames expr:gte(t,n_forced)'),
      ...AAC,
    ],
  ],
  // Frames half a second apart, half a millisecond after the times at which frames are repeated.
  'after-beats.mp4': [
    [
      ...plain(2, 14),
      ...words('-vf settb=1/90000,setpts=PTS+gt(N\\,0)*45'),
      ...OWN_TIMES,
      ...words('-video_track_timescale 90000'),
      ...X264,
      ...words('-force_key_frames expr:gte(n,n_forced*4)'),
      ...AAC,
    ],
  ],
  // Two frames at one time.
  'doubled.mkv': [[...plain(25, 9), ...X264, ...words('-g 25'), ...AAC, ...retimed('ts=if(eq(mod(N,10),5),TS-40,TS)')]],
  'halved.mkv': [[...plain(50, 9), ...X264, ...words('-g 50'), ...AAC, ...retimed('ts=floor(TS/40)*40')]],
  'halved-b-frames.mkv': [[...plain(50, 9), ...X264, ...words('-g 50 -bf 2'), ...AAC, ...retimed('pts=floor(PTS/40)*40:dts=DTS')]],
  'doubled-at-joins.mkv': [[...plain(25, 9), ...X264, ...words('-g 25'), ...AAC, ...retimed('ts=if(eq(mod(N,25),24),TS+40,TS)')]],
  'doubled-at-joins.ts': [[...plain(25, 9), ...X264, ...words('-g 25'), ...AAC, ...retimed('ts=if(eq(mod(N,25),24),TS+3600,TS)')]],
  'doubled-at-joins.mp4': [[...plain(25, 9), ...X264, ...words('-g 25'), ...AAC, ...retimed('ts=if(eq(mod(N,25),24),TS+512,TS)')]],
  // Timelines of several parts; `STRETCHES` writes their edit lists.
  'cut-out.mp4': [[...plain(25, 12), ...X264, ...words('-g 50 -bf 2'), ...AAC]],
  'shown-twice.mp4': [[...plain(25, 12), ...X264, ...words('-g 50 -bf 2'), ...AAC]],
  'swapped.mp4': [[...plain(25, 12), ...X264, ...words('-g 50 -bf 2'), ...AAC]],
  // Windows Media whose video and audio do not start together.
  'early-video.wmv': [
    [...video(25, 7), ...late(0.07), ...ticking(7), ...BOTH, ...words('-c:v wmv2 -b:v 200k -bf 0 -c:a pcm_s16le -ac 2 -f asf')],
  ],
  'early-sound.wmv': [
    [
      ...late(0.08),
      ...video(25, 7),
      ...ticking(7),
      ...BOTH,
      ...words('-c:v wmv2 -b:v 200k -bf 0 -fps_mode passthrough -c:a pcm_s16le -ac 2 -f asf'),
    ],
  ],
  // Large: samples beyond 4 GB, moved there by `FAR`; and ten hours, with a frame every ten seconds.
  'far.mp4': [[...plain(25, 12), ...X264, ...words('-g 50 -bf 2'), ...AAC]],
  'ten-hours.mkv': [[...video('1/10', 36_000), ...tone(6), ...X264, ...words('-g 2'), ...AAC]],
} as const satisfies Readonly<Record<string, readonly Part[]>>

const stretch = (fromMs: number, untilMs: number): ShownStretch => ({ fromMs, lengthMs: untilMs - fromMs })
const STRETCHES: Readonly<Partial<Record<string, readonly ShownStretch[]>>> = {
  'cut-out.mp4': [stretch(0, 4000), stretch(5720, 11_720)],
  'shown-twice.mp4': [stretch(0, 5000), stretch(0, 5000)],
  'swapped.mp4': [stretch(6080, 11_080), stretch(480, 5480)],
}

const FAR: ReadonlySet<string> = new Set(['far.mp4'])

export type OddFile = keyof typeof FILMS

export const ODD_FILES = Object.keys(FILMS) as readonly OddFile[]

/** Path of an odd film; generated if it does not exist. @throws Error ffmpeg's error about the recipe */
export async function oddFile(name: OddFile): Promise<string> {
  const parts: readonly Part[] = FILMS[name]
  const recipe = createHash('sha256')
    .update(JSON.stringify([parts, STRETCHES[name], FAR.has(name)]))
    .digest('hex')
    .slice(0, 12)
  const folder = join(tmpdir(), `marquee-clips-${process.getuid?.() ?? 0}`, recipe)
  const path = join(folder, name)
  if (existsSync(path)) return path
  await mkdir(folder, { recursive: true })
  const made = join(folder, `${process.pid}-${name}`)
  await makePart(parts[0] ?? [], made)
  for (const part of parts.slice(1)) {
    const next = join(folder, `${process.pid}-next-${name}`)
    await makePart(part, next)
    await pipeline(createReadStream(next), createWriteStream(made, { flags: 'a' }))
    await rm(next)
  }
  if (FAR.has(name)) await moveFar(made)
  const stretches = STRETCHES[name]
  if (stretches) await writeFile(made, withStretches(await readFile(made), stretches))
  await rename(made, path)
  return path
}

async function makePart(part: Part, path: string): Promise<void> {
  const { ffmpeg } = await programs
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...part, '-fflags', '+bitexact', path], { timeout: MAKING_MS })
}
