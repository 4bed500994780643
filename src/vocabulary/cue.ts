/** A cue: words of a subtitle and when they are shown. */
export interface Cue {
  readonly startMs: number
  readonly endMs: number
  /** WebVTT cue settings; empty for none. */
  readonly settings: string
  /** WebVTT cue text: escaped, without blank lines. */
  readonly text: string
}
