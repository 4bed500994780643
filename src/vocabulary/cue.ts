/** A cue: a piece of subtitle text and when it is shown. */
export interface Cue {
  readonly startMs: number
  readonly endMs: number
  /** WebVTT cue settings; empty for none. */
  readonly settings: string
  /** WebVTT cue text: escaped, without blank lines. */
  readonly text: string
}
