/** Chooses the lowest H.264 level (ITU-T H.264 table A-1) whose limits fit a frame, and builds its codec string. */

/** Level, and its most macroblocks of 16x16 per picture and per second. */
const LEVELS = [
  ['3.0', 1_620, 40_500],
  ['3.1', 3_600, 108_000],
  ['3.2', 5_120, 216_000],
  ['4.0', 8_192, 245_760],
  ['4.2', 8_704, 522_240],
  ['5.0', 22_080, 589_824],
  ['5.1', 36_864, 983_040],
  ['5.2', 36_864, 2_073_600],
] as const

export type H264Level = (typeof LEVELS)[number][0]
export const H264_LEVELS: readonly H264Level[] = LEVELS.map(([level]) => level)

/** Assumed for a film that does not state its rate. */
export const MOST_FRAME_RATE = 60

export function h264Level(width: number, height: number, frameRate: number | null): H264Level {
  const frame = Math.ceil(width / 16) * Math.ceil(height / 16)
  const fits = LEVELS.find(([, most, mostASecond]) => frame <= most && frame * (frameRate ?? MOST_FRAME_RATE) <= mostASecond)
  return fits?.[0] ?? '5.2'
}

/** RFC 6381 name of an encoder's output with profile High and a fixed level. */
export function highProfileCodec(level: H264Level, constraints = 0): string {
  return codecOf(0x64, constraints, Math.round(Number(level) * 10))
}

/** Codec string of a copied track before its bytes are available: profile and level as ffprobe names them. */
export function probedH264Codec(profile: string | null, level: number | null): string {
  const [code, constraints] = PROFILES[profile ?? ''] ?? [0x64, 0]
  return codecOf(code, constraints, level && level > 0 ? level : 40)
}

const PROFILES: Readonly<Record<string, readonly [code: number, constraints: number]>> = {
  'Constrained Baseline': [0x42, 0xc0],
  Baseline: [0x42, 0],
  Main: [0x4d, 0],
  High: [0x64, 0],
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')
const codecOf = (profile: number, constraints: number, level: number): string => `avc1.${hex(profile)}${hex(constraints)}${hex(level)}`
