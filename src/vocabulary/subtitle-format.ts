/** Maps subtitle codecs to text formats; bitmap subtitles (PGS, VobSub, DVB) have none. Limits the size of subtitle files. */

export type SubtitleFormat = 'subrip' | 'webvtt' | 'ass'

/** By ffprobe's codec name. Codecs without markup of their own are read as SubRip, like the files that hold such text. */
const FORMATS: ReadonlyMap<string, SubtitleFormat> = new Map([
  ['subrip', 'subrip'],
  ['srt', 'subrip'],
  ['text', 'subrip'],
  ['mov_text', 'subrip'],
  ['webvtt', 'webvtt'],
  ['ass', 'ass'],
  ['ssa', 'ass'],
])

/** A larger file is no subtitle that can be served: it is read as a whole. */
export const MAX_SUBTITLE_BYTES = 10 * 1024 * 1024

/** Undefined for subtitles that are not text. */
export const subtitleFormat = (codec: string): SubtitleFormat | undefined => FORMATS.get(codec)
