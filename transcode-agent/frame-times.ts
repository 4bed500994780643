/**
 * Gives each frame a distinct time. Some films give two frames one time (halved or doubled timestamps), or give a segment's last frame the
 * time of the next segment's first. Each frame gets its own time, in display order and before the segment's end; the room up to the next
 * frame is shared evenly. Nothing depends on the run that made the frames.
 */

export interface TimedFrame {
  /** Presentation time in ticks. */
  readonly pts: number
  /** The muxer's time before it was snapped to a beat: decides the order of frames that a beat has brought together. */
  readonly storedPts: number
  /** Depends on no other frame. */
  readonly key: boolean
  /** Presentation time less the muxer's decode time: all 0 if frames are coded in display order. */
  readonly offset?: number
  /** Depends on a later frame. Undefined if unknown. */
  readonly isBidirectional?: boolean | undefined
}

export interface DistinctTimesOptions {
  readonly timescale: number
  /** End of the segment in ticks. */
  readonly end: number
  /** Another segment with a frame follows; otherwise the film ends there. */
  readonly isJoin: boolean
}

/** Times closer than this count as equal: containers and muxers add a tick of their own to keep times rising. */
const ONE_TIME_MS = 0.5
/** No frame moves further than this from the film's own time. */
const MOST_MOVED_MS = 20

/**
 * Indexes of frames, which come in coding order, in display order. Of two frames at one time, the one coded first is shown first, unless it
 * is the later reference of the other, that is, the newest frame so far. If the frames do not show which case applies, their times do:
 * earlier frames come in between, or frames are reordered and this one is not a keyframe.
 */
export function shownOrder(frames: readonly TimedFrame[]): readonly number[] {
  const ranks: number[] = []
  const isReordered = frames.some(({ offset = 0 }) => offset !== 0)
  let newest = { pts: -Infinity, mayFollow: false }
  for (const { pts, key, isBidirectional = newest.mayFollow } of frames) {
    ranks.push(pts === newest.pts && isBidirectional ? 0 : 1)
    if (pts > newest.pts) newest = { pts, mayFollow: isReordered && !key }
    else if (pts < newest.pts) newest.mayFollow = true
  }
  const compare = (a: number, b: number): number => {
    const [one, other] = [frames[a], frames[b]]
    if (!one || !other) return 0
    return one.pts - other.pts || one.storedPts - other.storedPts || at(ranks, a) - at(ranks, b) || a - b
  }
  return frames.map((_, index) => index).toSorted(compare)
}

/** Whether two frames share a time. */
export const sharesTimes = (frames: readonly TimedFrame[]): boolean => new Set(frames.map(({ pts }) => pts)).size < frames.length

/** Presentation times of frames in coding order, strictly rising in display order. The film's own times are kept if they already rise. */
export function distinctTimes(frames: readonly TimedFrame[], { timescale, end, isJoin }: DistinctTimesOptions): readonly number[] {
  const oneTime = (timescale * ONE_TIME_MS) / 1000
  const most = (timescale * MOST_MOVED_MS) / 1000
  const order = shownOrder(frames)
  const shown = order.map((index) => frames[index]?.pts ?? 0)
  const limit = isJoin ? end - oneTime : end
  const isLate = (pts: number, place: number): boolean => place > 0 && pts >= limit
  const groups = groupsOf(
    shown.filter((pts, place) => !isLate(pts, place)),
    oneTime,
  )
  const late = shown.length - groups.reduce((sum, { count }) => sum + count, 0)
  if (late === 0 && groups.length === shown.length) return frames.map(({ pts }) => pts)
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
  /** Time of its first frame. */
  readonly from: number
  readonly count: number
}

/** Groups frames so that each shares its time with the previous one. */
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
