/** Trickplay: thumbnails of a film, one for each interval, on sheets of `columns` x `rows`, row by row. */

export interface TrickplayPlan {
  readonly intervalMs: number
  /** Size of one thumbnail, pixels. */
  readonly width: number
  readonly height: number
  readonly columns: number
  readonly rows: number
  /** Length of the film: the last thumbnail covers the remainder. */
  readonly durationMs: number
  /** Presentation time of each interval's thumbnail, counted from the film's zero. */
  readonly ptsMs: readonly number[]
  /** Sizes of the sheets in bytes. */
  readonly sheetBytes: readonly number[]
}
