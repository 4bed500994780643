/** Serves completion and rewatching figures, and a user's year. */
import { refuse } from '../../domain/refusal.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { figure, figuresAsked, LIMIT, send } from './analytics-routes.ts'
import { presentFinish, presentRewatched, presentYear, finishTable, rewatchedTable, yearTable } from './taste-presenter.ts'
import { Finish, MoviesQuery, Rewatched, Year, YearParams, yearNamed, YearQuery } from './taste-schemas.ts'
import { askingOf, isAboutOthers } from './viewing-query.ts'

const FINISH = {
  ...figure('getAnalyticsFinish', {
    summary: 'Show which movies are finished',
    description: 'How many viewers of a movie finished it, and where the others stopped. Counts playbacks only: a mark has no position.',
    schema: Finish,
  }),
  querystring: MoviesQuery,
}
const REWATCHED = {
  ...figure('getAnalyticsRewatched', { summary: 'Show which movies are watched again', schema: Rewatched }),
  querystring: MoviesQuery,
}
const YEAR = {
  ...figure('getAnalyticsYear', { summary: 'Look back at a year', schema: Year, errors: [403, 404, 422] }),
  params: YearParams,
  querystring: YearQuery,
}

const NO_SUCH_YEAR = refuse('not-found', 'There is no such year: four digits, such as 2026')

export function addTasteRoutes(app: App, { services: { taste, past } }: RouteContext<'taste' | 'past'>): void {
  const config = { adminsWhen: isAboutOthers }

  app.route({
    method: 'GET',
    url: '/v1/analytics/finish',
    config,
    schema: FINISH,
    handler: async (request, reply) => {
      const { limit = LIMIT, format } = request.query
      const asking = askingOf(request)
      const { query, of } = await figuresAsked(taste, past, { asking, query: request.query, reply })
      const found = unwrap(await of.finish(asking, { ...query, limit }))
      return send(reply, format, presentFinish(found), finishTable)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/analytics/rewatched',
    config,
    schema: REWATCHED,
    handler: async (request, reply) => {
      const { limit = LIMIT, format } = request.query
      const asking = askingOf(request)
      const { query, of } = await figuresAsked(taste, past, { asking, query: request.query, reply })
      const found = unwrap(await of.rewatched(asking, { ...query, limit }))
      return send(reply, format, presentRewatched(found), rewatchedTable)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/analytics/year/:year',
    config,
    schema: YEAR,
    handler: async (request, reply) => {
      const year = unwrap<number>(yearNamed(request.params.year) ?? NO_SUCH_YEAR)
      const asking = askingOf(request)
      const { query, of } = await figuresAsked(taste, past, { asking, query: request.query, reply })
      const { filter, tz } = query
      const found = unwrap(await of.year(asking, { filter, year, tz }))
      return send(reply, request.query.format, presentYear(year, found), yearTable)
    },
  })
}
