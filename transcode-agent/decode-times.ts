/**
 * Computes decode times of a video segment: none before the segment's start, none after its frame's presentation time, strictly increasing
 * in coding order. So no composition offset is negative, nothing depends on the run that made the frames, and video and audio stay in sync
 * in every player.
 */

/**
 * Start of a segment on its timeline: its first frame. If frames are shown before the first coded one (open GOP), the start is one tick
 * earlier for each frame coded before the first one shown. That leaves room for increasing times.
 */
export function segmentStart(pts: readonly number[]): number {
  const first = pts.reduce((least, value, index) => (value < at(pts, least) ? index : least), 0)
  return at(pts, first) - first
}

/**
 * Decode times for presentation times in coding order. `start` is the start of the segment, `end` the start of the next one. Durations are
 * the differences; the last one runs to `end`. No frame's time and duration reach past `end`. The times are as regular as the presentation
 * times, except for the first few and the last.
 */
export function decodeTimes(pts: readonly number[], start: number, end: number): readonly number[] {
  const wanted = wantedTimes(pts, start)
  const times = [...wanted]
  let latest = Infinity
  for (let index = pts.length - 1; index >= 0; index--) {
    const shown = at(pts, index)
    const next = index + 1 < pts.length ? at(times, index + 1) : end
    latest = Math.min(latest, shown)
    times[index] = Math.min(Math.max(at(wanted, index), next - (end - shown)), latest, next - 1)
  }
  times[0] = start
  // A film whose first frame comes late has time to fill before it: no frame takes more of it than it can show.
  for (let index = 1; index < times.length; index++) {
    times[index] = Math.min(at(times, index), at(times, index - 1) + Math.max(1, end - at(pts, index - 1)))
  }
  // Timestamps closer than a tick, or duplicate ones, leave no room: a decode time then goes past its frame's presentation time.
  for (let index = 1; index < times.length; index++) times[index] = Math.max(at(times, index), at(times, index - 1) + 1)
  return times
}

/**
 * The presentation times in order, less the largest reordering delay: the times an encoder would write. The first few, which would come
 * before the start, stand close together after the first frame's time. Readers that guess the frame rate from decode times then still find
 * the true one.
 */
function wantedTimes(pts: readonly number[], start: number): readonly number[] {
  const shown = [...pts].sort((a, b) => a - b)
  const delay = shown.reduce((most, value, index) => Math.max(most, value - at(pts, index)), 0)
  const first = Math.max(start, at(shown, 0))
  return shown.map((value, index) => Math.max(value - delay, first + index))
}

const at = (values: readonly number[], index: number): number => values[index] ?? 0
