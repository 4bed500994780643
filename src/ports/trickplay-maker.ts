/** Trickplay maker: extracts thumbnails from films and assembles them into sheets. Slow work at the lowest priority. */
import type { VideoTrack } from '../vocabulary/media-description.ts'

export interface MediaFileWithFrames {
  readonly path: string
  readonly durationMs: number
  readonly bitrateBps: number | null
  readonly track: VideoTrack
  /** Zero of the film as a timestamp of the file. */
  readonly zeroMs: number
  /** Size of the thumbnails; shown upright, with square pixels. */
  readonly width: number
  readonly height: number
}

export interface MediaFrame {
  /** Presentation time from the film's zero. */
  readonly atMs: number
  readonly jpeg: Uint8Array
}

export interface TrickplayMaker {
  /**
   * The frames decoded if all but keyframes are skipped, in display order. @throws the signal's reason, or that the film could not be read
   */
  keyframes(mediaFile: MediaFileWithFrames, signal: AbortSignal): AsyncIterable<MediaFrame>
  /** The first frame at or after a time, read from `seekMs` on; undefined if there is none. @throws the signal's reason */
  frameFrom(
    mediaFile: MediaFileWithFrames,
    from: { readonly fromMs: number; readonly seekMs: number | null },
    signal: AbortSignal,
  ): Promise<MediaFrame | undefined>
  /** One JPEG of many thumbnails, row by row; the unused rest is black. */
  sheet(frames: readonly Uint8Array[], grid: SheetGrid): Promise<Uint8Array>
}

export interface SheetGrid {
  readonly columns: number
  readonly rows: number
  readonly width: number
  readonly height: number
}
