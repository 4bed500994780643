/** Exports the history as a file: pieces of text, page by page. */
import type { ExportedEntry } from '../../app/history/history.ts'
import { CSV, csvLine, type Cell } from './csv.ts'
import { presentEntry } from './history-presenter.ts'

export type ExportFormat = 'json' | 'csv' | 'trakt'
type Pages = AsyncIterable<readonly ExportedEntry[]>

interface Export {
  readonly type: string
  readonly extension: string
  readonly write: (pages: Pages) => AsyncIterable<string>
}

const JSON_TYPE = 'application/json; charset=utf-8'

export const EXPORTS: Readonly<Record<ExportFormat, Export>> = {
  json: { type: JSON_TYPE, extension: 'json', write: (pages) => arrayOf(pages, presentEntry) },
  csv: { type: CSV, extension: 'csv', write: tableOf },
  trakt: { type: JSON_TYPE, extension: 'trakt.json', write: (pages) => arrayOf(pages, toTrakt) },
}

async function* arrayOf(pages: Pages, show: (entry: ExportedEntry) => object | null): AsyncGenerator<string> {
  let before = '['
  for await (const page of pages) {
    for (const shown of page.map(show)) {
      if (!shown) continue
      yield `${before}\n${JSON.stringify(shown)}`
      before = ','
    }
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

/** An item of Trakt's `GET /users/:id/history/movies`; null: it was not watched to its end. */
function toTrakt({ id, completed, startedAt, endedAt, title, year, externalIds }: ExportedEntry): object | null {
  if (!completed) return null
  const movie = { title, year, ids: { imdb: externalIds.imdb, tmdb: externalIds.tmdb === null ? null : Number(externalIds.tmdb) } }
  return { id, watched_at: endedAt ?? startedAt, action: 'watch', type: 'movie', movie }
}

const HEADER = [
  'id',
  'userId',
  'movieId',
  'title',
  'year',
  'tmdbId',
  'imdbId',
  'startedAt',
  'endedAt',
  'startPosition',
  'endPosition',
  'watchedSeconds',
  'percent',
  'completed',
  'endReason',
  'method',
  'quality',
  'resolution',
  'client',
  'source',
]

async function* tableOf(pages: Pages): AsyncGenerator<string> {
  yield csvLine(HEADER)
  for await (const page of pages) yield page.map((entry) => csvLine(cellsOf(entry))).join('')
}

function cellsOf(entry: ExportedEntry): readonly Cell[] {
  const { id, userId, movie, client, startedAt, endedAt, startPosition, endPosition, ...rest } = presentEntry(entry)
  const { tmdb, imdb } = entry.externalIds
  const { watchedSeconds, percent, completed, endReason, method, quality, resolution, source } = rest
  return [
    id,
    userId,
    movie.id,
    movie.title,
    movie.year,
    tmdb,
    imdb,
    startedAt,
    endedAt,
    startPosition,
    endPosition,
    watchedSeconds,
    percent,
    completed,
    endReason,
    method,
    quality,
    resolution,
    client?.name ?? null,
    source,
  ]
}
