/**
 * Decode times of a video segment, "squeezed": none before the segment's start, none after its picture's own time, strictly
 * rising in coding order. So no composition offset is negative, nothing depends on the run that made the pictures, and every
 * player has picture and sound together.
 */

/**
 * Where a segment begins on its timeline: with its first picture. Where pictures lead the first coded one (open GOP), one tick
 * earlier for each picture coded before the first one shown, so that there is room for rising times.
 */
export function segmentStart(pts: readonly number[]): number {
  const first = pts.reduce((least, value, index) => (value < at(pts, least) ? index : least), 0)
  return at(pts, first) - first
}

/**
 * Decode times for presentation times in coding order. `start` is where the segment begins, `end` where the next one does.
 * Durations are the differences; the last one runs to `end`. No picture's time and duration reach past `end`, and the times are
 * as regular as the pictures', but for the first few and the last.
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
  // A film whose first picture comes late has time to fill before it: no picture takes more of it than it can show.
  for (let index = 1; index < times.length; index++) {
    times[index] = Math.min(at(times, index), at(times, index - 1) + Math.max(1, end - at(pts, index - 1)))
  }
  // Timestamps that lie closer than a tick, or twice the same one, leave no room: then a time goes past its picture's.
  for (let index = 1; index < times.length; index++) times[index] = Math.max(at(times, index), at(times, index - 1) + 1)
  return times
}

/**
 * The presentation times in order, less the greatest delay of reordering: what an encoder would write. The first few, which would
 * come before the start, stand close together after the first picture's time, so that readers who guess the frame rate from
 * decode times still find the true one.
 */
function wantedTimes(pts: readonly number[], start: number): readonly number[] {
  const shown = [...pts].sort((a, b) => a - b)
  const delay = shown.reduce((most, value, index) => Math.max(most, value - at(pts, index)), 0)
  const first = Math.max(start, at(shown, 0))
  return shown.map((value, index) => Math.max(value - delay, first + index))
}

const at = (values: readonly number[], index: number): number => values[index] ?? 0
