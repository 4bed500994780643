/** Maps subtitle codecs to text formats; bitmap subtitles (PGS, VobSub, DVB) have none. */

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

/** Undefined for subtitles that are not text. */
export const subtitleFormat = (codec: string): SubtitleFormat | undefined => FORMATS.get(codec)
