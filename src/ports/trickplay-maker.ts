/** Trickplay maker: small pictures out of films, and sheets of them. Slow work, after everything else that the machine has to do. */
import type { VideoTrack } from '../vocabulary/media-description.ts'

export interface MediaFileWithFrames {
  readonly path: string
  readonly durationMs: number
  readonly bitrateBps: number | null
  readonly track: VideoTrack
  /** Zero of the film as a timestamp of the file. */
  readonly zeroMs: number
  /** Of the pictures; shown upright, with square pixels. */
  readonly width: number
  readonly height: number
}

export interface MediaFrame {
  /** When it is shown, counted from the film's zero. */
  readonly atMs: number
  readonly jpeg: Uint8Array
}

export interface TrickplayMaker {
  /**
   * What is decoded of the film when everything but keyframes is skipped, in the order of showing.
   * @throws the signal's reason, or that the film could not be read
   */
  keyframes(mediaFile: MediaFileWithFrames, signal: AbortSignal): AsyncIterable<MediaFrame>
  /**
   * The first picture at or after a moment, read from `seekMs` on; undefined where there is none.
   * @throws the signal's reason
   */
  pictureFrom(
    mediaFile: MediaFileWithFrames,
    from: { readonly fromMs: number; readonly seekMs: number | null },
    signal: AbortSignal,
  ): Promise<MediaFrame | undefined>
  /** One JPEG of many, row by row; what is left of the last rows is black. */
  sheet(pictures: readonly Uint8Array[], grid: SheetGrid): Promise<Uint8Array>
}

export interface SheetGrid {
  readonly columns: number
  readonly rows: number
  readonly width: number
  readonly height: number
}
