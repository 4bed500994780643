/** Clips that are hard to cut: made once by ffmpeg, a few seconds each, small. */
import { execa } from 'execa'
import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programs } from '../films.ts'

const list = (text: string): readonly string[] => text.split(' ')
const X264 = list('-c:v libx264 -preset ultrafast -crf 35 -pix_fmt yuv420p -sc_threshold 0 -threads 1')
const AAC = list('-c:a aac -b:a 64k -ac 2')
const picture = (rate: string, seconds: number) => list(`-f lavfi -i testsrc2=size=192x108:rate=${rate}:duration=${seconds}`)
const sound = (seconds: number) => list(`-f lavfi -i sine=frequency=440:sample_rate=48000:duration=${seconds}`)
const IRREGULAR = list("-vf select='lt(mod(n*7,19),11)' -fps_mode vfr -enc_time_base 1:90000 -bf 2 -g 23")
const OPEN_GOP = list('-preset veryfast -x264-params open-gop=1:keyint=48:min-keyint=48:scenecut=0:bframes=3:b-adapt=0')
const MP3 = list('-c:a libmp3lame -ar 44100 -ac 2')

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
  'mp3.mkv': [...picture('25', 9), ...sound(9), ...X264, ...list('-g 25'), ...MP3],
} as const

export type ClipName = keyof typeof CLIPS

/** Path of a clip; made where it is not there yet. */
export async function clip(name: ClipName): Promise<string> {
  const folder = join(tmpdir(), `marquee-clips-${process.getuid?.() ?? 0}`)
  const path = join(folder, name)
  if (existsSync(path)) return path
  await mkdir(folder, { recursive: true })
  const made = join(folder, `${process.pid}-${name}`)
  const { ffmpeg } = await programs
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...CLIPS[name], made], { timeout: 60_000 })
  await rename(made, path)
  return path
}
