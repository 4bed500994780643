/**
 * Encoders: which part of a machine each works on, what ffmpeg calls it, and what its pictures are declared as. All of them write H.264
 * of profile High, for every player that takes one of them takes the others.
 */
import { ENCODERS, type Encoder } from '../../vocabulary/encoder.ts'
import { highProfileCodec, type H264Level } from './h264-level.ts'

interface Traits {
  /** ffmpeg's name of it. */
  readonly ffmpeg: string
  /** A circuit of its own, beside the processor's cores. */
  readonly isHardware: boolean
  /** Constraint flags beside the profile, as ffmpeg has it write them. */
  readonly constraints: number
}

/** In the order of preference. VA-API declares frames without fields and without pictures that are predicted from later ones. */
const TRAITS: Readonly<Record<Encoder, Traits>> = {
  nvenc: { ffmpeg: 'h264_nvenc', isHardware: true, constraints: 0 },
  qsv: { ffmpeg: 'h264_qsv', isHardware: true, constraints: 0 },
  videotoolbox: { ffmpeg: 'h264_videotoolbox', isHardware: true, constraints: 0 },
  vaapi: { ffmpeg: 'h264_vaapi', isHardware: true, constraints: 0x0c },
  x264: { ffmpeg: 'libx264', isHardware: false, constraints: 0 },
}

/** What every machine has, and what is meant where none is named. */
export const SOFTWARE: Encoder = 'x264'
/** The preferred one first. */
export const HARDWARE_ENCODERS: readonly Encoder[] = ENCODERS.filter(isHardware)

export const ffmpegName = (encoder: Encoder): string => TRAITS[encoder].ffmpeg

export function isHardware(encoder: Encoder): boolean {
  return TRAITS[encoder].isHardware
}

/** RFC 6381 name of what it writes at a forced level. */
export function encodedCodec(encoder: Encoder, level: H264Level): string {
  return highProfileCodec(level, TRAITS[encoder].constraints)
}
