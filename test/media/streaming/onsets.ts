/** Finds the onsets of tones, for films with a ticking sound. */
import { SOUND_RATE } from './media-facts.ts'

const LOUD = 3_000

/** Onset times in milliseconds of the samples. */
export function onsets(samples: Int16Array): readonly number[] {
  const found: number[] = []
  let quietSince = -SOUND_RATE
  for (let at = 0; at < samples.length; at++) {
    if (Math.abs(samples[at] ?? 0) < LOUD) continue
    if (at - quietSince > SOUND_RATE / 10) found.push((at * 1000) / SOUND_RATE)
    quietSince = at
  }
  return found
}
