/**
 * Own times: some films give two pictures one time (halved timestamps, doubled ones), or give the last picture of a segment the time
 * of the next one's first. Each picture gets a time of its own, in the order in which they are shown and before the segment ends,
 * with the room up to the next picture shared evenly. Nothing depends on the run that made the pictures.
 */

export interface TimedFrame {
  /** Presentation time in ticks. */
  readonly pts: number
  /** The same as the writer had it, before it was put on a beat: tells the order of pictures that a beat has brought together. */
  readonly told: number
  /** It needs no other. */
  readonly key: boolean
  /** Presentation time less decoding time, as the writer had it: all 0 where pictures are coded in the order in which they are shown. */
  readonly offset?: number
  /** It needs a later one. Undefined where that is not known. */
  readonly isBidirectional?: boolean | undefined
}

export interface DistinctTimesOptions {
  readonly timescale: number
  /** Where the segment ends, in ticks. */
  readonly end: number
  /** Another segment follows there, with a picture; otherwise the film ends there. */
  readonly isJoin: boolean
}

/** Closer than this, two times are one: containers and writers add a tick of their own to what must rise. */
const ONE_TIME_MS = 0.5
/** No picture is moved further from the film's own time. */
const MOST_MOVED_MS = 20

/**
 * Indexes of pictures, which come in coding order, in the order in which they are shown. Of two at one time, the one coded first is
 * shown first, unless it is the later reference of the other: the newest picture so far. Where the pictures do not say which it is,
 * their times do: earlier ones come in between, or pictures are reordered and it is no keyframe.
 */
export function shownOrder(pictures: readonly TimedFrame[]): readonly number[] {
  const ranks: number[] = []
  const isReordered = pictures.some(({ offset = 0 }) => offset !== 0)
  let newest = { pts: -Infinity, mayFollow: false }
  for (const { pts, key, isBidirectional = newest.mayFollow } of pictures) {
    ranks.push(pts === newest.pts && isBidirectional ? 0 : 1)
    if (pts > newest.pts) newest = { pts, mayFollow: isReordered && !key }
    else if (pts < newest.pts) newest.mayFollow = true
  }
  const compare = (a: number, b: number): number => {
    const [one, other] = [pictures[a], pictures[b]]
    if (!one || !other) return 0
    return one.pts - other.pts || one.told - other.told || at(ranks, a) - at(ranks, b) || a - b
  }
  return pictures.map((_, index) => index).toSorted(compare)
}

/** Whether two pictures have one time. */
export const sharesTimes = (pictures: readonly TimedFrame[]): boolean => new Set(pictures.map(({ pts }) => pts)).size < pictures.length

/** Presentation times of pictures in coding order: strictly rising as they are shown; the film's own wherever those do. */
export function distinctTimes(pictures: readonly TimedFrame[], { timescale, end, isJoin }: DistinctTimesOptions): readonly number[] {
  const oneTime = (timescale * ONE_TIME_MS) / 1000
  const most = (timescale * MOST_MOVED_MS) / 1000
  const order = shownOrder(pictures)
  const shown = order.map((index) => pictures[index]?.pts ?? 0)
  const limit = isJoin ? end - oneTime : end
  const isLate = (pts: number, place: number): boolean => place > 0 && pts >= limit
  const groups = groupsOf(
    shown.filter((pts, place) => !isLate(pts, place)),
    oneTime,
  )
  const late = shown.length - groups.reduce((sum, { count }) => sum + count, 0)
  if (late === 0 && groups.length === shown.length) return pictures.map(({ pts }) => pts)
  const lastGroup = groups.at(-1) ?? { from: end, count: 0 }
  const lateStep = late === 0 ? 0 : Math.min((end - lastGroup.from) / (lastGroup.count + late), most / late)
  const times = groups.flatMap((group, index) => spread(group, groups[index + 1]?.from ?? end - lateStep * late, most))
  for (let left = late; left > 0; left--) times.push(Math.round(end - lateStep * left))
  const own: number[] = []
  let before = -Infinity
  for (const [place, index] of order.entries()) own[index] = before = Math.max(at(times, place), before + 1)
  return own
}

interface Group {
  /** The time of its first picture. */
  readonly from: number
  readonly count: number
}

/** Pictures that share a time, each with the one before it. */
function groupsOf(shown: readonly number[], oneTime: number): readonly Group[] {
  const groups: Group[] = []
  shown.forEach((pts, place) => {
    const group = groups.at(-1)
    if (group && pts - at(shown, place - 1) < oneTime) groups[groups.length - 1] = { ...group, count: group.count + 1 }
    else groups.push({ from: pts, count: 1 })
  })
  return groups
}

function spread({ from, count }: Group, until: number, most: number): readonly number[] {
  const step = count === 1 ? 0 : Math.min((until - from) / count, most / (count - 1))
  return Array.from({ length: count }, (_, place) => from + Math.round(step * place))
}

const at = (values: readonly number[], index: number): number => values[index] ?? 0
