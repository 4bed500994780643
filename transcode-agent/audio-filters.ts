/** Filters of ffmpeg that give a film's sound the channels and the loudness that are wanted; none where it has them. */
import { stereoMix, surroundMix, type MixedSpeaker } from '../src/domain/streaming/downmix.ts'
import type { ChannelLayout } from '../src/domain/streaming/channel-layout.ts'

export interface AudioShape {
  /** One, two, or six, which is 5.1. */
  readonly channels: number
  readonly mixedFrom?: ChannelLayout
  readonly gainDb?: number
}

/** What is louder than full scale on the way is none of their business: they count in floating point. */
export function audioFilters({ channels, mixedFrom, gainDb = 0 }: AudioShape): readonly string[] {
  const filters = [
    ...(mixedFrom ? [channels > 2 ? pan('5.1', mixedFrom, surroundMix(mixedFrom)) : pan('stereo', mixedFrom, stereoMix(mixedFrom))] : []),
    ...(gainDb === 0 ? [] : [`volume=${gainDb.toFixed(1)}dB:precision=float`]),
  ]
  return filters.length > 0 ? ['aformat=sample_fmts=fltp', ...filters] : []
}

/** Channels by name where the film names them and `pan` can read it: a stream whose layout changes then keeps those that it still has. */
function pan(layout: 'stereo' | '5.1', { names }: ChannelLayout, mix: readonly MixedSpeaker[]): string {
  const isReadable = !names.includes('LFE2')
  const input = (at: number): string => (isReadable ? names[at] : undefined) ?? `c${at}`
  const speakers = mix.map(({ speaker, levels }) => {
    const heard = levels.flatMap((level, at) => (level > 0 ? [`${level.toFixed(6)}*${input(at)}`] : []))
    return `${speaker}=${heard.length > 0 ? heard.join('+') : `0*${input(0)}`}`
  })
  return `pan=${[layout, ...speakers].join('|')}`
}
