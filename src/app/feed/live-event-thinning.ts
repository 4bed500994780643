/**
 * Thinning: a scan tells its progress at most twice a second, and what changes in a movie at one go is told once: as the last change,
 * or by its coming. Figures that change are told once for each user and hour, and of more hours than a few as all of them. By the times of the events, so that it is the same when they are told again.
 */
import type { Told } from './live-event-details.ts'

const PROGRESS_MS = 500

/** `progress`: when each scan's progress was last told, milliseconds; kept by the caller from call to call. */
export function thinned(events: readonly Told[], progress: Map<string, number>): readonly Told[] {
  return withFewHours(withoutRepeats(events)).filter(({ kind, scanId, at }) => {
    if (scanId === undefined) return true
    const atMs = Date.parse(at)
    if (kind !== 'scan.progress') return progress.delete(scanId) || true
    const due = atMs - (progress.get(scanId) ?? 0) >= PROGRESS_MS
    if (due) progress.set(scanId, atMs)
    return due
  })
}

function withoutRepeats(events: readonly Told[]): readonly Told[] {
  const added = new Set(
    events.flatMap(({ kind, audience }) => (kind === 'movie.added' && audience.to === 'movie' ? [audience.movieId] : [])),
  )
  const later = new Set<string>(added)
  const kept = events.toReversed().filter(({ kind, audience }) => {
    if (kind !== 'movie.updated' || audience.to !== 'movie') return true
    const isLast = !later.has(audience.movieId)
    later.add(audience.movieId)
    return isLast
  })
  return kept.reverse()
}

/** An import changes thousands of hours. */
const HOURS_MAX = 24

/** The last change of each user and hour; of a user with too many hours one change, of an hour that is not said. */
function withFewHours(events: readonly Told[]): readonly Told[] {
  const hours = new Map<string, Set<unknown>>()
  const kept = events.toReversed().flatMap((event): readonly Told[] => {
    if (event.kind !== 'analytics.changed' || event.audience.to !== 'player') return [event]
    const { hour = null } = event.payload
    const known = hours.get(event.audience.userId) ?? new Set()
    hours.set(event.audience.userId, known)
    if (known.has(null) || known.has(hour)) return []
    const isFull = known.size >= HOURS_MAX
    known.add(isFull ? null : hour)
    return [isFull ? { ...event, payload: { ...event.payload, hour: null } } : event]
  })
  return kept.reverse()
}
