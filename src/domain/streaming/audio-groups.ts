/**
 * Groups of sound in the master playlist. Every group holds every track, as RFC 8216 wants it: in `best`, each in the best form
 * that the player takes; in `stereo`, each as what every player takes. One group where the two are the same.
 */
import type { AudioRendition } from './rendition.ts'

export interface AudioGroup {
  readonly id: string
  readonly members: readonly AudioRendition[]
}

/** The best first; none for a film without sound. */
export function audioGroups(audio: readonly AudioRendition[]): readonly AudioGroup[] {
  const tracks = [...new Set(audio.map(({ index }) => index))].map((index) => audio.filter((one) => one.index === index))
  const pick = (place: 0 | -1) => tracks.flatMap((forms) => forms.at(place) ?? [])
  const [best, stereo] = [pick(0), pick(-1)]
  if (best.length === 0) return []
  if (best.every((one, place) => one === stereo[place])) return [{ id: 'audio', members: best }]
  return [
    { id: 'best', members: best },
    { id: 'stereo', members: stereo },
  ]
}
