/**
 * Describes the encoders: their hardware, their names in ffmpeg, and their codec strings. All encoders produce H.264 High, so a player that
 * plays one plays all.
 */
import { ENCODERS, type Encoder } from '../../vocabulary/encoder.ts'
import { highProfileCodec, type H264Level } from './h264-level.ts'

interface Traits {
  /** Its name in ffmpeg. */
  readonly ffmpeg: string
  /** Uses a dedicated circuit instead of CPU cores. */
  readonly isHardware: boolean
  /** Constraint flags beside the profile, as ffmpeg writes them. */
  readonly constraints: number
}

/** In order of preference. VA-API declares progressive frames without B-frames. */
const TRAITS: Readonly<Record<Encoder, Traits>> = {
  nvenc: { ffmpeg: 'h264_nvenc', isHardware: true, constraints: 0 },
  qsv: { ffmpeg: 'h264_qsv', isHardware: true, constraints: 0 },
  videotoolbox: { ffmpeg: 'h264_videotoolbox', isHardware: true, constraints: 0 },
  vaapi: { ffmpeg: 'h264_vaapi', isHardware: true, constraints: 0x0c },
  x264: { ffmpeg: 'libx264', isHardware: false, constraints: 0 },
}

/** Available on every machine, and the default. */
export const SOFTWARE: Encoder = 'x264'
/** Preferred first. */
export const HARDWARE_ENCODERS: readonly Encoder[] = ENCODERS.filter(isHardware)

export const ffmpegName = (encoder: Encoder): string => TRAITS[encoder].ffmpeg

export function isHardware(encoder: Encoder): boolean {
  return TRAITS[encoder].isHardware
}

/** RFC 6381 name of its output at a fixed level. */
export function encodedCodec(encoder: Encoder, level: H264Level): string {
  return highProfileCodec(level, TRAITS[encoder].constraints)
}
