/** Schemas of history imports. */
import { Type, type Static } from 'typebox'
import type { ImportPage } from '../../app/history/history-imports.ts'
import type { ImportItem, WaitingItem } from '../../events/history-events.ts'
import type { HistoryImportDocument } from '../../../projections/views/history-imports.ts'
import { invalid, type Problem } from '../server/errors.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { utcTime } from '../server/times.ts'
import { seconds, toMs } from '../server/values-presenter.ts'
import { Count, Id, named, nullable, pageOf, Seconds, text, Time } from '../server/values-schemas.ts'

/** Items per request; further ones go into the next request, with its `importId`. */
const ITEMS_MAX = 5_000
const DAY_S = 86_400

/** The greatest number of ten digits, as of the texts. */
const TMDB_MAX = 9_999_999_999

const Item = Type.Object({
  tmdbId: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      pattern: '^[1-9][0-9]{0,9}$',
      examples: ['348'],
      minimum: 1,
      maximum: TMDB_MAX,
    }),
  ),
  imdbId: Type.Optional(Type.String({ pattern: '^tt[0-9]{6,10}$', examples: ['tt0078748'] })),
  title: Type.Optional(text(500, { minLength: 1 })),
  year: Type.Optional(Type.Integer({ minimum: 1870, maximum: 2200 })),
  watchedAt: Time,
  position: Type.Optional({ ...Seconds, maximum: 100 * DAY_S, description: 'Where it was left. Without it, it was watched to its end.' }),
  plays: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'How often, if only the last time is known.' })),
  tally: Type.Optional(
    Type.Boolean({
      description: '`plays` counts all viewings to then: those that the same source has brought before are not added again.',
    }),
  ),
  watchedSeconds: Type.Optional({ ...Seconds, maximum: DAY_S, description: 'For how long somebody watched; counted in the figures.' }),
})

export const ImportBody = Type.Object(
  {
    source: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
      description: 'The program that the items come from.',
      examples: ['trakt'],
    }),
    importId: Type.Optional({ ...Id, description: 'Of the first request, if this one goes on with it.' }),
    dryRun: Type.Optional(Type.Boolean({ description: 'Report the result without importing anything.' })),
    items: Type.Array(Item, { minItems: 1, maxItems: ITEMS_MAX }),
  },
  { examples: [{ source: 'trakt', items: [{ tmdbId: '12720', watchedAt: '2024-05-01T20:15:00Z' }] }] },
)

const Reason = Type.Enum(['not_found', 'ambiguous'], { description: '`ambiguous`: several of your movies fit.' })

export const ImportResult = named(
  'HistoryImportResult',
  Type.Object({
    importId: nullable({ ...Id, description: 'Null after a dry run.' }),
    imported: Count,
    known: { ...Count, description: 'Items that were imported before, or that wait already.' },
    unmatched: Type.Array(Type.Object({ index: Count, reason: Reason }), {
      description: 'Items of movies that you do not have. They are imported when the movie appears.',
    }),
  }),
)

export const HistoryImport = named(
  'HistoryImport',
  Type.Object({
    id: Id,
    source: Type.String(),
    startedAt: Time,
    imported: { ...Count, description: 'Entries in the history.' },
    waiting: { ...Count, description: 'Items that wait for their movie.' },
    undoneAt: nullable(Time),
  }),
)
export const HistoryImportPage = pageOf(HistoryImport)

export const UnmatchedItem = named(
  'UnmatchedItem',
  Type.Object({
    id: Id,
    tmdbId: nullable(Type.String()),
    imdbId: nullable(Type.String()),
    title: nullable(Type.String()),
    year: nullable(Type.Integer()),
    watchedAt: Time,
    position: nullable(Seconds),
    reason: Reason,
  }),
)
export const UnmatchedItemPage = pageOf(UnmatchedItem)
export const ImportsQuery = Type.Object(PAGE_QUERY)

/** @throws HttpError 422 for items that identify no film */
export function toImport({ source, importId, dryRun = false, items }: Static<typeof ImportBody>): ImportPage {
  const nameless = items.flatMap(({ tmdbId, imdbId, title }, index): readonly Problem[] =>
    tmdbId === undefined && imdbId === undefined && title === undefined
      ? [{ path: `items.${index}`, message: 'needs tmdbId, imdbId or title' }]
      : [],
  )
  if (nameless.length > 0) throw invalid(nameless.slice(0, PROBLEMS_MAX))
  return { source, importId: importId ?? null, dryRun, items: items.map(toItem) }
}

const PROBLEMS_MAX = 20

function toItem(item: Static<typeof Item>, index: number): ImportItem {
  const { tmdbId, imdbId, title, year, watchedAt, position, plays, tally, watchedSeconds = 0 } = item
  return {
    tmdb: tmdbId === undefined ? null : String(tmdbId),
    imdb: imdbId ?? null,
    title: title ?? null,
    year: year ?? null,
    watchedAt: utcTime(watchedAt, `items.${index}.watchedAt`),
    plays: plays ?? (position === undefined ? 1 : 0),
    ...(tally === true ? { tally } : {}),
    watchedMs: toMs(watchedSeconds),
    positionMs: position === undefined ? null : toMs(position),
  }
}

export function presentImport({ id, source, startedAt, imported, waiting, undoneAt }: HistoryImportDocument): Static<typeof HistoryImport> {
  return { id, source, startedAt, imported, waiting, undoneAt }
}

export function presentUnmatched(item: WaitingItem): Static<typeof UnmatchedItem> {
  const { viewingId: id, tmdb: tmdbId, imdb: imdbId, title, year, watchedAt, positionMs, reason } = item
  return { id, tmdbId, imdbId, title, year, watchedAt, position: positionMs === null ? null : seconds(positionMs), reason }
}
