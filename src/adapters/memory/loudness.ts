/** Loudness given as data, for tests of its users. The test decides how long measuring a film takes. */
import type { LoudMediaFile, Loudness, TrackLoudness } from '../../ports/loudness.ts'

export interface MemoryLoudnessOptions {
  /** For every film; undefined: it cannot be read. */
  readonly measuring?: (mediaFile: LoudMediaFile, signal: AbortSignal) => Promise<readonly TrackLoudness[] | undefined>
}

export interface MemoryLoudness extends Loudness {
  /** Fingerprints of the measured films, one for each measurement. */
  readonly measurements: readonly string[]
}

export function createMemoryLoudness({ measuring = async () => [] }: MemoryLoudnessOptions = {}): MemoryLoudness {
  const mediaFiles = new Map<string, readonly TrackLoudness[]>()
  const measurements: string[] = []
  return {
    measurements,
    kept: async (fingerprint) => mediaFiles.get(fingerprint),
    async measure(mediaFile, signal) {
      signal.throwIfAborted()
      measurements.push(mediaFile.fingerprint)
      const tracks = await measuring(mediaFile, signal)
      signal.throwIfAborted()
      if (tracks) mediaFiles.set(mediaFile.fingerprint, tracks)
      return tracks
    },
  }
}
