/** Rules for init segments. */
import type { InitFacts } from './init-facts.ts'
import { unless, type Rule } from './rule.ts'

export const INIT_RULES: readonly Rule<InitFacts>[] = [
  {
    source: 'ISO 14496-12, 8.16',
    says: 'an init segment is ftyp and moov, with a brand that has fragments',
    check: ({ types, brands }) => unless(types.join() === 'ftyp,moov' && brands.some((one) => /^(iso[5-9]|cmf)/.test(one)), types.join()),
  },
  {
    source: 'Apple 9.5 to 9.7',
    says: 'video and audio are apart: one track each',
    check: ({ tracks }) => unless(tracks === 1, `${tracks} tracks`),
  },
  {
    source: 'RFC 8216, 3.3',
    says: 'the samples are in fragments: mvex for the track, and nothing in the tables',
    check: ({ trackId, extendsTrack, listedSamples }) =>
      unless(extendsTrack === trackId && listedSamples === 0, `trex of ${extendsTrack}, ${listedSamples} samples`),
  },
  {
    source: 'Marquee',
    says: 'no edit list: one init segment fits whatever run made the segments',
    check: ({ track }) => unless(!track.includes('edts'), track.join()),
  },
  {
    source: 'Marquee',
    says: 'no tags of the film',
    check: ({ movie, track }) => [...movie, ...track].filter((type) => ['udta', 'meta', 'sidx'].includes(type)),
  },
  {
    source: 'Apple 1.10',
    says: 'HEVC is hvc1, AVC is avc1',
    check: ({ entry }) => ['hev1', 'avc3'].filter((type) => type === entry),
  },
  {
    source: 'ISO 14496-12, 8.4.2',
    says: 'a timescale that holds a frame of sound or a tick of the video',
    check: ({ timescale, handler }) => unless(timescale >= (handler === 'soun' ? 7_350 : 1_000), `${timescale}`),
  },
  {
    source: 'Apple 9.2',
    says: 'a frame has a size, sound has channels',
    check: ({ handler, width, height, channels }) =>
      unless(
        handler === 'vide' ? width > 0 && height > 0 : handler === 'soun' && channels > 0,
        `${handler} ${width}x${height}, ${channels}`,
      ),
  },
]
