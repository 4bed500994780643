/**
 * Loudness: loudness of films' audio tracks in the forms made for players, by ITU-R BS.1770: integrated loudness in LUFS, true peak in dB
 * below full scale. Measured once and kept permanently under the fingerprint of the film's content.
 */
import type { AudioTrack } from '../vocabulary/media-description.ts'

export interface AudioLoudness {
  readonly loudnessLufs: number
  readonly truePeakDb: number
}

export interface TrackLoudness {
  /** Index of the stream in the film. */
  readonly stream: number
  /** As stereo, or as mono if the track is mono. */
  readonly stereo: AudioLoudness
  /** As 5.1; null for tracks with fewer channels. */
  readonly surround: AudioLoudness | null
}

export interface LoudMediaFile {
  readonly path: string
  readonly fingerprint: string
  readonly bitrateBps: number | null
  readonly audio: readonly AudioTrack[]
}

export interface Loudness {
  /** Undefined if not yet measured. Tracks that could not be measured are missing. */
  kept(fingerprint: string): Promise<readonly TrackLoudness[] | undefined>
  /**
   * Reads the whole film at the lowest priority and keeps the result; undefined if it cannot be read to its end. @throws the signal's
   * reason
   */
  measure(mediaFile: LoudMediaFile, signal: AbortSignal): Promise<readonly TrackLoudness[] | undefined>
}
