/** Measures the loudness of each film in the background, with the lowest priority, so that it is known when the film is played. */
import type { Clock } from '../../ports/clock.ts'
import type { Loudness } from '../../ports/loudness.ts'
import { walkFilesForTask, untilNoScan, type BackgroundFiles } from '../tasks/file-walk.ts'

export interface LoudnessJobDependencies extends BackgroundFiles {
  readonly clock: Clock
  readonly loudness: Loudness
}

/** Runs until the signal. */
export function runLoudnessJob(deps: LoudnessJobDependencies, signal: AbortSignal): Promise<void> {
  const { loudness } = deps
  return walkFilesForTask(
    deps,
    {
      isKept: async ({ media, fingerprint }) => media.audio.length === 0 || (await loudness.kept(fingerprint)) !== undefined,
      ready: () => untilNoScan(deps, signal),
      make: ({ path, fingerprint, media: { bitrateBps, audio } }) => loudness.measure({ path, fingerprint, bitrateBps, audio }, signal),
    },
    signal,
  )
}
