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
  const steps = stepsOf(inOrder(changes, changesOf(spans, range)), range)
  const max = steps.reduce((highest, step) => (step.count > highest.count ? step : highest))
  if (steps.length <= most) return { points: steps, max, isExact: true }
  return { points: merged(steps, range, most), max, isExact: false }
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
  const all = [...changes].map(([atMs, by]) => ({ atMs, by }))
  return all.filter(({ by }) => by !== 0).sort((a, b) => a.atMs - b.atMs)
}

/** Merges two ordered lists. */
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
    // Changes of two lists may cancel each other out.
    const before = steps.at(-2)
    if (before && steps.length > 1 && before.count === count) steps.pop()
  }
  return steps
}

/** The maximum in each of the slots of equal length. */
function merged(steps: readonly ConcurrencyPoint[], { fromMs, toMs }: Range, slots: number): readonly ConcurrencyPoint[] {
  const points: ConcurrencyPoint[] = []
  let place = 0
  let count = 0
  for (let slot = 0; slot < slots; slot++) {
    const atMs = fromMs + Math.floor(((toMs - fromMs) * slot) / slots)
    const endMs = fromMs + Math.floor(((toMs - fromMs) * (slot + 1)) / slots)
    // Viewings in progress at the start of the slot count, unless the number changes at that moment.
    let most = steps[place]?.atMs === atMs ? 0 : count
    for (let step = steps[place]; step && step.atMs < endMs; step = steps[++place]) {
      count = step.count
      most = Math.max(most, count)
    }
    points.push({ atMs, count: most })
  }
  return points
}
