/** Sound of a plan: each track is one rendition, copied where fMP4 and every player take it, else stereo AAC. */
import type { AudioTrack, MediaDescription } from '../../events/media-description.ts'
import { evenGrid } from './grid.ts'
import type { AudioRendition } from './rendition.ts'
import { qualityName } from './stream-name.ts'

/** AAC object types that are copied, with the samples of one frame at the rate that ffprobe tells (SBR doubles them). */
const COPIED_PROFILES: Readonly<Record<string, { readonly frameSamples: number; readonly codec: string }>> = {
  LC: { frameSamples: 1024, codec: 'mp4a.40.2' },
  'HE-AAC': { frameSamples: 2048, codec: 'mp4a.40.5' },
}
const COPY_CONTAINERS = new Set(['mp4', 'mov', 'm4v', 'matroska', 'webm', 'mpegts'])
const MADE_BITRATE_BPS = 160_000
const MADE_SAMPLE_RATE = 48_000
/** Of a copied track whose rate the file does not tell, a channel. */
const GUESSED_CHANNEL_BPS = 96_000

export interface Place {
  readonly index: number
  readonly default: boolean
  /** Output time of the film's first sound. */
  readonly startMs: number
}

export function audioRendition(media: MediaDescription, track: AudioTrack, { startMs, ...place }: Place): AudioRendition {
  const profile = COPIED_PROFILES[track.profile ?? '']
  const copies = track.codec === 'aac' && profile !== undefined && track.channels <= 2 && COPY_CONTAINERS.has(media.container)
  const common = { ...place, language: track.language, title: track.title, stream: track.stream, grid: evenGrid(media.durationMs) }
  if (copies) {
    const bitrateBps = track.bitrateBps ?? track.channels * GUESSED_CHANNEL_BPS
    return {
      ...common,
      key: `a${track.stream}-copy`,
      name: qualityName({ type: 'audio', index: place.index, form: 'copy' }),
      output: {
        type: 'copy-audio',
        sampleRate: track.sampleRate,
        frameSamples: profile.frameSamples,
        channels: track.channels,
        adts: media.container === 'mpegts',
        anchorMs: startMs,
      },
      bitrateBps,
      peakBitrateBps: Math.round(bitrateBps * 1.25),
      codec: profile.codec,
      channels: track.channels,
    }
  }
  const channels = Math.min(2, Math.max(1, track.channels))
  return {
    ...common,
    key: `a${track.stream}-aac-${channels}ch`,
    name: qualityName({ type: 'audio', index: place.index, form: 'aac' }),
    output: { type: 'encode-audio', channels, bitrateBps: MADE_BITRATE_BPS, sampleRate: MADE_SAMPLE_RATE },
    bitrateBps: MADE_BITRATE_BPS,
    peakBitrateBps: Math.round(MADE_BITRATE_BPS * 1.1),
    codec: 'mp4a.40.2',
    channels,
  }
}
