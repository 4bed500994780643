/** Rules for I-frame playlists and their frames, compared with their renditions. */
import { segmentTable } from '../../fixtures/segment-table.ts'
import { quotedIn, valueOf, type MediaText } from './playlist-text.ts'
import { unless, type Rule } from './rule.ts'
import type { Served, ServedIframes } from './served.ts'

/** Without its token, which contains its expiry to the second. */
const mapOf = ({ map }: MediaText): string | undefined => map?.get('URI')?.replace(/\?token=[^"]*/, '')

export const IFRAME_MASTER_RULES: readonly Rule<Served>[] = [
  {
    source: 'Apple 6.1',
    says: 'there is an I-frame playlist for trick play',
    check: ({ iframes }) => unless(iframes.length > 0, 'none is named'),
  },
  {
    source: 'RFC 8216, 4.3.4.3',
    says: 'BANDWIDTH is at least the peak of the frames; CODECS, RESOLUTION and VIDEO-RANGE are those of the variant',
    check: ({ master, iframes }) =>
      iframes.flatMap(({ rendition: { name }, said, playlist, bytes }) => {
        const peak = Math.max(...bytes.map(({ byteLength }, index) => (byteLength * 8) / (playlist.segments[index]?.seconds ?? 0)))
        const variant = master.variants.find(({ uri }) => uri.startsWith(`${name}/`))?.attributes ?? new Map<string, string>()
        const codecs = (quotedIn(variant, 'CODECS') ?? '').split(',')
        return [
          ...unless(Number(said.get('BANDWIDTH')) >= peak, `${name}: ${said.get('BANDWIDTH')} of ${Math.ceil(peak)}`),
          ...unless(codecs.includes(quotedIn(said, 'CODECS') ?? 'none'), `${name}: ${said.get('CODECS')} of ${codecs.join()}`),
          ...['RESOLUTION', 'VIDEO-RANGE']
            .filter((key) => said.get(key) !== variant.get(key))
            .map((key) => `${name}: ${key} ${said.get(key)} of ${variant.get(key)}`),
        ]
      }),
  },
]

export const IFRAME_RULES: readonly Rule<ServedIframes>[] = [
  {
    source: 'RFC 8216, 4.3.3.6',
    says: 'EXT-X-I-FRAMES-ONLY',
    check: ({ playlist }) => unless(valueOf(playlist, 'EXT-X-I-FRAMES-ONLY') !== undefined, 'is not there'),
  },
  {
    source: 'Marquee',
    says: 'a frame for each segment, shown as long as that, with the same init segment and target',
    check: ({ playlist, rendition }) => [
      ...unless(
        playlist.segments.map(({ seconds }) => seconds).join() === rendition.playlist.segments.map(({ seconds }) => seconds).join(),
        'other lengths',
      ),
      ...unless(mapOf(playlist) !== undefined && mapOf(playlist) === mapOf(rendition.playlist), `${mapOf(playlist)}`),
      ...['EXT-X-TARGETDURATION']
        .filter((name) => valueOf(playlist, name) !== valueOf(rendition.playlist, name))
        .map((name) => `${name} ${valueOf(playlist, name)}`),
    ],
  },
  {
    source: 'ISO 14496-12, 8.8',
    says: "a frame is styp, moof, mdat with the segment's first sample, from the segment's start to its end",
    check: ({ bytes, rendition }) =>
      bytes.flatMap((one, segment) => {
        const { types, start, end, samples } = segmentTable(one)
        const of = rendition.segments[segment]
        const [sample, ...others] = samples
        const isFirst = sample !== undefined && of?.samples[0] !== undefined && sample.bytes.equals(of.samples[0].bytes)
        return [
          ...unless(types.join() === 'styp,moof,mdat', `${segment}: ${types.join()}`),
          ...unless(start === of?.start && end === of.end, `${segment}: ${start} to ${end} of ${of?.start} to ${of?.end}`),
          ...unless(isFirst && others.length === 0, `${segment}: ${samples.length} samples`),
          ...unless(sample?.key === true && sample.pts === start, `${segment}: at ${sample?.pts}`),
        ]
      }),
  },
]
