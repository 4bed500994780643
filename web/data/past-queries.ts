/** Requests for what happened: history, figures, audit, lives of films; and for collections, page by page. They are no part of the first script. */
import { api, valueOf } from '../api/client.ts'
import type { components, operations } from '../api/schema.d.ts'
import type { HistoryQuery } from './history-query.ts'
import type { Context } from './query-client.ts'

type Schemas = components['schemas']
export type TimelineStep = Schemas['TimelineStep']
export type LifeEntry = Schemas['LifeEntry']
export type AuditEntry = Schemas['AuditEntry']
export type AuditQuery = NonNullable<operations['listAudit']['parameters']['query']>
export type Overview = Schemas['AnalyticsOverview']
export type Plays = Schemas['AnalyticsPlays']
export type Top = Schemas['AnalyticsTop']
export type Concurrency = Schemas['AnalyticsConcurrency']
export type Finish = Schemas['AnalyticsFinish']
export type Year = Schemas['AnalyticsYear']
export type FigureQuery = NonNullable<operations['getAnalyticsOverview']['parameters']['query']>
export type PlaysQuery = NonNullable<operations['getAnalyticsPlays']['parameters']['query']>
export type TopQuery = NonNullable<operations['getAnalyticsTop']['parameters']['query']>

interface PageContext extends Context {
  readonly pageParam: string | null
}

const PAGE = 100

/** Administrators' looks at others are on record: events never make their answers old. */
const keyOf = (name: string, { scope, userId }: { readonly scope?: unknown; readonly userId?: unknown }): string =>
  scope === 'all' || userId !== undefined ? `others-${name}` : name

const paged = { initialPageParam: null as string | null, getNextPageParam: (last: { nextCursor: string | null }) => last.nextCursor }
const after = (cursor: string | null) => ({ limit: PAGE, ...(cursor === null ? {} : { cursor }) })

export const collectionsQuery = {
  ...paged,
  queryKey: ['collections'],
  queryFn: ({ signal, pageParam }: PageContext) =>
    valueOf(api.GET('/v1/collections', { params: { query: { ...after(pageParam), view: 'card' } }, signal })),
}

export const historyQuery = (query: HistoryQuery) => ({
  ...paged,
  queryKey: [keyOf('history', query), JSON.stringify(query)],
  queryFn: ({ signal, pageParam }: PageContext) =>
    valueOf(api.GET('/v1/history', { params: { query: { ...query, ...after(pageParam) } }, signal })),
})

/** The viewing with this id, by when it began. */
export const viewingQuery = (id: string, since: string, isEverybody: boolean) => ({
  queryKey: [isEverybody ? 'others-viewing' : 'viewing', id, since],
  queryFn: async ({ signal }: Context) => {
    const range = { from: since, to: new Date(Date.parse(since) + 1).toISOString(), limit: PAGE }
    const own = await valueOf(api.GET('/v1/history', { params: { query: range }, signal }))
    const found = own.items.find((entry) => entry.id === id)
    if (found || !isEverybody) return found ?? null
    const all = await valueOf(api.GET('/v1/history', { params: { query: { ...range, scope: 'all' } }, signal }))
    return all.items.find((entry) => entry.id === id) ?? null
  },
})

export const timelineQuery = (id: string) => ({
  queryKey: ['timeline', id],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/history/{id}/timeline', { params: { path: { id } }, signal })),
})

export const resumeHistoryQuery = (id: string) => ({
  queryKey: ['history', 'resume', id],
  queryFn: ({ signal }: Context) =>
    valueOf(api.GET('/v1/movies/{id}/resume-history', { params: { path: { id }, query: { limit: PAGE } }, signal })),
})

export const overviewQuery = (query: FigureQuery) => ({
  queryKey: [keyOf('stats', query), 'overview', JSON.stringify(query)],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/analytics/overview', { params: { query }, signal })) as Promise<Overview>,
})

export const playsQuery = (query: PlaysQuery) => ({
  queryKey: [keyOf('stats', query), 'plays', JSON.stringify(query)],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/analytics/plays', { params: { query }, signal })) as Promise<Plays>,
})

export const topQuery = (query: TopQuery) => ({
  queryKey: [keyOf('stats', query), 'top', JSON.stringify(query)],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/analytics/top', { params: { query }, signal })) as Promise<Top>,
})

export const concurrencyQuery = (query: FigureQuery) => ({
  queryKey: [keyOf('stats', query), 'concurrency', JSON.stringify(query)],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/analytics/concurrency', { params: { query }, signal })) as Promise<Concurrency>,
})

export const finishQuery = (query: FigureQuery) => ({
  queryKey: [keyOf('stats', query), 'finish', JSON.stringify(query)],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/analytics/finish', { params: { query }, signal })) as Promise<Finish>,
})

export const yearQuery = (year: number, tz: string) => ({
  queryKey: ['stats', 'year', year, tz],
  queryFn: ({ signal }: Context) =>
    valueOf(api.GET('/v1/analytics/year/{year}', { params: { path: { year }, query: { tz } }, signal })) as Promise<Year>,
})

export const auditQuery = (query: AuditQuery) => ({
  ...paged,
  queryKey: ['audit', JSON.stringify(query)],
  queryFn: ({ signal, pageParam }: PageContext) =>
    valueOf(api.GET('/v1/audit', { params: { query: { ...query, ...after(pageParam) } }, signal })),
})

export const ownAuditQuery = {
  ...paged,
  queryKey: ['own-audit'],
  queryFn: ({ signal, pageParam }: PageContext) => valueOf(api.GET('/v1/users/me/audit', { params: { query: after(pageParam) }, signal })),
}

export const lifeQuery = (id: string) => ({
  ...paged,
  queryKey: ['life', id],
  queryFn: ({ signal, pageParam }: PageContext) =>
    valueOf(api.GET('/v1/movies/{id}/life', { params: { path: { id }, query: { ...after(pageParam), limit: 20 } }, signal })),
})

/** A film as a card showed it then; null if it was not there yet. */
export const movieThenQuery = (id: string, asOf: string) => ({
  queryKey: ['then', id, asOf],
  queryFn: async ({ signal }: Context) => {
    const { items } = await valueOf(api.GET('/v1/movies', { params: { query: { id: [id], availability: 'all', asOf } }, signal }))
    return items[0] ?? null
  },
})
