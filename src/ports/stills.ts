/** Stills: a picture out of a film, for films that have none beside them: the cover that its file carries, else a frame. */

export interface StillSource {
  readonly path: string
  /** Names the still for ever: the same content gives the same picture. */
  readonly fingerprint: string
  readonly durationMs: number
  /** Nobody waits for it: the processor prefers everything else. */
  readonly isBackground?: boolean
}

export interface Stills {
  /** A JPEG of at most 2000 pixels' width, made on first use; undefined where none can be made. */
  still(source: StillSource): Promise<Uint8Array | undefined>
}
