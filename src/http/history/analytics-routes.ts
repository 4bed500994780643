/** Serves figures over the history, for charts and tables. */
import type { FastifyReply } from 'fastify'
import { Type, type Static } from 'typebox'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { FigureQuery } from '../../app/history/figures.ts'
import type { Asking } from '../../app/history/history.ts'
import type { AsOf, ReadModelsAsOf } from '../../app/read-models/as-of.ts'
import type { App, RouteContext } from '../server/app.ts'
import { AS_OF_HEADERS, pastOf } from '../server/as-of.ts'
import { unwrap } from '../server/errors.ts'
import { operation } from '../server/operation.ts'
import { refTo, type Named } from '../server/values-schemas.ts'
import { concurrencyTable, overviewTable, playsTable, topTable, type Table } from './analytics-csv.ts'
import { presentConcurrency, presentOverview, presentPlays, presentTop } from './analytics-presenter.ts'
import { Concurrency, ConcurrencyQuery, Overview, OverviewQuery, Plays, PlaysQuery, Top, TopQuery } from './analytics-schemas.ts'
import { CSV, csvOf } from './csv.ts'
import { askingOf, filterOf, isAboutOthers } from './viewing-query.ts'

const RULES = `Of your own viewings; administrators may ask for those of others, which is recorded in the audit log. Every number is that of the
viewings that \`GET /v1/history\` lists for the same filters: also those marked by hand, unless \`source\` excludes them.`

interface Described {
  readonly summary: string
  readonly description?: string
  readonly schema: Named
  readonly errors?: Parameters<typeof operation>[0]['errors']
}

export const figure = (id: string, { summary, description = '', schema, errors = [403, 422] }: Described) =>
  operation({
    id,
    tag: 'history',
    summary,
    description: `${description}${description && '\n\n'}${RULES}`,
    answers: {
      200: { description: 'The figures.', schema: refTo(schema), others: { 'text/csv': Type.String() }, headers: AS_OF_HEADERS },
    },
    errors,
  })

const OVERVIEW = { ...figure('getAnalyticsOverview', { summary: 'Count what was watched', schema: Overview }), querystring: OverviewQuery }
const PLAYS = {
  ...figure('getAnalyticsPlays', {
    summary: 'Count what was watched by time',
    description: 'Days, weeks, months and hours are those of the time zone, also when its clocks change.',
    schema: Plays,
  }),
  querystring: PlaysQuery,
}
const TOP = { ...figure('getAnalyticsTop', { summary: 'Rank what was watched most', schema: Top }), querystring: TopQuery }
const CONCURRENCY = {
  ...figure('getAnalyticsConcurrency', {
    summary: 'Count concurrent playbacks',
    description: 'From the starts and ends of all playbacks, until now.',
    schema: Concurrency,
  }),
  querystring: ConcurrencyQuery,
}

export const LIMIT = 10
const POINTS = 500

interface AskedFigures {
  readonly asking: Asking
  readonly query: Static<typeof OverviewQuery>
  readonly reply: FastifyReply
}

/** The requested figures: current or as of an earlier time. */
export async function figuresAsked<Of extends { asOf(past: ReadModelsAsOf): Of }>(
  now: Of,
  past: AsOf,
  { asking: { caller }, query: { asOf, tz = 'UTC', ...rest }, reply }: AskedFigures,
): Promise<{ readonly query: FigureQuery; readonly of: Of }> {
  const { from, to, ...filter } = filterOf(caller, rest)
  const then = await pastOf(past, { caller, asOf, reply, whose: filter.userId ?? 'everybody' })
  const until = to ?? (then && new Date(then.atMs).toISOString())
  return { query: { filter, tz, ...omitUndefined({ from, to: until }) }, of: then ? now.asOf(then) : now }
}

/** Sends the body as JSON, or its table. */
export function send<Body>(reply: FastifyReply, format: string | undefined, body: Body, table: (body: Body) => Table): Body | FastifyReply {
  if (format !== 'csv') return body
  const { header, rows } = table(body)
  return reply.type(CSV).send(csvOf(header, rows))
}

export function addAnalyticsRoutes(app: App, { services: { analytics, past } }: RouteContext<'analytics' | 'past'>): void {
  const config = { adminsWhen: isAboutOthers }

  app.route({
    method: 'GET',
    url: '/v1/analytics/overview',
    config,
    schema: OVERVIEW,
    handler: async (request, reply) => {
      const asking = askingOf(request)
      const { query, of } = await figuresAsked(analytics, past, { asking, query: request.query, reply })
      const found = unwrap(await of.overview(asking, query))
      return send(reply, request.query.format, presentOverview(found), overviewTable)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/analytics/plays',
    config,
    schema: PLAYS,
    handler: async (request, reply) => {
      const { groupBy = 'day', metric = 'plays', by, limit = LIMIT } = request.query
      const asked = { groupBy, metric, limit, ...omitUndefined({ by }) }
      const asking = askingOf(request)
      const { query, of } = await figuresAsked(analytics, past, { asking, query: request.query, reply })
      const found = unwrap(await of.plays(asking, { ...query, ...asked }))
      return send(reply, request.query.format, presentPlays(found, asked), playsTable)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/analytics/top',
    config,
    schema: TOP,
    handler: async (request, reply) => {
      const { by = 'movie', metric = 'plays', limit = LIMIT } = request.query
      const asked = { by, metric, limit }
      const asking = askingOf(request)
      const { query, of } = await figuresAsked(analytics, past, { asking, query: request.query, reply })
      const found = unwrap(await of.top(asking, { ...query, ...asked }))
      return send(reply, request.query.format, presentTop(found, asked), topTable)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/analytics/concurrency',
    config,
    schema: CONCURRENCY,
    handler: async (request, reply) => {
      const { points = POINTS } = request.query
      const asking = askingOf(request)
      const { query, of } = await figuresAsked(analytics, past, { asking, query: request.query, reply })
      const found = unwrap(await of.concurrency(asking, { ...query, points }))
      return send(reply, request.query.format, presentConcurrency(found), concurrencyTable)
    },
  })
}
