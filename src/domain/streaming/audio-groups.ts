/**
 * Forms the audio groups of the master playlist. Every group contains every track, as RFC 8216 requires: in `best`, each in the best form
 * that the player supports; in `stereo`, each in the form that every player supports. If both are the same there is one group.
 */
import type { AudioRendition } from './rendition.ts'

export interface AudioGroup {
  readonly id: string
  readonly members: readonly AudioRendition[]
}

/** Best first; empty for a film without audio. */
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
