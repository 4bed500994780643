/**
 * What ffmpeg is told for each encoder. All of them: a steady quality below a peak, where the encoder can do both, a picture that
 * begins anew where it is told to and nowhere else, and none that is predicted from later ones where that would wait for them in a
 * circuit's queue. Films are decoded and filtered in software whatever encodes them: that works for every film on every machine, and
 * what they show is the same. Names of options are those of ffmpeg 5.1 to 7.0.
 */
import type { Encoder } from '../src/vocabulary/encoder.ts'
import { ffmpegName } from '../src/domain/streaming/encoders.ts'
import { BUFFER_SECONDS, fillingBps } from '../src/domain/streaming/rate-control.ts'
import type { VideoOutput } from './work.ts'

interface Encoding {
  /** Opens the circuit; before the film. */
  readonly device: readonly string[]
  /** After all other filters. */
  readonly filters: readonly string[]
  readonly options: readonly string[]
  /** It cannot hold a quality below a peak: the rate that it aims at is asked for. */
  readonly needsRate: boolean
  /** It takes levels as 31, not as 3.1. */
  readonly hasWholeLevels: boolean
}

/** Words of an option list. */
const list = (words: string): readonly string[] => words.split(' ')
const PLAIN = { device: [], filters: [], needsRate: false, hasWholeLevels: false } as const

const ENCODINGS: Readonly<Record<Encoder, Encoding>> = {
  x264: { ...PLAIN, options: list('-preset veryfast -crf 23 -pix_fmt yuv420p -sc_threshold 0 -forced-idr 1') },
  // Without a rate of 0 it would hold its own, of 2 Mbit/s, instead of the quality.
  nvenc: {
    ...PLAIN,
    options: list('-preset p4 -tune hq -rc vbr -cq 25 -b:v 0 -pix_fmt yuv420p -bf 0 -rc-lookahead 0 -no-scenecut 1 -forced-idr 1'),
  },
  // Quality, rate and peak together choose its "quality-defined" rate control; without the rate nothing would bound it.
  qsv: {
    device: list('-init_hw_device qsv=hw'),
    filters: ['format=nv12'],
    options: list('-preset veryfast -global_quality 23 -pix_fmt nv12 -bf 0 -adaptive_i 0 -adaptive_b 0 -async_depth 2 -forced_idr 1'),
    needsRate: true,
    hasWholeLevels: true,
  },
  videotoolbox: { ...PLAIN, options: list('-realtime 0 -allow_sw 0 -pix_fmt yuv420p -bf 0'), needsRate: true },
  // The first render node that works. Rate controls that hold a quality are missing in some drivers, and unbounded in others.
  vaapi: {
    ...PLAIN,
    device: list('-init_hw_device vaapi=hw -filter_hw_device hw'),
    filters: ['format=nv12', 'hwupload'],
    options: list('-rc_mode VBR -bf 0 -idr_interval 0 -async_depth 2'),
    needsRate: true,
  },
}

/** Of the peak; about what the rungs of the ladder say of themselves. */
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

/** What ffmpeg says when the circuit or its driver fails, rather than the film. */
const CIRCUIT_FAILED =
  /^\[[^\]]*(?:h264_(?:nvenc|qsv|videotoolbox|vaapi)|AVHWDevice|hwupload)|opening encoder|unknown encoder|device (?:creation|setup)/i

/** The line in which ffmpeg says that its encoder failed, if it does. */
export function encoderComplaint(errors: string): string | undefined {
  return errors.split('\n').find((line) => CIRCUIT_FAILED.test(line))
}
