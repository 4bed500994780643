/** Loudness given as data: for tests of what asks for it. Measuring a film takes as long as the test wants. */
import type { LoudFilm, Loudness, TrackLoudness } from '../../ports/loudness.ts'

export interface MemoryLoudnessOptions {
  /** Of any film; undefined: it cannot be read. */
  readonly measuring?: (film: LoudFilm, signal: AbortSignal) => Promise<readonly TrackLoudness[] | undefined>
}

export interface MemoryLoudness extends Loudness {
  /** Fingerprints of the films that were measured, each time. */
  readonly measurements: readonly string[]
}

export function createMemoryLoudness({ measuring = async () => [] }: MemoryLoudnessOptions = {}): MemoryLoudness {
  const films = new Map<string, readonly TrackLoudness[]>()
  const measurements: string[] = []
  return {
    measurements,
    kept: async (fingerprint) => films.get(fingerprint),
    async measure(film, signal) {
      signal.throwIfAborted()
      measurements.push(film.fingerprint)
      const tracks = await measuring(film, signal)
      signal.throwIfAborted()
      if (tracks) films.set(film.fingerprint, tracks)
      return tracks
    },
  }
}
