/**
 * MediaFonts: the subtitle fonts inside a film, as bytes. The names in the film are ignored; entries that are not fonts by their first
 * bytes are left out, and so are those beyond the limits.
 */
export interface FontMediaFile {
  readonly path: string
  readonly fingerprint: string
  /** As ffprobe names it. */
  readonly container: string
}

export interface MediaFonts {
  /** In the film's order; undefined if they cannot be read at the moment. @throws the signal's reason */
  of(mediaFile: FontMediaFile, signal: AbortSignal): Promise<readonly Uint8Array[] | undefined>
}

export const MOST_FONTS = 64
export const MOST_FONT_BYTES = 50 * 1024 * 1024
