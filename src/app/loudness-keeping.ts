/** Keeps the loudness of films: measures the sound of each, after everything else, so that it is known when the film is played. */
import type { Clock } from '../ports/clock.ts'
import type { Loudness } from '../ports/loudness.ts'
import { takeFilms, untilNoScan, type BackgroundFilms } from './background-films.ts'

export interface LoudnessKeepingDependencies extends BackgroundFilms {
  readonly clock: Clock
  readonly loudness: Loudness
}

/** Runs until the signal. */
export function keepLoudness(deps: LoudnessKeepingDependencies, signal: AbortSignal): Promise<void> {
  const { documents, loudness } = deps
  return takeFilms(
    deps,
    async ({ id, media, ...found }) => {
      if (media.audio.length === 0 || (await loudness.kept(found.fingerprint))) return
      await untilNoScan(deps, signal)
      // Another film may be in its place since.
      const file = await documents.files.get(id)
      if (file?.missing !== false || file.fingerprint !== found.fingerprint) return
      await loudness.measure({ path: file.path, fingerprint: file.fingerprint, bitrateBps: media.bitrateBps, audio: media.audio }, signal)
    },
    signal,
  )
}
