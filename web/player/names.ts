/** How tracks and qualities are called. */
import { locale } from '../words/locale.ts'
import { say } from '../words/words.ts'
import type { Session } from './engine.ts'
import type { SubtitleOption } from './tracks.ts'

type AudioTrack = Session['audio'][number]
type Quality = Session['qualities'][number]

export function languageName(tag: string | null): string {
  if (tag === null || tag === 'und') return say('player.language.unknown')
  try {
    const name = new Intl.DisplayNames([locale()], { type: 'language' }).of(tag) ?? tag
    return name.slice(0, 1).toLocaleUpperCase(locale()) + name.slice(1)
  } catch {
    return tag
  }
}

const CHANNELS: Readonly<Record<number, string>> = { 1: 'Mono', 2: 'Stereo', 6: '5.1', 7: '6.1', 8: '7.1' }
const CODECS: Readonly<Record<string, string>> = {
  aac: 'AAC',
  ac3: 'Dolby Digital',
  eac3: 'Dolby Digital Plus',
  dts: 'DTS',
  truehd: 'TrueHD',
  flac: 'FLAC',
  opus: 'Opus',
  mp3: 'MP3',
  vorbis: 'Vorbis',
}

export const audioName = ({ language }: AudioTrack): string => languageName(language)
export const audioDetail = ({ codec, channels }: AudioTrack): string =>
  `${CODECS[codec] ?? codec.toUpperCase()} · ${CHANNELS[channels] ?? channels}`

export const subtitleName = ({ language }: SubtitleOption): string => languageName(language)

/** Many tracks are called as their language, which is said already. */
export const subtitleDetail = ({ title, language, forced, isBurnt }: SubtitleOption): string =>
  [
    title === languageName(language) ? '' : (title ?? ''),
    forced ? say('player.subtitles.forced') : '',
    isBurnt ? say('player.subtitles.burnt') : '',
  ]
    .filter((part) => part !== '')
    .join(' · ')

export const qualityName = ({ name, height }: Quality): string =>
  name === 'original' ? say('player.quality.original', { height }) : `${height}p`

export const bitrateText = (bps: number): string =>
  `${(bps / 1_000_000).toLocaleString(locale(), { maximumFractionDigits: bps < 10_000_000 ? 1 : 0 })} Mbit/s`
