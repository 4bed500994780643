/**
 * MediaFonts: the fonts that come inside a film for its subtitles, as bytes. What a film calls them plays no part; what is no font by
 * its first bytes is left out, and so is what would be too much.
 */
export interface FontMediaFile {
  readonly path: string
  readonly fingerprint: string
  /** As ffprobe names it. */
  readonly container: string
}

export interface MediaFonts {
  /** In the order of the film; undefined where it cannot be read at the moment. @throws the signal's reason */
  of(mediaFile: FontMediaFile, signal: AbortSignal): Promise<readonly Uint8Array[] | undefined>
}

export const MOST_FONTS = 64
export const MOST_FONT_BYTES = 50 * 1024 * 1024
