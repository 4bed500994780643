/** Explains in one plain sentence, without a path, why a file is not a film. */
import type { FfprobeOutput, FfprobeStream } from './ffprobe-output.ts'

export const EMPTY = 'The file is empty'
export const NO_FILE = 'It is not a file'
export const UNREADABLE = 'The file cannot be read'
export const NO_FRAME = 'The file ends before its first frame'
export const NO_LENGTH = 'Its length cannot be determined'

const IMAGE = 'It is an image, not a film'
const NOT_MEDIA = 'It is not a media file'

/** ffprobe's messages; the first match wins. */
const BY_ERROR: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^\[(?:\w+_pipe|image2|gif|apng|ico|mjpeg) @ \w+\] Format not on whitelist/m, IMAGE],
  [/^\[(?:hls|dash|concat|imf|sdp|webm_dash_manifest) @ \w+\] Format not on whitelist/m, 'It is a playlist, not a film'],
  [/Format not on whitelist/, NOT_MEDIA],
  [/moov atom not found/i, 'Its index (moov) is missing: the file was cut off'],
  [/error reading header/i, 'Its header is damaged or cut off'],
  [/ended prematurely|: End of file/i, NO_FRAME],
  [/Invalid data found|header parsing failed/i, NOT_MEDIA],
]
/** ffprobe's messages for a file that ends before its first frame can be decoded. */
const CUT_OFF = /ended prematurely|partial file|Invalid NAL unit size|End of file|Packet corrupt|corrupt input packet/i

/** Reason for a file that ffprobe could not open. */
export function reasonFromErrors(errors: string): string {
  return BY_ERROR.find(([pattern]) => pattern.test(errors))?.[1] ?? 'It cannot be read as a film'
}

/** Reason for a file that opens but holds no film; undefined for a film. */
export function reasonFromOutput(output: FfprobeOutput, errors: string): string | undefined {
  const streams = output.streams ?? []
  const video = streams.find(isMainVideo)
  if (/_pipe$|^image2|^gif/.test(output.format?.format_name ?? '')) return IMAGE
  if (!video) return streams.some((stream) => stream.codec_type === 'audio') ? 'It has no video track, only audio' : 'It has no video track'
  const undecoded = !video.width || !video.height || !video.pix_fmt || video.pix_fmt === 'unknown'
  return undecoded && CUT_OFF.test(errors) ? NO_FRAME : undefined
}

/** A video stream that is neither a cover nor a thumbnail. */
export function isMainVideo(stream: FfprobeStream): boolean {
  return stream.codec_type === 'video' && !stream.disposition?.attached_pic && !stream.disposition?.timed_thumbnails
}
