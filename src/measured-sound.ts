/** What is measured of the sound of films: just what players get of it. */
import { soundSource } from './domain/streaming/sound-source.ts'
import type { AudioTrack } from './events/media-description.ts'
import { soundFilters } from '../transcode-agent/sound-filters.ts'

export function measuredFilters(track: AudioTrack, channels: number): readonly string[] {
  return soundFilters({ channels, ...(track.channels > 2 ? { mixedFrom: soundSource(track) } : {}) })
}
