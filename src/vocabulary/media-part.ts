/**
 * A stretch of a film file with a clock of its own: transport and program streams are often joined byte by byte, and each part's times
 * begin anew. A type, not an interface, since it travels as JSON.
 */
export type MediaPart = {
  readonly startByte: number
  /** The first byte after it. */
  readonly endByte: number
  readonly durationMs: number
}
