/** Cuts a subtitle into pieces, for players that read subtitles as an HLS playlist. */
import type { Cue } from '../../vocabulary/cue.ts'
import { writeWebVtt } from './subtitle-text.ts'

export const SUBTITLE_PIECE_MS = 60_000

export const pieceCount = (durationMs: number): number => Math.max(1, Math.ceil(durationMs / SUBTITLE_PIECE_MS))

/**
 * Ends with a blank line: ffmpeg concatenates the pieces, and would otherwise append the next header to the last cue's text. Contains the
 * cues that are visible at any time of the piece; a cue that crosses an edge is in both pieces, as HLS requires. WebVTT's zero is the
 * film's zero: our fragmented MP4 starts there too.
 */
export function subtitlePiece(cues: readonly Cue[], piece: number): string {
  const fromMs = piece * SUBTITLE_PIECE_MS
  const shown = cues.filter(({ startMs, endMs }) => startMs < fromMs + SUBTITLE_PIECE_MS && endMs > fromMs)
  return `${writeWebVtt(shown, { timestampMap: true })}\n`
}
