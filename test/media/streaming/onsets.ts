/** Finds the onsets of tones, for films with a ticking sound. */
import { AUDIO_RATE } from './media-facts.ts'

const LOUD = 3_000

/** Onset times in milliseconds of the samples. */
export function onsets(samples: Int16Array): readonly number[] {
  const found: number[] = []
  let quietSince = -AUDIO_RATE
  for (let at = 0; at < samples.length; at++) {
    if (Math.abs(samples[at] ?? 0) < LOUD) continue
    if (at - quietSince > AUDIO_RATE / 10) found.push((at * 1000) / AUDIO_RATE)
    quietSince = at
  }
  return found
}
