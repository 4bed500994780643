/** Stills: an image from a film, for films without image files: the cover embedded in its file, else a frame. */

export interface StillSource {
  readonly path: string
  /** Identifies the still permanently: the same content gives the same image. */
  readonly fingerprint: string
  readonly durationMs: number
  /** Background work: runs at the lowest CPU priority. */
  readonly isBackground?: boolean
}

export interface Stills {
  /** A JPEG of at most 2000 pixels' width, made on first use; undefined if none can be made. */
  still(source: StillSource): Promise<Uint8Array | undefined>
}
