/** Clips that are hard to cut: made once by ffmpeg, a few seconds each, small. */
import { execa } from 'execa'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { programs } from '../films.ts'

const list = (text: string): readonly string[] => text.split(' ')
const X264 = list('-c:v libx264 -preset ultrafast -crf 35 -pix_fmt yuv420p -sc_threshold 0 -threads 1')
const AAC = list('-c:a aac -b:a 64k -ac 2')
const picture = (rate: string, seconds: number) => list(`-f lavfi -i testsrc2=size=192x108:rate=${rate}:duration=${seconds}`)
const noise = (rate: string, seconds: number, from = 0) =>
  list(`-f lavfi -i testsrc2=size=192x108:rate=${rate}:duration=${seconds},noise=alls=80:allf=t:enable=gte(t\\,${from})`)
const sound = (seconds: number) => list(`-f lavfi -i sine=frequency=440:sample_rate=48000:duration=${seconds}`)
const IRREGULAR = list("-vf select='lt(mod(n*7,19),11)' -fps_mode vfr -enc_time_base 1:90000 -bf 2 -g 23")
const OPEN_GOP = list('-preset veryfast -x264-params open-gop=1:keyint=48:min-keyint=48:scenecut=0:bframes=3:b-adapt=0')
const MP3 = list('-c:a libmp3lame -ar 44100 -ac 2')
/** A tone that rises: two moments of it never sound alike, so that one can be found in the other. */
const rising = (seconds: number, rate = 48_000) =>
  list(`-f lavfi -i aevalsrc=0.5*sin(2*PI*t*(300+150*t)):sample_rate=${rate}:duration=${seconds}`)
/** A tone of 40 ms at each second. */
const ticking = (seconds: number) =>
  list(`-f lavfi -i aevalsrc=0.5*sin(2*PI*1000*t)*lt(mod(t\\,1)\\,0.04):sample_rate=48000:duration=${seconds}`)
const PCM = list('-c:a pcm_s16le')
const X265 = list('-c:v libx265 -preset ultrafast -crf 35 -pix_fmt yuv420p')
const CRA = list('-x265-params open-gop=1:keyint=40:min-keyint=40:scenecut=0:bframes=3:b-adapt=0:log-level=none:pools=1:frame-threads=1')
const BOTH = list('-map 0:v -map 1:a')

const CLIPS = {
  /** 23.976 with B-frames and keyframes at irregular times, Matroska's milliseconds. */
  'b-frames.mkv': [
    ...picture('24000/1001', 15),
    ...sound(15),
    ...X264,
    ...list('-bf 3 -g 300 -force_key_frames 0,1.3,3.1,4.9,8.2,9,13.1'),
    ...AAC,
  ],
  /** Keyframes without a fresh start: pictures shown before them are coded after them. */
  'open-gop.mkv': [...picture('25', 15), ...sound(15), ...X264, ...OPEN_GOP, ...AAC],
  /** Pictures at irregular times. */
  'variable.mp4': [...picture('30', 13), ...sound(13), ...X264, ...IRREGULAR, ...AAC],
  /** A transport stream: no index, times that do not begin at zero. */
  'broadcast.ts': [...picture('25', 13), ...sound(13), ...X264, ...list('-bf 2 -g 40'), ...AAC, ...list('-f mpegts')],
  /** Sound that begins later than the picture, and ends sooner. */
  'late-sound.mp4': [...picture('25', 12), ...list('-itsoffset 2.7'), ...sound(4), ...X264, ...list('-g 50'), ...AAC],
  /** Sound that has to be made anew. */
  'mp3.mkv': [...picture('25', 9), ...rising(9), ...X264, ...list('-g 25'), ...MP3],
  /** HEVC whose keyframes are CRA pictures with pictures that lead them, and sound in AC-3. */
  'hevc-cra.mkv': [...picture('25', 13), ...rising(13), ...X265, ...CRA, ...list('-c:a ac3 -b:a 96k')],
  /** 29.97, and MP3 that begins later. */
  'late-mp3.mkv': [
    ...picture('30000/1001', 11),
    ...list('-itsoffset 0.7'),
    ...rising(10),
    ...BOTH,
    ...X264,
    ...list('-bf 2 -g 45'),
    ...MP3,
  ],
  /** AAC at 44.1 kHz, which begins later, on a clock of milliseconds. */
  'late-aac.mkv': [...picture('30', 11), ...list('-itsoffset 0.7'), ...rising(10, 44_100), ...BOTH, ...X264, ...list('-g 40'), ...AAC],
  /** The same in a transport stream. */
  'late-aac.ts': [...picture('30000/1001', 11), ...list('-itsoffset 0.7'), ...rising(10), ...BOTH, ...X264, ...list('-bf 2 -g 45'), ...AAC],
  /** The picture begins later than the sound. */
  'late-picture.mkv': [...list('-itsoffset 1.3'), ...picture('25', 9), ...rising(11), ...BOTH, ...X264, ...list('-bf 2 -g 30'), ...AAC],
  'late-picture.mp4': [
    ...list('-itsoffset 1.3'),
    ...picture('25', 9),
    ...rising(11),
    ...BOTH,
    ...X264,
    ...list('-bf 2 -g 30 -fps_mode vfr'),
    ...AAC,
  ],
  /** An edit list cuts into a group of pictures: the first ones are decoded, and not shown. */
  'edited.mp4': [
    ...picture('25', 12),
    ...rising(12),
    ...X264,
    ...list('-bf 2 -g 60'),
    ...AAC,
    ...list('-output_ts_offset -1.3 -avoid_negative_ts disabled'),
  ],
  /** Offsets below zero instead of an edit list, as some writers have them. */
  'negative-offsets.mp4': [
    ...picture('24', 11),
    ...rising(11),
    ...X264,
    ...list('-bf 3 -g 36'),
    ...AAC,
    ...list('-movflags +negative_cts_offsets'),
  ],
  /** Six channels. */
  'surround.mkv': [...picture('25', 9), ...rising(9), ...X264, ...list('-g 50 -c:a aac -b:a 192k -ac 6')],
  /** The sound goes on long after the picture, and the other way round. */
  'long-sound.mp4': [...picture('25', 5), ...rising(11), ...X264, ...list('-bf 2 -g 30'), ...AAC],
  'long-picture.mkv': [...picture('25', 11), ...rising(5), ...X264, ...list('-bf 2 -g 30'), ...AAC],
  /** Six seconds in the middle have no sound. */
  'gap.mkv': [
    ...picture('25', 14),
    ...rising(14),
    ...X264,
    ...list('-g 50'),
    ...AAC,
    ...list('-bsf:a noise=drop=between(pts\\,3000\\,9000)'),
  ],
  /** One picture. */
  'one-picture.mp4': [...picture('25', 0.04), ...X264],
  'one-picture.mkv': [...picture('25', 0.04), ...rising(3), ...X264, ...AAC],
  /** 120 small pictures a second: the boxes around them take as much as they do. */
  'small-120.mp4': [...picture('120', 6), ...sound(6), ...X264, ...list('-bf 2 -g 240 -crf 50'), ...AAC],
  /** Nothing is harder to encode than noise. */
  'noise-120.mp4': [...noise('120', 5), ...sound(5), ...X264, ...list('-g 120 -crf 40'), ...AAC],
  /** A still, and then what it takes 3 s of noise to show; a keyframe late in between. */
  'late-burst.mp4': [...noise('25', 12, 8), ...sound(12), ...X264, ...list('-g 500 -force_key_frames 0,7,10'), ...AAC],
  /** Sound whose timestamps run 0.4 % slower than its samples, and ones that wander by 74 ms. */
  'drift.mkv': [...picture('25', 16), ...ticking(16), ...X264, ...list('-g 50'), ...PCM, ...list('-bsf:a setts=ts=TS*1.004')],
  'wander.mkv': [
    ...picture('25', 16),
    ...ticking(16),
    ...X264,
    ...list('-g 50'),
    ...PCM,
    ...list('-bsf:a setts=ts=TS+round(37-37*cos(2*PI*TS/8000))'),
  ],
  /** No sound. */
  'silent.mp4': [...picture('60', 7), ...X264, ...list('-bf 2 -g 90')],
} as const

export type ClipName = keyof typeof CLIPS

/** Path of a clip; made where it is not there yet. */
export async function clip(name: ClipName): Promise<string> {
  const recipe = createHash('sha256').update(CLIPS[name].join(' ')).digest('hex').slice(0, 12)
  const folder = join(tmpdir(), `marquee-clips-${process.getuid?.() ?? 0}`, recipe)
  const path = join(folder, name)
  if (existsSync(path)) return path
  await mkdir(folder, { recursive: true })
  const made = join(folder, `${process.pid}-${name}`)
  const { ffmpeg } = await programs
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...CLIPS[name], made], { timeout: 60_000 })
  await rename(made, path)
  return path
}

/** Path of a copy that this test alone plays: who looks for the processes of a clip finds those of other test files too. */
export async function ownClip(t: Test, name: ClipName): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-own-clip-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const path = join(folder, name)
  await copyFile(await clip(name), path)
  return path
}
