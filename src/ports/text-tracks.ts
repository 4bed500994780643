/**
 * TextTracks: extracts the text tracks of films as subtitle files in the track's format (`subtitleFormat`). It reads all of them in one
 * pass and keeps them permanently under the fingerprint of the film's content, or reads a stretch of one track at once.
 *
 * Times in the output are those of the container.
 */
export interface TextTrack {
  /** Index of the stream in the film. */
  readonly stream: number
  readonly codec: string
}

export interface TextMediaFile {
  readonly path: string
  readonly fingerprint: string
  /** Timestamp of the container's first packet, from which seeks count. */
  readonly startMs: number
  readonly bitrateBps: number | null
  /** Stream that shows how far a stretch has been read; null for a film without a suitable one. */
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
  /** A kept track as a whole; undefined if it is not kept. */
  kept(mediaFile: TextMediaFile, track: TextTrack): Promise<Uint8Array | undefined>
  /**
   * Reads the whole film and keeps its tracks; false if it cannot be read to its end. `background`: slowly and at the lowest priority.
   * @throws the signal's reason
   */
  takeOut(mediaFile: TextMediaFile, options: { readonly background: boolean; readonly signal: AbortSignal }): Promise<boolean>
  /** All cues shown during a stretch, and possibly more; undefined if the film cannot be read. @throws the signal's reason */
  stretch(mediaFile: TextMediaFile, stretch: Stretch, signal: AbortSignal): Promise<Uint8Array | undefined>
}
