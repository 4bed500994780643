/** Counts viewings per key. */

export const METRICS = ['plays', 'seconds', 'users'] as const
export type Metric = (typeof METRICS)[number]

export interface Measure {
  readonly plays: number
  /** Watched time in milliseconds. */
  readonly watchedMs: number
  /** Number of different users. */
  readonly users: number
}

export interface Measures<Key> {
  add(key: Key, more: { readonly count: number; readonly sum: number; readonly userId: string }): void
  of(key: Key): Measure
  all(): Iterable<readonly [Key, Measure]>
}

const NONE: Measure = { plays: 0, watchedMs: 0, users: 0 }

export function createMeasures<Key>(): Measures<Key> {
  const measures = new Map<Key, { plays: number; watchedMs: number; readonly userIds: Set<string> }>()
  const measureOf = (key: Key): Measure => {
    const measure = measures.get(key)
    return measure ? { plays: measure.plays, watchedMs: measure.watchedMs, users: measure.userIds.size } : NONE
  }
  return {
    add(key, { count, sum, userId }) {
      let measure = measures.get(key)
      if (!measure) {
        measure = { plays: 0, watchedMs: 0, userIds: new Set() }
        measures.set(key, measure)
      }
      measure.plays += count
      measure.watchedMs += sum
      measure.userIds.add(userId)
    },
    of: measureOf,
    all: () => [...measures.keys()].map((key) => [key, measureOf(key)] as const),
  }
}

/** Plays and users as numbers, watched time in seconds. */
export function ofMetric({ plays, watchedMs, users }: Measure = NONE, metric: Metric): number {
  if (metric === 'seconds') return watchedMs / 1000
  return metric === 'users' ? users : plays
}
