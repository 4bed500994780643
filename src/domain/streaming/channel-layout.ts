/** Maps the channels of a film's audio track to loudspeakers, by the layout that ffprobe names. */
import type { AudioTrack } from '../../vocabulary/media-description.ts'

/** As ffmpeg names them (libavutil/channel_layout.c). */
export const CHANNELS = [
  ...(['FL', 'FR', 'FC', 'LFE', 'BL', 'BR', 'FLC', 'FRC', 'BC', 'SL', 'SR', 'WL', 'WR', 'DL', 'DR', 'SDL', 'SDR', 'LFE2'] as const),
  ...(['TC', 'TFL', 'TFC', 'TFR', 'TSL', 'TSR', 'TBL', 'TBC', 'TBR', 'BFL', 'BFC', 'BFR'] as const),
] as const
export type Channel = (typeof CHANNELS)[number]

/** A type, not an interface, since it travels as JSON. */
export type ChannelLayout = {
  readonly channels: number
  /** In the order of the track; empty if unknown. */
  readonly names: readonly Channel[]
}

/** Channels of ffmpeg's layouts; some layouts from 5.1 to 7.0 share a list. */
const LAYOUTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    mono: 'FC',
    stereo: 'FL+FR',
    downmix: 'DL+DR',
    '2.1': 'FL+FR+LFE',
    '3.0': 'FL+FR+FC',
    '3.0(back)': 'FL+FR+BC',
    '4.0': 'FL+FR+FC+BC',
    quad: 'FL+FR+BL+BR',
    'quad(side)': 'FL+FR+SL+SR',
    '3.1': 'FL+FR+FC+LFE',
    '5.0': 'FL+FR+FC+BL+BR',
    '5.0(side)': 'FL+FR+FC+SL+SR',
    '4.1': 'FL+FR+FC+LFE+BC',
    '5.1': 'FL+FR+FC+LFE+BL+BR',
    '5.1(side)': 'FL+FR+FC+LFE+SL+SR',
    '6.0': 'FL+FR+FC+BC+SL+SR',
    '6.0(front)': 'FL+FR+FLC+FRC+SL+SR',
    '3.1.2': 'FL+FR+FC+LFE+TFL+TFR',
    hexagonal: 'FL+FR+FC+BL+BR+BC',
    '6.1': 'FL+FR+FC+LFE+BC+SL+SR',
    '6.1(back)': 'FL+FR+FC+LFE+BL+BR+BC',
    '6.1(front)': 'FL+FR+LFE+FLC+FRC+SL+SR',
    '7.0': 'FL+FR+FC+BL+BR+SL+SR',
    '7.0(front)': 'FL+FR+FC+FLC+FRC+SL+SR',
    '7.1': 'FL+FR+FC+LFE+BL+BR+SL+SR',
    '7.1(wide)': 'FL+FR+FC+LFE+BL+BR+FLC+FRC',
    '7.1(wide-side)': 'FL+FR+FC+LFE+FLC+FRC+SL+SR',
    '5.1.2': 'FL+FR+FC+LFE+BL+BR+TFL+TFR',
    octagonal: 'FL+FR+FC+BL+BR+BC+SL+SR',
    cube: 'FL+FR+BL+BR+TFL+TFR+TBL+TBR',
    '5.1.4': 'FL+FR+FC+LFE+BL+BR+TFL+TFR+TBL+TBR',
    '7.1.2': 'FL+FR+FC+LFE+BL+BR+SL+SR+TFL+TFR',
    '7.1.4': 'FL+FR+FC+LFE+BL+BR+SL+SR+TFL+TFR+TBL+TBR',
    '7.2.3': 'FL+FR+FC+LFE+BL+BR+SL+SR+TFL+TFR+TBC+LFE2',
    '9.1.4': 'FL+FR+FC+LFE+BL+BR+FLC+FRC+SL+SR+TFL+TFR+TBL+TBR',
    hexadecagonal: 'FL+FR+FC+BL+BR+BC+SL+SR+TFL+TFC+TFR+TBL+TBC+TBR+WL+WR',
    '22.2': 'FL+FR+FC+LFE+BL+BR+FLC+FRC+BC+SL+SR+TC+TFL+TFC+TFR+TBL+TBC+TBR+LFE2+TSL+TSR+BFC+BFL+BFR',
  }),
)
/** Other layouts are listed in brackets: `3 channels (FL+FR+BC)`. */
const LISTED = /^\d+ channels \(([A-Z0-9+]+)\)$/
const MAX_CHANNELS = 64

export function channelLayoutOf({ channels, channelLayout }: Pick<AudioTrack, 'channels' | 'channelLayout'>): ChannelLayout {
  const text = channelLayout ?? ''
  const parts = (LAYOUTS.get(text) ?? LISTED.exec(text)?.[1] ?? '').split('+')
  const names = parts.filter((name): name is Channel => CHANNELS.some((one) => one === name))
  const isKnown = names.length === parts.length && names.length === channels
  return { channels: Math.min(MAX_CHANNELS, Math.max(1, channels)), names: isKnown ? names : [] }
}

/** Default orders if the file names no layout. With three channels none is taken for LFE: it may carry speech. */
const USUAL: Readonly<Record<number, string>> = { 3: '3.0', 4: 'quad', 5: '5.0', 6: '5.1', 7: '6.1', 8: '7.1' }

/** The loudspeaker of each channel; if unknown, left and right alternate. */
export function loudspeakers({ channels, names }: ChannelLayout): readonly Channel[] {
  if (names.length > 0) return names
  const usual = USUAL[channels]
  if (usual) return channelLayoutOf({ channels, channelLayout: usual }).names
  return Array.from({ length: channels }, (_, index) => (index % 2 === 0 ? 'FL' : 'FR'))
}
