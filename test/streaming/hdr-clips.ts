/**
 * HDR films for tests: short clips of HEVC in 10 bit whose layers say that they are PQ or HLG. Their pictures are bars and a ramp from
 * black to the brightest code, so that every part of a curve is seen; no camera has made them.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { boxOf } from '../../transcode-agent/box.ts'
import { programs } from '../films.ts'

const TIMEOUT_MS = 120_000
const PICTURE =
  'testsrc2=size=320x180:rate=25:duration=4[a];gradients=size=320x180:rate=25:duration=4:c0=black:c1=white:x0=0:x1=319:y0=0:y1=0:speed=0.00001[b]'
const GRAPH = `${PICTURE};[a][b]blend=all_mode=average,format=yuv420p10le`
const LIGHT = 'master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400'
const X265 = 'repeat-headers=0:keyint=50:min-keyint=50:scenecut=0:log-level=none:pools=1:frame-threads=1'

const COLOURS = {
  /** HDR10: PQ, BT.2020, mastered at 1000 cd/m2. */
  pq: ['smpte2084', 'bt2020', 'bt2020nc', 'tv', `hdr10=1:${LIGHT}`],
  hlg: ['arib-std-b67', 'bt2020', 'bt2020nc', 'tv', ''],
  /** Wide colours of usual brightness. */
  wide: ['bt2020-10', 'bt2020', 'bt2020nc', 'tv', ''],
  /** PQ in full range with the colours of BT.709. */
  'pq-full': ['smpte2084', 'bt709', 'bt709', 'pc', `hdr10=1:${LIGHT}`],
} as const

export type HdrClip = keyof typeof COLOURS

/** Made once. 4 s at 25 pictures a second; a keyframe every 2 s. */
export async function hdrClip(name: HdrClip, container: 'mkv' | 'mp4' = 'mkv'): Promise<string> {
  const { ffmpeg } = await programs
  const [transfer, primaries, matrix, range, more] = COLOURS[name]
  const colours = `setparams=color_primaries=${primaries}:color_trc=${transfer}:colorspace=${matrix}:range=${range}`
  const tags = ['-color_primaries', primaries, '-color_trc', transfer, '-colorspace', matrix, '-color_range', range]
  const encoder = ['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '18', '-x265-params', [X265, more].filter(Boolean).join(':')]
  const args = [
    '-filter_complex',
    `${GRAPH},${colours}[v]`,
    '-map',
    '[v]',
    ...encoder,
    ...tags,
    '-tag:v',
    container === 'mp4' ? 'hvc1' : '0',
  ]
  const key = createHash('sha256').update(args.join('\0')).digest('hex').slice(0, 12)
  const folder = join(tmpdir(), 'marquee-test-clips')
  const path = join(folder, `${key}-${name}.${container}`)
  if (existsSync(path)) return path
  await mkdir(folder, { recursive: true })
  const part = `${path}.${process.pid}.part.${container}`
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args, part], { timeout: TIMEOUT_MS })
  await rename(part, path)
  return path
}

const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])
const ENTRIES = new Set(['hvc1', 'hev1', 'dvh1'])
const STSD_HEAD_BYTES = 8
const VISUAL_ENTRY_BYTES = 78

/** An MP4, whose `moov` comes last, with more boxes in the sample entry of its picture. */
export async function withBoxes(path: string, name: string, boxes: readonly Uint8Array[]): Promise<string> {
  const digest = createHash('sha256').update(Buffer.concat(boxes)).digest('hex').slice(0, 12)
  const made = path.replace(/\.mp4$/, `-${name}-${digest}.mp4`)
  if (existsSync(made)) return made
  const part = `${made}.${process.pid}.part`
  await writeFile(part, added(await readFile(path), Buffer.concat(boxes)))
  await rename(part, made)
  return made
}

function added(bytes: Buffer, more: Uint8Array): Buffer {
  const parts: Uint8Array[] = []
  for (let at = 0; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const payload = bytes.subarray(at + 8, at + size)
    if (CONTAINERS.has(type)) parts.push(boxOf(type, added(payload, more)))
    else if (type === 'stsd')
      parts.push(boxOf(type, Buffer.concat([payload.subarray(0, STSD_HEAD_BYTES), added(payload.subarray(STSD_HEAD_BYTES), more)])))
    else if (ENTRIES.has(type) && payload.length > VISUAL_ENTRY_BYTES) parts.push(boxOf(type, Buffer.concat([payload, more])))
    else parts.push(bytes.subarray(at, at + size))
    at += size
  }
  return Buffer.concat(parts)
}

/** Configuration record of Dolby Vision (ETSI TS 103 572): version 1.0, a base layer and metadata. */
export function dolbyBox(profile: number, compatibilityId: number, { level = 6, second = false } = {}): Uint8Array {
  const record = Buffer.alloc(24)
  record.set([1, 0, (profile << 1) | (level >> 5), ((level & 0x1f) << 3) | 0b101 | (second ? 0b010 : 0), compatibilityId << 4])
  return boxOf(profile > 7 ? 'dvvC' : 'dvcC', record)
}
