/** How many viewings went on at once, from their starts and ends: exact, nothing is sampled. */

/** Milliseconds since 1970: from the first to before the second. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
  /** So many viewings at once. */
  readonly count: number
}

export interface ConcurrencyPoint {
  readonly atMs: number
  /** Viewings from here to the next point; if points were merged, the most there were at once. */
  readonly count: number
}

export interface Concurrency {
  readonly points: readonly ConcurrencyPoint[]
  /** The most at once, and when first. */
  readonly max: ConcurrencyPoint
  /** False: points were merged, since there were more than asked for. */
  readonly isExact: boolean
}

interface Range {
  readonly fromMs: number
  readonly toMs: number
}

/** At this time so many more (or less) than before. */
export interface Change {
  readonly atMs: number
  readonly by: number
}

/** @param most points to give, at least 1 @param changes of other viewings, as `changesOf` gives them */
export function concurrencyOf(spans: Iterable<Span>, range: Range, most: number, changes: readonly Change[] = []): Concurrency {
  const steps = stepsOf(inOrder(changes, changesOf(spans, range)), range)
  const max = steps.reduce((highest, step) => (step.count > highest.count ? step : highest))
  if (steps.length <= most) return { points: steps, max, isExact: true }
  return { points: merged(steps, range, most), max, isExact: false }
}

/** In order, those of one time together; a change of nothing is none. */
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
  const all = [...changes].map(([atMs, by]) => ({ atMs, by }))
  return all.filter(({ by }) => by !== 0).sort((a, b) => a.atMs - b.atMs)
}

/** Of two lists that are in order. */
function* inOrder(some: readonly Change[], others: readonly Change[]): Iterable<Change> {
  let next = 0
  for (const change of some) {
    for (let other = others[next]; other && other.atMs <= change.atMs; other = others[++next]) yield other
    yield change
  }
  yield* others.slice(next)
}

/** One at the start of the range, and one wherever the number changes. */
function stepsOf(changes: Iterable<Change>, { fromMs, toMs }: Range): readonly ConcurrencyPoint[] {
  const steps: { readonly atMs: number; count: number }[] = [{ atMs: fromMs, count: 0 }]
  let count = 0
  for (const { atMs, by } of changes) {
    if (atMs >= toMs) break
    count += by
    const last = steps.at(-1)
    if (last?.atMs === atMs) last.count = count
    else steps.push({ atMs, count })
    // What one list adds and another takes away at the same time is no change.
    const before = steps.at(-2)
    if (before && steps.length > 1 && before.count === count) steps.pop()
  }
  return steps
}

/** The most in each of so many slots of the same length. */
function merged(steps: readonly ConcurrencyPoint[], { fromMs, toMs }: Range, slots: number): readonly ConcurrencyPoint[] {
  const points: ConcurrencyPoint[] = []
  let place = 0
  let count = 0
  for (let slot = 0; slot < slots; slot++) {
    const atMs = fromMs + Math.floor(((toMs - fromMs) * slot) / slots)
    const endMs = fromMs + Math.floor(((toMs - fromMs) * (slot + 1)) / slots)
    // What goes on at the start of the slot counts, unless it changes just then.
    let most = steps[place]?.atMs === atMs ? 0 : count
    for (let step = steps[place]; step && step.atMs < endMs; step = steps[++place]) {
      count = step.count
      most = Math.max(most, count)
    }
    points.push({ atMs, count: most })
  }
  return points
}
