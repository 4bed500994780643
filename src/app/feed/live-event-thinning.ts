/**
 * Thins live events out. A scan reports progress at most twice a second. Several changes of a movie in one batch are reported once: as the
 * last change, or as its arrival. Changed figures are reported once per user and hour; with too many hours, as one change of all figures.
 * Uses the times of the events, so that a repetition gives the same result.
 */
import type { DetailedEvent } from './live-event-details.ts'

const PROGRESS_MS = 500
/** More scans than run at once. The end of a scan that nobody listened to is not seen here. */
const SCANS_MAX = 100

/** `progress`: when each scan last reported progress, in milliseconds; the caller keeps the map between calls. */
export function thinned(events: readonly DetailedEvent[], progress: Map<string, number>): readonly DetailedEvent[] {
  return withFewHours(withoutRepeats(events)).filter(({ kind, scanId, at }) => {
    if (scanId === undefined) return true
    const atMs = Date.parse(at)
    if (kind !== 'scan.progress') return progress.delete(scanId) || true
    const due = atMs - (progress.get(scanId) ?? 0) >= PROGRESS_MS
    if (due) note(progress, scanId, atMs)
    return due
  })
}

/** Forgets the scan that reported longest ago if there are too many. */
function note(progress: Map<string, number>, scanId: string, atMs: number): void {
  progress.delete(scanId)
  progress.set(scanId, atMs)
  const [oldest] = progress.keys()
  if (progress.size > SCANS_MAX && oldest !== undefined) progress.delete(oldest)
}

function withoutRepeats(events: readonly DetailedEvent[]): readonly DetailedEvent[] {
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

/** The last change of each user and hour. A user with too many hours gets one change without an hour. */
function withFewHours(events: readonly DetailedEvent[]): readonly DetailedEvent[] {
  const hours = new Map<string, Set<unknown>>()
  const kept = events.toReversed().flatMap((event): readonly DetailedEvent[] => {
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
