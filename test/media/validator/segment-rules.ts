/** Rules for the media segments of one rendition, in order. */
import type { SegmentTable, TableSample } from '../../fixtures/segment-table.ts'
import { frameOf, isVideo, nalTypes, shownOf } from './measures.ts'
import { unless, type Rule } from './rule.ts'
import type { ServedRendition } from './served.ts'

/** One finding for each segment that violates the condition. */
const each = (rendition: ServedRendition, says: (table: SegmentTable, segment: number) => string | undefined): readonly string[] =>
  rendition.segments.flatMap((table, segment) => {
    const found = says(table, segment)
    return found === undefined ? [] : [`segment ${segment}: ${found}`]
  })

const unlessEach = (
  rendition: ServedRendition,
  holds: (table: SegmentTable, segment: number) => boolean,
  tell: (table: SegmentTable) => string,
) => each(rendition, (table, segment) => (holds(table, segment) ? undefined : tell(table)))

export const SEGMENT_RULES: readonly Rule<ServedRendition>[] = [
  {
    source: 'ISO 14496-12, 8.16.2',
    says: 'a segment is styp, moof, mdat, counted from its moof, of the track that the init segment has',
    check: (rendition) =>
      unlessEach(
        rendition,
        ({ types, track, baseIsMoof }) => types.join() === 'styp,moof,mdat' && track === rendition.init.trackId && baseIsMoof,
        ({ types, track }) => `${types.join()} of track ${track}`,
      ),
  },
  {
    source: 'ISO 14496-12, 8.8.5',
    says: 'sequence numbers rise',
    check: (rendition) =>
      unlessEach(
        rendition,
        ({ sequence }, segment) => segment === 0 || sequence > (rendition.segments[segment - 1]?.sequence ?? 0),
        ({ sequence }) => `${sequence}`,
      ),
  },
  {
    source: 'Apple 7.1',
    says: 'no segment is empty',
    check: (rendition) =>
      unlessEach(
        rendition,
        ({ samples }) => samples.length > 0 && samples.every(({ bytes }) => bytes.length > 0),
        () => 'is empty',
      ),
  },
  {
    source: 'Apple 7.3',
    says: 'tfdt is the one before plus its durations',
    check: (rendition) =>
      each(rendition, ({ start }, segment) => {
        const before = rendition.segments[segment - 1]
        return before && before.end !== start ? `begins at ${start}, the one before ends at ${before.end}` : undefined
      }),
  },
  {
    source: 'Marquee',
    says: 'durations are above zero, the last one of a segment too, and no time is negative',
    check: (rendition) =>
      unlessEach(
        rendition,
        ({ samples, start }) => start >= 0 && samples.every(({ duration }) => duration > 0 && duration < 2 ** 31),
        ({ samples }) => samples.map(({ duration }) => duration).join(),
      ),
  },
  {
    source: 'Marquee',
    says: 'no frame twice: what is shown in a segment comes after all that was shown before',
    check: (rendition) => {
      let latest = -Infinity
      return each(rendition, ({ samples }) => {
        const shown = samples.map(({ pts }) => pts).toSorted((a, b) => a - b)
        const fault = shown.find((pts, index) => pts <= (shown[index - 1] ?? latest))
        latest = shown.at(-1) ?? latest
        return fault === undefined ? undefined : `${fault} is shown twice, or after ${latest}`
      })
    },
  },
]

export const VIDEO_RULES: readonly Rule<ServedRendition>[] = [
  {
    source: 'Apple 7.4',
    says: 'a segment begins with a sync sample, which holds a frame that needs no other',
    check: (rendition) =>
      each(rendition, ({ samples: [first] }) => {
        if (!first?.key) return 'begins with no sync sample'
        const types = nalTypes(rendition, first)
        return isRandomAccess(rendition, types) ? undefined : `begins with NAL units ${types.join()}`
      }),
  },
  {
    source: 'Marquee',
    says: 'squeezed: no offset is negative, decode times lie between the segment start and the own time, and rise',
    check: (rendition) =>
      each(rendition, ({ samples, start }) => {
        const fault = samples.find(({ dts, pts }, index) => dts < start || dts > pts || dts <= (samples[index - 1]?.dts ?? -1))
        return fault && `dts ${fault.dts}, pts ${fault.pts}, start ${start}`
      }),
  },
  {
    source: 'Marquee',
    says: 'a segment begins with the first frame shown, but for a tick for each frame that one in open groups needs; the first at 0',
    check: (rendition) =>
      each(rendition, ({ samples, start }, segment) => {
        const first = samples.reduce((least, { pts }) => Math.min(least, pts), Infinity)
        const before = samples.findIndex(({ pts }) => pts === first)
        return start === (segment === 0 ? 0 : first - before) ? undefined : `begins at ${start}, shows from ${first}`
      }),
  },
  {
    source: 'Marquee',
    says: 'no frame outlasts its segment, and the last one shown leaves no more than a frame',
    check: (rendition) =>
      each(rendition, ({ samples, start, end }, segment) => {
        const over = samples.find(({ pts, duration }) => pts + duration > end)
        const hasRoom = samples.reduce((room, { pts }) => room + end - pts, start) >= end
        if (over && hasRoom) return `${over.pts} + ${over.duration} of ${end}`
        // The film's last frame may be coded before others, which leaves it no long duration: then one of those lasts to the end.
        const isLast = segment === rendition.segments.length - 1
        const last = samples.toSorted((a, b) => rank(a, isLast) - rank(b, isLast)).at(-1)
        if (!last) return undefined
        const left = end - last.pts - last.duration
        return left <= frameOf(rendition) + 1 ? undefined : `the last frame leaves ${left} of ${frameOf(rendition)}`
      }),
  },
]

const rank = ({ pts, duration }: TableSample, byEnd: boolean): number => (byEnd ? pts + duration : pts)

function isRandomAccess({ init }: ServedRendition, types: readonly number[]): boolean {
  if (init.entry === 'hvc1') return types.some((type) => type >= 16 && type <= 21)
  // An open group starts with a frame of I slices after a recovery point (SEI); an IDR is identified by its type.
  if (init.entry === 'avc1') return types.includes(5) || types.includes(6) || types.includes(1)
  return true
}

const tell = (samples: readonly TableSample[]): string => samples.map(({ pts, duration }) => `${duration} at ${pts}`).join()

export const AUDIO_RULES: readonly Rule<ServedRendition>[] = [
  {
    source: 'Marquee',
    says: 'frames of sound lie next to each other, give or take the clock of the film, but where sound begins and ends',
    check: (rendition) => {
      const samples = rendition.segments.flatMap((table) => table.samples)
      const frame = samples.reduce((sum, { duration }) => sum + duration, 0) / samples.length
      const odd = samples.filter(({ duration }) => duration < frame * 0.5 || duration > frame * 1.5)
      return unless(odd.length <= 2, `${odd.length} frames are not ${frame} long: ${tell(odd.slice(0, 5))}`)
    },
  },
  {
    source: 'Marquee',
    says: 'sound begins with the film, give or take a frame',
    check: (rendition) => {
      const [first] = shownOf(rendition)
      return unless(first !== undefined && first.pts >= 0 && first.pts < frameOf(rendition), `it begins at ${first?.pts}`)
    },
  },
]

export const rulesFor = (rendition: ServedRendition): readonly Rule<ServedRendition>[] => [
  ...SEGMENT_RULES,
  ...(isVideo(rendition) ? VIDEO_RULES : AUDIO_RULES),
]
