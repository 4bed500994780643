/** Rules for claims of independent segments, compared with the starts of the segments. */
import type { TableSample } from '../../fixtures/segment-table.ts'
import { isVideo, nalTypes } from './measures.ts'
import { valueOf, type MediaText, type MasterText } from './playlist-text.ts'
import { unless, type Rule } from './rule.ts'
import type { Served, ServedIframes, ServedRendition } from './served.ts'

const IDR = { avc1: [5], hvc1: [17, 18, 19, 20] } as const
const CRA = new Set([16, 21])
const claims = (text: MediaText | MasterText): boolean => valueOf(text, 'EXT-X-INDEPENDENT-SEGMENTS') !== undefined

/** Whether a whole segment can be decoded without another one. */
function isIndependent(rendition: ServedRendition, samples: readonly TableSample[]): boolean {
  const [first] = samples
  const { entry } = rendition.init
  if (!first?.key) return false
  if (entry !== 'avc1' && entry !== 'hvc1') return true
  const types = nalTypes(rendition, first)
  if (types.some((type) => IDR[entry].some((idr) => idr === type))) return true
  return entry === 'hvc1' && types.some((type) => CRA.has(type)) && samples.every(({ pts }) => pts >= first.pts)
}

/** Whether a frame has only intra slices. */
function standsAlone({ init }: ServedRendition, { bytes }: TableSample): boolean {
  for (let at = 0; at + 5 < bytes.length; at += 4 + bytes.readUInt32BE(at)) {
    const [header = 0, next = 0] = [bytes[at + 4], bytes[at + 5]]
    const type = init.entry === 'avc1' ? header & 31 : (header >> 1) & 63
    if (init.entry === 'hvc1' && type < 32) return type >= 16 && type <= 21
    if (init.entry === 'avc1' && type === 5) return true
    // first_mb_in_slice 0 and slice_type 7 or 2, as Exp-Golomb codes.
    if (init.entry === 'avc1' && type === 1) return next === 0x88 || next >> 4 === 0xb
  }
  return init.entry !== 'avc1' && init.entry !== 'hvc1'
}

export const INDEPENDENCE_RULES: readonly Rule<Served>[] = [
  {
    source: 'Apple 9.11; RFC 8216, 4.3.5.1',
    says: 'EXT-X-INDEPENDENT-SEGMENTS, if and only if every segment of the playlist, or of all that the master names, is independent',
    check: ({ master, renditions }) => {
      const said = renditions.map((rendition) => ({
        rendition,
        first: isVideo(rendition) ? rendition.segments.findIndex(({ samples }) => !isIndependent(rendition, samples)) : -1,
      }))
      return [
        ...said.flatMap(({ rendition: { name, playlist }, first }) =>
          unless(claims(playlist) === (first === -1), `${name}: ${claims(playlist) ? `segment ${first} is not` : 'it is not there'}`),
        ),
        ...unless(claims(master) === said.every(({ first }) => first === -1), claims(master) ? 'is there' : 'is not there'),
      ]
    },
  },
]

export const STANDING_RULES: readonly Rule<ServedIframes>[] = [
  {
    source: 'RFC 8216, 4.3.3.6',
    says: 'a frame of an I-frame playlist needs no other',
    check: ({ rendition }) => {
      const needy = rendition.segments.findIndex(({ samples: [first] }) => !first || !standsAlone(rendition, first))
      return unless(needy === -1, `${needy} does`)
    },
  },
]
