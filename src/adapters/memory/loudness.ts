/** Loudness given as data: for tests of what asks for it. Measuring a film takes as long as the test wants. */
import type { LoudMediaFile, Loudness, TrackLoudness } from '../../ports/loudness.ts'

export interface MemoryLoudnessOptions {
  /** Of any film; undefined: it cannot be read. */
  readonly measuring?: (mediaFile: LoudMediaFile, signal: AbortSignal) => Promise<readonly TrackLoudness[] | undefined>
}

export interface MemoryLoudness extends Loudness {
  /** Fingerprints of the films that were measured, each time. */
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
