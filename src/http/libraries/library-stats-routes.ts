/** Serves the statistics of a library. */
import { Type, type Static } from 'typebox'
import type { LibraryStats as Statistics } from '../../app/libraries/library-stats.ts'
import type { App, RouteContext } from '../server/app.ts'
import { AS_OF_HEADERS, AS_OF_QUERY } from '../server/as-of.ts'
import { unwrap } from '../server/errors.ts'
import { disconnectSignal } from '../server/disconnect-signal.ts'
import { callerOf } from '../server/guard.ts'
import { idParams, operation } from '../server/operation.ts'
import { seconds } from '../server/values-presenter.ts'
import { LibraryStats } from './library-stats-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const GET_STATS = {
  ...operation({
    id: 'getLibraryStats',
    tag: 'libraries',
    summary: 'Get statistics of a library',
    answers: { 200: { description: 'The counts.', schema: refTo(LibraryStats), headers: AS_OF_HEADERS } },
    errors: [404, 422],
  }),
  params: idParams('id'),
  querystring: Type.Object(AS_OF_QUERY),
}

export function addLibraryStatsRoutes(app: App, { services }: RouteContext<'libraries' | 'libraryStatistics' | 'past'>): void {
  const { libraryStatistics, past } = services

  app.route({
    method: 'GET',
    url: '/v1/libraries/:id/stats',
    schema: GET_STATS,
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { asOf } = request.query
      const { id } = request.params
      if (asOf === undefined) return present(unwrap(await libraryStatistics.of(caller, id)))
      unwrap(await services.libraries.get(caller, id))
      const then = unwrap(await past.at(caller.userId, asOf, disconnectSignal(reply)))
      reply.header('x-as-of-seq', then.seq)
      return present(unwrap(await libraryStatistics.of(caller, id, then)))
    },
  })
}

function present({ totalDurationMs, ...stats }: Statistics): Static<typeof LibraryStats> {
  return {
    ...stats,
    totalDuration: seconds(totalDurationMs),
    resolutions: [...stats.resolutions],
    videoCodecs: [...stats.videoCodecs],
    audioCodecs: [...stats.audioCodecs],
    containers: [...stats.containers],
    hdr: [...stats.hdr],
    genres: [...stats.genres],
    decades: [...stats.decades],
  }
}
