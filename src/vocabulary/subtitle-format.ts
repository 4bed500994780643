/** Which subtitle tracks hold text, and in which form that is read; pictures (PGS, VobSub, DVB) are in none. */

export type SubtitleFormat = 'subrip' | 'webvtt' | 'ass'

/** By the codec as ffprobe calls it. What knows no markup of its own is read as SubRip, like the files that hold such text. */
const FORMATS: ReadonlyMap<string, SubtitleFormat> = new Map([
  ['subrip', 'subrip'],
  ['srt', 'subrip'],
  ['text', 'subrip'],
  ['mov_text', 'subrip'],
  ['webvtt', 'webvtt'],
  ['ass', 'ass'],
  ['ssa', 'ass'],
])

/** Undefined for subtitles that are no text. */
export const subtitleFormat = (codec: string): SubtitleFormat | undefined => FORMATS.get(codec)
