/**
 * Downmixes audio to stereo and to 5.1: computes how much of each film channel a loudspeaker gets, so that speech stays clear.
 *
 * Stereo is the two-channel downmix of ITU-R BS.775 (annex 4: fronts 1, centre 0.7071, surrounds 0.7071, no LFE), with two levels replaced
 * by other values that ATSC A/52 allows: the centre, which carries speech, is at 1 (0 dB), the surrounds are at 0.5 (-6 dB). A channel that
 * the target lacks goes to the nearest one that it has. Rear centre channels go to both rear channels at 0.7071, channels above and below
 * at 0.7071. Channels that share a loudspeaker share its power. Finally everything is attenuated together until even full scale in all
 * channels at once does not clip.
 */
import { loudspeakers, type Channel, type ChannelLayout } from './channel-layout.ts'

const SURROUND = ['FL', 'FR', 'FC', 'LFE', 'BL', 'BR'] as const
type Speaker = (typeof SURROUND)[number]

/** A loudspeaker and its level of each channel, in the order of the source. */
export interface MixedSpeaker {
  readonly speaker: Speaker
  readonly levels: readonly number[]
}

const HALF_POWER = Math.SQRT1_2
const CENTRE = 1
const SURROUNDS = 0.5

const both = (left: Speaker, right: Speaker, level: number): Homes[Channel] => [
  [left, level],
  [right, level],
]
type Homes = Readonly<Record<Channel, readonly (readonly [Speaker, number])[]>>
const HOMES: Homes = {
  FL: [['FL', 1]],
  FR: [['FR', 1]],
  FC: [['FC', 1]],
  LFE: [['LFE', 1]],
  BL: [['BL', 1]],
  BR: [['BR', 1]],
  FLC: [['FL', 1]],
  FRC: [['FR', 1]],
  BC: both('BL', 'BR', HALF_POWER),
  SL: [['BL', 1]],
  SR: [['BR', 1]],
  WL: [['FL', 1]],
  WR: [['FR', 1]],
  DL: [['FL', 1]],
  DR: [['FR', 1]],
  SDL: [['BL', 1]],
  SDR: [['BR', 1]],
  LFE2: [['LFE', 1]],
  TC: both('BL', 'BR', 0.5),
  TFL: [['FL', HALF_POWER]],
  TFC: [['FC', HALF_POWER]],
  TFR: [['FR', HALF_POWER]],
  TSL: [['BL', HALF_POWER]],
  TSR: [['BR', HALF_POWER]],
  TBL: [['BL', HALF_POWER]],
  TBC: both('BL', 'BR', 0.5),
  TBR: [['BR', HALF_POWER]],
  BFL: [['FL', HALF_POWER]],
  BFC: [['FC', HALF_POWER]],
  BFR: [['FR', HALF_POWER]],
}

export function stereoMix(source: ChannelLayout): readonly MixedSpeaker[] {
  const channels = loudspeakers(source)
  const [left, right, centre, behindLeft, behindRight] = (['FL', 'FR', 'FC', 'BL', 'BR'] as const).map((one) => sharesOf(one, channels))
  const side = (front: readonly number[] = [], behind: readonly number[] = []): readonly number[] =>
    channels.map((_, at) => (front[at] ?? 0) + CENTRE * (centre?.[at] ?? 0) + SURROUNDS * (behind[at] ?? 0))
  return withoutClipping([
    { speaker: 'FL', levels: side(left, behindLeft) },
    { speaker: 'FR', levels: side(right, behindRight) },
  ])
}

export function surroundMix(source: ChannelLayout): readonly MixedSpeaker[] {
  const channels = loudspeakers(source)
  return withoutClipping(SURROUND.map((speaker) => ({ speaker, levels: sharesOf(speaker, channels) })))
}

/** The share that a 5.1 loudspeaker gets of each channel. */
function sharesOf(speaker: Speaker, channels: readonly Channel[]): readonly number[] {
  const levels = channels.map((channel) => HOMES[channel].find(([home]) => home === speaker)?.[1] ?? 0)
  const power = levels.reduce((sum, level) => sum + level * level, 0)
  return levels.map((level) => level / Math.sqrt(Math.max(1, power)))
}

function withoutClipping(mix: readonly MixedSpeaker[]): readonly MixedSpeaker[] {
  const loudest = Math.max(1, ...mix.map(({ levels }) => levels.reduce((sum, level) => sum + level, 0)))
  return mix.map(({ speaker, levels }) => ({ speaker, levels: levels.map((level) => level / loudest) }))
}
