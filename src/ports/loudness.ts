/**
 * Loudness: how loud the sound tracks of films are in the forms in which they are made for players, by ITU-R BS.1770: integrated
 * loudness in LUFS, true peak in dB below full scale. Measured once, kept for ever under the fingerprint of the film's content.
 */
import type { AudioTrack } from '../vocabulary/media-description.ts'

export interface AudioLoudness {
  readonly loudnessLufs: number
  readonly truePeakDb: number
}

export interface TrackLoudness {
  /** Index of the stream in the film. */
  readonly stream: number
  /** As stereo, or as mono where it is that. */
  readonly stereo: AudioLoudness
  /** As 5.1; null for tracks that have fewer channels. */
  readonly surround: AudioLoudness | null
}

export interface LoudMediaFile {
  readonly path: string
  readonly fingerprint: string
  readonly bitrateBps: number | null
  readonly audio: readonly AudioTrack[]
}

export interface Loudness {
  /** Undefined where it is not measured yet. Tracks that were not measured are missing in it. */
  kept(fingerprint: string): Promise<readonly TrackLoudness[] | undefined>
  /**
   * Reads the whole film, after everything else that the machine has to do, and keeps what comes of it; undefined when it cannot be
   * read to its end.
   * @throws the signal's reason
   */
  measure(mediaFile: LoudMediaFile, signal: AbortSignal): Promise<readonly TrackLoudness[] | undefined>
}
