/** Rules that compare the playlists' claims with the renditions. */
import { averageBps, greatestExtinfError, isVideo, longestFrameOf, peakBps, shownOf } from './measures.ts'
import { quotedIn, valueOf, type Attributes, type Variant } from './playlist-text.ts'
import { unless, type Rule } from './rule.ts'
import type { Served, ServedRendition } from './served.ts'

const nameOf = (uri: string): string => uri.split('/')[0] ?? ''
/** A clock of milliseconds is off by up to half of one at either end. */
const ROUNDING_SECONDS = 0.0015

/** Codec strings name SBR even if the configuration does not signal it (RFC 6381, 3.3; Apple's list names HE-AAC so). */
const codecOf = ({ init }: ServedRendition): string => (init.hiddenSbr ? 'mp4a.40.5' : init.codec.toLowerCase())

interface Mine {
  readonly variant: Variant
  readonly video: ServedRendition
  /** Audio of the variant's group, each with its attributes in the master. */
  readonly audios: readonly { readonly said: Attributes; readonly audio: ServedRendition }[]
}

function eachVariant({ master, renditions }: Served, says: (mine: Mine) => readonly string[]): readonly string[] {
  const named = (uri: string) => renditions.find(({ name }) => name === nameOf(uri))
  return master.variants.flatMap((variant) => {
    const video = named(variant.uri)
    const group = quotedIn(variant.attributes, 'AUDIO')
    const audios = master.media
      .filter((one) => one.get('TYPE') === 'AUDIO' && quotedIn(one, 'GROUP-ID') === group)
      .flatMap((said) => {
        const audio = named(quotedIn(said, 'URI') ?? '')
        return audio ? [{ said, audio }] : []
      })
    return video ? says({ variant, video, audios }).map((found) => `${video.name}: ${found}`) : []
  })
}

const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0)
/** RANGE by transfer characteristics; all others are SDR. */
const RANGES: Readonly<Record<number, string>> = { 16: 'PQ', 18: 'HLG' }

const frameSeconds = (rendition: ServedRendition): number => longestFrameOf(rendition) / rendition.init.timescale

export const SERVED_RULES: readonly Rule<Served>[] = [
  {
    source: 'Apple 8.1',
    says: 'the sum of EXTINF of any neighbours is within one frame of what they last',
    check: ({ renditions }) => {
      const video = most(renditions.filter(isVideo).map(frameSeconds))
      return renditions.flatMap((one) => {
        const allowed = Math.max(frameSeconds(one), isVideo(one) ? 0 : video) + ROUNDING_SECONDS
        const error = greatestExtinfError(one)
        return unless(error < allowed, `${one.name}: ${(error * 1000).toFixed(1)} ms with frames of ${(allowed * 1000).toFixed(1)}`)
      })
    },
  },
  {
    source: 'RFC 8216, 6.2.4',
    says: 'all playlists of video and audio have the same TARGETDURATION',
    check: ({ renditions }) => {
      const targets = new Set(renditions.map(({ playlist }) => valueOf(playlist, 'EXT-X-TARGETDURATION')))
      return unless(targets.size <= 1, [...targets].join())
    },
  },
  {
    source: 'Apple 8.2',
    says: 'video and audio last as long as each other',
    check: ({ renditions }) => {
      const lengths = renditions.map(({ playlist }) => playlist.segments.reduce((sum, { seconds }) => sum + seconds, 0))
      return unless(Math.max(...lengths) - Math.min(...lengths) < 0.001, lengths.join())
    },
  },
  {
    source: 'RFC 8216, 4.3.4.2',
    says: 'BANDWIDTH is at least the peak of video and audio together',
    check: (served) =>
      eachVariant(served, ({ variant, video, audios }) => {
        const peak = Math.ceil(peakBps(video) + most(audios.map(({ audio }) => peakBps(audio))))
        return unless(Number(variant.attributes.get('BANDWIDTH')) >= peak, `${variant.attributes.get('BANDWIDTH')} of ${peak}`)
      }),
  },
  {
    source: 'RFC 8216, 4.3.4.2',
    says: 'AVERAGE-BANDWIDTH is at least the average of video and audio together, give or take a tenth',
    check: (served) =>
      eachVariant(served, ({ variant, video, audios }) => {
        const average = Math.ceil(averageBps(video) + most(audios.map(({ audio }) => averageBps(audio))))
        const said = Number(variant.attributes.get('AVERAGE-BANDWIDTH'))
        return unless(said * 1.1 >= average, `${said} of ${average}`)
      }),
  },
  {
    source: 'RFC 6381',
    says: 'CODECS are those of the bytes, of the video and of every audio of the group',
    check: (served) =>
      eachVariant(served, ({ variant, video, audios }) => {
        const said = (quotedIn(variant.attributes, 'CODECS') ?? '').toLowerCase().split(',').sort().join()
        const real = [...new Set([video, ...audios.map(({ audio }) => audio)].map(codecOf))].sort().join()
        return unless(said === real, `${said}, but the bytes are ${real}`)
      }),
  },
  {
    source: 'Apple 9.2',
    says: 'RESOLUTION is the size that is shown',
    check: (served) =>
      eachVariant(served, ({ variant, video: { init } }) => {
        const [width = 0, height = 0] = (variant.attributes.get('RESOLUTION') ?? '').split('x').map(Number)
        return unless(
          Math.abs(width - init.width) <= 1 && Math.abs(height - init.height) <= 1,
          `${width}x${height} of ${init.width}x${init.height}`,
        )
      }),
  },
  {
    source: 'Apple 9.15',
    says: 'FRAME-RATE is the rate that is shown, or the most of a variable one',
    check: (served) =>
      eachVariant(served, ({ variant, video }) => {
        const shown = shownOf(video)
        const span = ((shown.at(-1)?.pts ?? 0) - (shown[0]?.pts ?? 0)) / video.init.timescale
        const real = (shown.length - 1) / span
        return unless(
          shown.length < 3 || Number(variant.attributes.get('FRAME-RATE')) > real * 0.99,
          `${variant.attributes.get('FRAME-RATE')} of ${real}`,
        )
      }),
  },
  {
    source: 'Apple 9.16',
    says: 'VIDEO-RANGE is that of the transfer characteristics',
    check: (served) =>
      eachVariant(served, ({ variant, video: { init } }) => {
        const real = RANGES[init.transfer ?? 1] ?? 'SDR'
        return unless(
          init.transfer === undefined || variant.attributes.get('VIDEO-RANGE') === real,
          `${variant.attributes.get('VIDEO-RANGE')} of ${real}`,
        )
      }),
  },
  {
    source: 'RFC 8216, 4.3.4.1',
    says: 'CHANNELS are those of the sound',
    check: (served) =>
      eachVariant(served, ({ audios }) =>
        audios.flatMap(({ said, audio }) => {
          const channels = Number(quotedIn(said, 'CHANNELS')?.split('/')[0])
          return unless(channels === audio.init.channels, `${audio.name} has ${audio.init.channels}, not ${channels}`)
        }),
      ),
  },
  {
    source: 'Apple 9.5 to 9.7',
    says: 'a variant is video, its group is audio',
    check: (served) =>
      eachVariant(served, ({ video, audios }) => unless(isVideo(video) && !audios.some(({ audio }) => isVideo(audio)), 'mixed')),
  },
]
