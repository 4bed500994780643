/**
 * TextTracks: the text tracks inside films, read out of them as subtitle files in the form of the track (`subtitleFormat`). All of
 * them in one pass through the film, kept for ever under the fingerprint of its content; or a stretch of one of them, at once.
 *
 * Times in what is given are those of the container.
 */
export interface TextTrack {
  /** Index of the stream in the film. */
  readonly stream: number
  readonly codec: string
}

export interface TextMediaFile {
  readonly path: string
  readonly fingerprint: string
  /** Timestamp of the container's first packet, which seeks count from. */
  readonly startMs: number
  readonly bitrateBps: number | null
  /** Stream that tells how far a stretch has been read; null for a film that has no such. */
  readonly pacer: number | null
  /** All text tracks of the film. */
  readonly tracks: readonly TextTrack[]
}

export interface Stretch {
  readonly track: TextTrack
  readonly fromMs: number
  readonly toMs: number
}

export interface TextTracks {
  /** Whether all tracks of the film are kept. */
  isKept(mediaFile: TextMediaFile): Promise<boolean>
  /** A kept track as a whole; undefined when it is not kept. */
  kept(mediaFile: TextMediaFile, track: TextTrack): Promise<Uint8Array | undefined>
  /**
   * Reads the whole film and keeps its tracks; false when it cannot be read to its end. `background`: slowly, and after everything
   * else that the machine has to do.
   * @throws the signal's reason
   */
  takeOut(mediaFile: TextMediaFile, options: { readonly background: boolean; readonly signal: AbortSignal }): Promise<boolean>
  /**
   * What is shown at any time of a stretch, and maybe more; undefined when the film cannot be read.
   * @throws the signal's reason
   */
  stretch(mediaFile: TextMediaFile, stretch: Stretch, signal: AbortSignal): Promise<Uint8Array | undefined>
}
