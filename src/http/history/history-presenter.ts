/** Presents viewings to clients. */
import type { HistoryEntry } from '../../app/history/history.ts'
import type { TimelineEntry } from '../../domain/history/timeline.ts'
import { percent, seconds } from '../server/values-presenter.ts'
import type { HistoryEntryBody } from './history-schemas.ts'

export function presentEntry(entry: HistoryEntry): HistoryEntryBody {
  const { id, userId, libraryId, startedAt, endedAt, completed, endReason, method, quality, resolution, source } = entry
  return {
    id,
    userId,
    libraryId,
    startedAt,
    endedAt,
    completed,
    endReason,
    method,
    quality,
    resolution,
    source,
    movie: {
      id: entry.movieId,
      title: entry.title,
      year: entry.year,
    },
    startPosition: seconds(entry.startPositionMs),
    endPosition: seconds(entry.positionMs),
    watchedSeconds: seconds(entry.watchedMs),
    percent: entry.durationMs > 0 ? percent(entry.positionMs, entry.durationMs) : entry.completed ? 100 : 0,
    client: clientOf(entry.client),
  }
}

function clientOf(json: string | null): HistoryEntryBody['client'] {
  if (json === null) return null
  const {
    name = null,
    version = null,
    device = null,
    deviceId = null,
  } = JSON.parse(json) as Partial<NonNullable<HistoryEntryBody['client']>>
  return { name, version, device, deviceId }
}

export const presentStep = ({ kind, since, at, fromMs, toMs }: TimelineEntry) => ({
  kind,
  since,
  at,
  from: seconds(fromMs),
  to: seconds(toMs),
})
