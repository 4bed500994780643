/** Computes how many viewings ran concurrently, from their starts and ends: exact, without sampling. */

/** Milliseconds since 1970: from inclusive to exclusive. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
  /** Number of concurrent viewings. */
  readonly count: number
}

export interface ConcurrencyPoint {
  readonly atMs: number
  /** Viewings from here to the next point; if points were merged, the maximum. */
  readonly count: number
}

export interface Concurrency {
  readonly points: readonly ConcurrencyPoint[]
  /** The maximum, and when it was first reached. */
  readonly max: ConcurrencyPoint
  /** False: points were merged, since there were more than requested. */
  readonly isExact: boolean
}

interface Range {
  readonly fromMs: number
  readonly toMs: number
}

/** The number changes by this much at this time. */
export interface Change {
  readonly atMs: number
  readonly by: number
}

/** @param most points in the result, at least 1 @param changes of other viewings, as returned by `changesOf` */
export function concurrencyOf(spans: Iterable<Span>, range: Range, most: number, changes: readonly Change[] = []): Concurrency {
  const steps = stepsOf(changes, changesOf(spans, range), range)
  const max = highest(steps)
  if (steps.length > most) return { points: merged(steps, range, most), max, isExact: false }
  return { points: Array.from({ length: steps.length }, (_, place) => pointOf(steps, place)), max, isExact: true }
}

/** In order, with changes at the same time combined; zero changes are dropped. */
export function changesOf(spans: Iterable<Span>, { fromMs, toMs }: Range): readonly Change[] {
  const changes = new Map<number, number>()
  const add = (atMs: number, change: number): void => void changes.set(atMs, (changes.get(atMs) ?? 0) + change)
  for (const span of spans) {
    const begins = Math.max(span.fromMs, fromMs)
    const ends = Math.min(span.toMs, toMs)
    if (begins >= ends) continue
    add(begins, span.count)
    add(ends, -span.count)
  }
  return inOrder(changes)
}

/** The same changes with those of more spans. */
export function changesWith(changes: readonly Change[], spans: Iterable<Span>, range: Range): readonly Change[] {
  const together = new Map(changes.map(({ atMs, by }) => [atMs, by]))
  for (const { atMs, by } of changesOf(spans, range)) together.set(atMs, (together.get(atMs) ?? 0) + by)
  return inOrder(together)
}

const inOrder = (changes: ReadonlyMap<number, number>): readonly Change[] =>
  [...changes]
    .map(([atMs, by]) => ({ atMs, by }))
    .filter(({ by }) => by !== 0)
    .sort((a, b) => a.atMs - b.atMs)

/** Where the number changes: the times and the numbers from there on. There may be a hundred thousand, so they are no objects. */
interface Steps {
  readonly length: number
  readonly times: Float64Array
  readonly counts: Int32Array
}

const pointOf = ({ times, counts }: Steps, place: number): ConcurrencyPoint => ({ atMs: times[place] ?? 0, count: counts[place] ?? 0 })

function highest(steps: Steps): ConcurrencyPoint {
  let most = 0
  for (let place = 1; place < steps.length; place++) if ((steps.counts[place] ?? 0) > (steps.counts[most] ?? 0)) most = place
  return pointOf(steps, most)
}

/** Of two ordered lists: a step at the start of the range, and one wherever the number changes. */
function stepsOf(some: readonly Change[], others: readonly Change[], { fromMs, toMs }: Range): Steps {
  const times = new Float64Array(some.length + others.length + 1)
  const counts = new Int32Array(times.length)
  times[0] = fromMs
  let [length, count, next, other] = [1, 0, 0, 0]
  for (;;) {
    const atMs = Math.min(some[next]?.atMs ?? toMs, others[other]?.atMs ?? toMs)
    if (atMs >= toMs) return { length, times, counts }
    for (let change = some[next]; change?.atMs === atMs; change = some[++next]) count += change.by
    for (let change = others[other]; change?.atMs === atMs; change = others[++other]) count += change.by
    // What one list adds and the other removes at the same time is no change.
    if (atMs === fromMs) counts[0] = count
    else if (counts[length - 1] !== count) {
      times[length] = atMs
      counts[length++] = count
    }
  }
}

/** The maximum in each of the slots of equal length. */
function merged(steps: Steps, { fromMs, toMs }: Range, slots: number): readonly ConcurrencyPoint[] {
  const points: ConcurrencyPoint[] = []
  let place = 0
  let count = 0
  for (let slot = 0; slot < slots; slot++) {
    const atMs = fromMs + Math.floor(((toMs - fromMs) * slot) / slots)
    const endMs = fromMs + Math.floor(((toMs - fromMs) * (slot + 1)) / slots)
    // Viewings in progress at the start of the slot count, unless the number changes at that moment.
    let most = place < steps.length && steps.times[place] === atMs ? 0 : count
    for (; place < steps.length && (steps.times[place] ?? 0) < endMs; place++) {
      count = steps.counts[place] ?? 0
      most = Math.max(most, count)
    }
    points.push({ atMs, count: most })
  }
  return points
}
