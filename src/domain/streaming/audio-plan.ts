/**
 * Plans the audio: each track in the forms that the player supports. A copy if the player supports the codec, always stereo AAC, and 5.1
 * AAC if the player supports six channels but not the film's own codec.
 */
import type { ClientCapabilities } from '../../vocabulary/client-capabilities.ts'
import type { AudioTrack, MediaDescription } from '../../vocabulary/media-description.ts'
import type { TrackGain } from '../../vocabulary/stream-options.ts'
import { aacChannels, audioObstacles } from './player-capabilities.ts'
import { containerBps } from './container-rate.ts'
import { copiedAudioForm, audioCopyObstacles, type AudioTimes } from './stream-copy.ts'
import { evenGrid, gridName } from './segment-grid.ts'
import type { AudioRendition } from './rendition.ts'
import { channelLayoutOf } from './channel-layout.ts'
import { qualityName, type AudioForm } from './stream-name.ts'

const SURROUND_CHANNELS = 6
/** Change it with `downmix.ts`: audio of different mixes must not be combined. */
const MIX = 'mix1'
/** Change it with the way in which encoded audio follows its timestamps. */
const CLOCK = 'clock1'
/** By codec. Change one with the header or the times of such copies. */
const COPY_FORMS: Readonly<Record<string, string>> = { 'mp4a.40.5': 'sbr1', Opus: 'toc1' }
/** Stereo and 5.1. */
const MADE_BITRATES_BPS = { aac: 160_000, aac51: 384_000 }
const MADE_SAMPLE_RATE = 48_000
const MADE_FRAME_SAMPLES = 1024
const MADE_CODEC = 'mp4a.40.2'
/** Bit rate per channel of a copied track if the file does not state it. */
const GUESSED_CHANNEL_BPS: Readonly<Record<string, number>> = { flac: 500_000 }
const GUESSED_BPS = 96_000
const COPIED_PEAK = 1.25
const MADE_PEAK = 1.1

export interface PlannedAudio {
  readonly media: MediaDescription
  readonly track: AudioTrack
  readonly index: number
  readonly default: boolean
  readonly times: AudioTimes | undefined
  readonly client: ClientCapabilities
  /** Set if the audio is made louder or quieter. */
  readonly gain: TrackGain | undefined
}

/** Best form first; every player supports the last one. */
export function audioRenditions(planned: PlannedAudio): readonly AudioRendition[] {
  const { media, track, times, client, gain } = planned
  const copies = !gain && audioCopyObstacles(media, track, times).length === 0 && audioObstacles(track, client).length === 0
  if (copies && track.codec === 'aac' && track.channels <= 2) return [copied(planned)]
  const surround = !copies && isSurround(track) && aacChannels(client) >= SURROUND_CHANNELS
  return [
    ...(copies ? [copied(planned)] : []),
    ...(surround ? [made(planned, 'aac51', SURROUND_CHANNELS)] : []),
    made(planned, 'aac', Math.min(2, Math.max(1, track.channels))),
  ]
}

/** Index of the track that plays by default. `wanted`: the one that the player asked for; ignored if the film has no such track. */
export function mainAudio(tracks: readonly Pick<AudioTrack, 'default'>[], wanted?: number): number {
  if (wanted !== undefined && wanted < tracks.length) return wanted
  return Math.max(
    0,
    tracks.findIndex((track) => track.default),
  )
}

function copied(planned: PlannedAudio): AudioRendition {
  const { media, track, times } = planned
  const { codec, frameSamples } = copiedAudioForm(track) ?? { codec: track.codec, frameSamples: null }
  const bitrateBps = track.bitrateBps ?? track.channels * (GUESSED_CHANNEL_BPS[track.codec] ?? GUESSED_BPS)
  const form = COPY_FORMS[codec]
  const rest = common(planned, form === undefined ? ['copy'] : ['copy', form])
  const boxesBps = containerBps(track.sampleRate / (frameSamples ?? MADE_FRAME_SAMPLES), rest.grid)
  return {
    ...rest,
    output: {
      type: 'copy-audio',
      sampleRate: track.sampleRate,
      codec: track.codec,
      frameSamples,
      channels: track.channels,
      adts: track.codec === 'aac' && media.container === 'mpegts',
      anchorMs: times?.audioStartMs ?? 0,
    },
    bitrateBps: bitrateBps + boxesBps,
    peakBitrateBps: Math.round(bitrateBps * COPIED_PEAK) + boxesBps,
    codec,
    channels: track.channels,
  }
}

function made(planned: PlannedAudio, form: 'aac' | 'aac51', channels: number): AudioRendition {
  const { track, gain } = planned
  const bitrateBps = MADE_BITRATES_BPS[form]
  const mix = track.channels > 2 ? { mixedFrom: channelLayoutOf(track) } : {}
  const gainDb = (form === 'aac' ? gain?.stereoDb : gain?.surroundDb) ?? 0
  const raise = gainDb === 0 ? {} : { gainDb }
  const rest = common(planned, [form, CLOCK, ...(track.channels > 2 ? [MIX] : []), ...(gainDb === 0 ? [] : [gainName(gainDb)])])
  const boxesBps = containerBps(MADE_SAMPLE_RATE / MADE_FRAME_SAMPLES, rest.grid)
  return {
    ...rest,
    output: { type: 'encode-audio', channels, bitrateBps, sampleRate: MADE_SAMPLE_RATE, ...mix, ...raise },
    bitrateBps: bitrateBps + boxesBps,
    peakBitrateBps: Math.round(bitrateBps * MADE_PEAK) + boxesBps,
    codec: MADE_CODEC,
    channels,
  }
}

/** In tenths, so that viewers with the same gain share a rendition. */
const gainName = (gainDb: number): string => `${gainDb < 0 ? 'down' : 'up'}${Math.round(Math.abs(gainDb) * 10)}`

/** Whether its channel positions are known. */
const isSurround = (track: AudioTrack): boolean =>
  track.channels >= SURROUND_CHANNELS && (track.channels <= 8 || channelLayoutOf(track).names.length > 0)

function common({ media, track, index, default: standard }: PlannedAudio, [form, ...rest]: readonly [AudioForm, ...string[]]) {
  const grid = evenGrid(media.durationMs)
  return {
    key: ['a' + track.stream, form, ...rest, gridName(grid)].join('-'),
    name: qualityName({ type: 'audio', index, form }),
    form,
    index,
    default: standard,
    language: track.language,
    title: track.title,
    stream: track.stream,
    grid,
  }
}
