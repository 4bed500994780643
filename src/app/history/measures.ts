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

interface Counted extends Omit<Measure, 'users'> {
  readonly userIds: ReadonlySet<string>
}

export interface Measures<Key> {
  add(key: Key, more: { readonly count: number; readonly sum: number; readonly userId: string }): void
  of(key: Key): Measure
  all(): Iterable<readonly [Key, Measure]>
  keys(): Iterable<Key>
  counted(key: Key): Counted | undefined
}

const NONE: Measure = { plays: 0, watchedMs: 0, users: 0 }

/** @param parts measures that count, too, and that stay as they are */
export function createMeasures<Key>(parts: readonly Pick<Measures<Key>, 'counted' | 'keys'>[] = []): Measures<Key> {
  const own = new Map<Key, { plays: number; watchedMs: number; readonly userIds: Set<string> }>()
  const counted = (key: Key): Counted | undefined => {
    const found = [own.get(key), ...parts.map((part) => part.counted(key))].filter((one) => one !== undefined)
    return found.length > 1 ? together(found) : found[0]
  }
  const measureOf = (key: Key): Measure => {
    const found = counted(key)
    return found ? { plays: found.plays, watchedMs: found.watchedMs, users: found.userIds.size } : NONE
  }
  const keys = () => new Set([own, ...parts].flatMap((part) => [...part.keys()]))
  return {
    add(key, { count, sum, userId }) {
      let measure = own.get(key)
      if (!measure) {
        measure = { plays: 0, watchedMs: 0, userIds: new Set() }
        own.set(key, measure)
      }
      measure.plays += count
      measure.watchedMs += sum
      measure.userIds.add(userId)
    },
    of: measureOf,
    all: () => [...keys()].map((key) => [key, measureOf(key)] as const),
    keys,
    counted,
  }
}

const together = (parts: readonly Counted[]): Counted => ({
  plays: parts.reduce((sum, { plays }) => sum + plays, 0),
  watchedMs: parts.reduce((sum, { watchedMs }) => sum + watchedMs, 0),
  userIds: new Set(parts.flatMap(({ userIds }) => [...userIds])),
})

/** Plays and users as numbers, watched time in seconds. */
export function ofMetric({ plays, watchedMs, users }: Measure = NONE, metric: Metric): number {
  if (metric === 'seconds') return watchedMs / 1000
  return metric === 'users' ? users : plays
}
