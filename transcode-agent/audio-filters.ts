/** Builds the ffmpeg filters that give a film's audio the wanted channels and loudness; none if it already has them. */
import { stereoMix, surroundMix, type MixedSpeaker } from '../src/domain/streaming/downmix.ts'
import type { ChannelLayout } from '../src/domain/streaming/channel-layout.ts'

export interface AudioShape {
  /** One, two, or six, which is 5.1. */
  readonly channels: number
  readonly mixedFrom?: ChannelLayout
  readonly gainDb?: number
}

/** Peaks above full scale between the filters do no harm: they compute in floating point. */
export function audioFilters({ channels, mixedFrom, gainDb = 0 }: AudioShape): readonly string[] {
  const filters = [
    ...(mixedFrom ? [channels > 2 ? pan('5.1', mixedFrom, surroundMix(mixedFrom)) : pan('stereo', mixedFrom, stereoMix(mixedFrom))] : []),
    ...(gainDb === 0 ? [] : [`volume=${gainDb.toFixed(1)}dB:precision=float`]),
  ]
  return filters.length > 0 ? ['aformat=sample_fmts=fltp', ...filters] : []
}

/**
 * Names channels if the film names them and `pan` can parse the names: a stream whose layout changes then keeps the channels it still has.
 */
function pan(layout: 'stereo' | '5.1', { names }: ChannelLayout, mix: readonly MixedSpeaker[]): string {
  const isReadable = !names.includes('LFE2')
  const input = (at: number): string => (isReadable ? names[at] : undefined) ?? `c${at}`
  const speakers = mix.map(({ speaker, levels }) => {
    const heard = levels.flatMap((level, at) => (level > 0 ? [`${level.toFixed(6)}*${input(at)}`] : []))
    return `${speaker}=${heard.length > 0 ? heard.join('+') : `0*${input(0)}`}`
  })
  return `pan=${[layout, ...speakers].join('|')}`
}
