/** Trickplay: small pictures of a film, one for each interval of it, on sheets of `columns` x `rows`, row by row. */

export interface TrickplayPlan {
  readonly intervalMs: number
  /** Of one picture, pixels. */
  readonly width: number
  readonly height: number
  readonly columns: number
  readonly rows: number
  /** How long the film is: the last picture stands for what is left of it. */
  readonly durationMs: number
  /** When each picture is shown, counted from the film's zero: the one of interval n. */
  readonly ptsMs: readonly number[]
  /** Sizes of the sheets. */
  readonly sheetBytes: readonly number[]
}
