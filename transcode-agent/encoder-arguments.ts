/**
 * Builds ffmpeg's arguments for each encoder. All use constant quality below a peak bit rate, if the encoder supports both. Keyframes come
 * only on demand. There are no B-frames where they would wait in a hardware encoder's queue. Decoding and filtering stay in software for
 * every encoder: that works for every film on every machine, with the same result. Option names are those of ffmpeg 5.1 to 7.0.
 */
import type { Encoder } from '../src/vocabulary/encoder.ts'
import { ffmpegName } from '../src/domain/streaming/encoders.ts'
import { BUFFER_SECONDS, fillingBps } from '../src/domain/streaming/rate-control.ts'
import type { VideoOutput } from './work.ts'

interface Encoding {
  /** Opens the hardware device; comes before the input. */
  readonly device: readonly string[]
  /** Appended after all other filters. */
  readonly filters: readonly string[]
  readonly options: readonly string[]
  /** The encoder cannot hold a quality below a peak, so it needs a target bit rate. */
  readonly needsRate: boolean
  /** The encoder takes levels as 31, not as 3.1. */
  readonly hasWholeLevels: boolean
}

/** Splits an option list into words. */
const list = (words: string): readonly string[] => words.split(' ')
const PLAIN = { device: [], filters: [], needsRate: false, hasWholeLevels: false } as const

const ENCODINGS: Readonly<Record<Encoder, Encoding>> = {
  x264: { ...PLAIN, options: list('-preset veryfast -crf 23 -pix_fmt yuv420p -sc_threshold 0 -forced-idr 1') },
  // Without a rate of 0, nvenc would use its default of 2 Mbit/s instead of the quality.
  nvenc: {
    ...PLAIN,
    options: list('-preset p4 -tune hq -rc vbr -cq 25 -b:v 0 -pix_fmt yuv420p -bf 0 -rc-lookahead 0 -no-scenecut 1 -forced-idr 1'),
  },
  // Quality, rate and peak together select its "quality-defined" rate control; without the rate nothing would bound it.
  qsv: {
    device: list('-init_hw_device qsv=hw'),
    filters: ['format=nv12'],
    options: list('-preset veryfast -global_quality 23 -pix_fmt nv12 -bf 0 -adaptive_i 0 -adaptive_b 0 -async_depth 2 -forced_idr 1'),
    needsRate: true,
    hasWholeLevels: true,
  },
  videotoolbox: { ...PLAIN, options: list('-realtime 0 -allow_sw 0 -pix_fmt yuv420p -bf 0'), needsRate: true },
  // The first render node that works. Constant-quality rate controls are missing in some drivers and unbounded in others.
  vaapi: {
    ...PLAIN,
    device: list('-init_hw_device vaapi=hw -filter_hw_device hw'),
    filters: ['format=nv12', 'hwupload'],
    options: list('-rc_mode VBR -bf 0 -idr_interval 0 -async_depth 2'),
    needsRate: true,
  },
}

/** Share of the peak: about the average bit rate that the ladder's rungs declare. */
const RATE_SHARE = 2 / 3

export const deviceArguments = (encoder: Encoder): readonly string[] => ENCODINGS[encoder].device
export const uploadFilters = (encoder: Encoder): readonly string[] => ENCODINGS[encoder].filters

export function encoderArguments({ encoder, maxBitrateBps, level }: VideoOutput): readonly string[] {
  const { options, needsRate, hasWholeLevels } = ENCODINGS[encoder]
  const steadyBps = fillingBps(maxBitrateBps)
  return [
    '-c:v',
    ffmpegName(encoder),
    ...options,
    ...(needsRate ? ['-b:v', String(Math.round(maxBitrateBps * RATE_SHARE))] : []),
    '-maxrate',
    String(steadyBps),
    '-bufsize',
    String(Math.round(steadyBps * BUFFER_SECONDS)),
    '-profile:v',
    'high',
    '-level:v',
    hasWholeLevels ? level.replace('.', '') : level,
  ]
}

/** ffmpeg's messages if the hardware encoder or its driver fails, rather than the film. */
const CIRCUIT_FAILED =
  /^\[[^\]]*(?:h264_(?:nvenc|qsv|videotoolbox|vaapi)|AVHWDevice|hwupload)|opening encoder|unknown encoder|device (?:creation|setup)/i

/** The line in which ffmpeg reports that its encoder failed, if there is one. */
export function encoderComplaint(errors: string): string | undefined {
  return errors.split('\n').find((line) => CIRCUIT_FAILED.test(line))
}
