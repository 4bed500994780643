/** Schema of a job's output as it arrives over the bus: only enums and bounded numbers. */
import { Type, type TSchema } from 'typebox'
import type { Json } from '../../../events/envelope.ts'
import { ENCODERS } from '../../../vocabulary/encoder.ts'
import { LEAST_PEAK_NITS, MATRICES, MOST_PEAK_NITS, PRIMARIES, TRANSFERS } from '../../../domain/streaming/tone-map.ts'
import { TONE_MAPPERS } from '../../../vocabulary/tone-mapper.ts'
import { H264_LEVELS } from '../../../domain/streaming/h264-level.ts'
import { CHANNELS } from '../../../domain/streaming/channel-layout.ts'

const closed = { additionalProperties: false }
const time = Type.Number({ minimum: -1e9, maximum: 1e9 })
const word = Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9._-]+$' })
const tagged = (type: string, rest: Record<string, TSchema>) => Type.Object({ type: Type.Literal(type), ...rest }, closed)
const CADENCE = Type.Union([
  Type.Object(
    {
      numerator: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      denominator: Type.Integer({ minimum: 1, maximum: 10_000 }),
      startMs: Type.Union([time, Type.Null()]),
    },
    closed,
  ),
  Type.Null(),
])
const STREAM = Type.Integer({ minimum: 0, maximum: 1000 })
const BURN_IN = Type.Union([
  tagged('bitmap', {
    stream: STREAM,
    clock: Type.Object({ type: Type.Union([Type.Literal('audio'), Type.Literal('video')]), stream: STREAM }, closed),
    width: Type.Integer({ minimum: 1, maximum: 65_536 }),
    height: Type.Integer({ minimum: 1, maximum: 65_536 }),
    matrix: Type.Union([Type.Literal('bt601'), Type.Literal('bt709')]),
  }),
  tagged('text', {}),
])
const AUDIO_SOURCE = Type.Object(
  {
    channels: Type.Integer({ minimum: 1, maximum: 64 }),
    names: Type.Array(Type.Union(CHANNELS.map((name) => Type.Literal(name))), { maxItems: 64 }),
  },
  closed,
)
const oneOf = (names: readonly string[]) => Type.Union(names.map((name) => Type.Literal(name)))
const TONE_MAP = Type.Object(
  {
    by: oneOf([...TONE_MAPPERS, 'none']),
    transfer: oneOf(TRANSFERS),
    primaries: oneOf(PRIMARIES),
    matrix: oneOf(MATRICES),
    isFullRange: Type.Boolean(),
    peakNits: Type.Integer({ minimum: LEAST_PEAK_NITS, maximum: MOST_PEAK_NITS }),
  },
  closed,
)
export const OUTPUT = Type.Union([
  tagged('copy-video', { tag: Type.Optional(Type.Union([Type.Literal('hvc1'), Type.Literal('dvh1')])), cadence: CADENCE }),
  tagged('encode-video', {
    encoder: Type.Union(ENCODERS.map((encoder) => Type.Literal(encoder))),
    width: Type.Integer({ minimum: 2, maximum: 8192 }),
    height: Type.Integer({ minimum: 2, maximum: 8192 }),
    maxBitrateBps: Type.Integer({ minimum: 10_000, maximum: 200_000_000 }),
    level: Type.Union(H264_LEVELS.map((level) => Type.Literal(level))),
    deinterlace: Type.Boolean(),
    toneMap: Type.Union([TONE_MAP, Type.Null()]),
    matrix: Type.Optional(Type.Literal('bt709')),
    framesPerSecond: Type.Union([Type.Integer({ minimum: 1, maximum: 240 }), Type.Null()]),
    cadence: CADENCE,
    burnIn: Type.Optional(BURN_IN),
  }),
  tagged('copy-audio', {
    sampleRate: Type.Integer({ minimum: 1_000, maximum: 768_000 }),
    codec: word,
    frameSamples: Type.Union([Type.Integer({ minimum: 1, maximum: 65_535 }), Type.Null()]),
    channels: Type.Integer({ minimum: 1, maximum: 64 }),
    adts: Type.Boolean(),
    anchorMs: time,
  }),
  tagged('encode-audio', {
    channels: Type.Integer({ minimum: 1, maximum: 6 }),
    bitrateBps: Type.Integer({ minimum: 16_000, maximum: 1_000_000 }),
    sampleRate: Type.Literal(48_000),
    mixedFrom: Type.Optional(AUDIO_SOURCE),
    gainDb: Type.Optional(Type.Number({ minimum: -20, maximum: 20 })),
  }),
])

const PLAIN_HDR = { by: 'zscale', primaries: 'bt2020', matrix: 'bt2020nc', isFullRange: false, peakNits: 1_000 } as const

/** Older nodes describe HDR video only by its transfer curve. */
export function outputOfToday(output: Json): Json {
  if (typeof output !== 'object' || output === null || Array.isArray(output) || !('toneMap' in output)) return output
  const { toneMap } = output
  return toneMap === 'pq' || toneMap === 'hlg' ? { ...output, toneMap: { ...PLAIN_HDR, transfer: toneMap } } : output
}
