/** Serves the projections, for administrators. */
import type { Projection } from '../../app/consistency/projection-report.ts'
import { toSeq } from '../../events/position.ts'
import { Type } from 'typebox'
import type { App, RouteContext } from './app.ts'
import { operation } from './operation.ts'
import { TOTAL_QUERY, wholePage } from './paging.ts'
import { secondsOrNull } from './values-presenter.ts'
import { unwrap } from './errors.ts'
import { callerOf, requestOrigin } from './guard.ts'
import { Projection as ProjectionSchema, ProjectionPage } from './projection-schemas.ts'
import { refTo } from './values-schemas.ts'

const LIST_PROJECTIONS = {
  ...operation({
    id: 'listProjections',
    tag: 'server',
    by: 'admins',
    summary: 'List projections and their progress',
    answers: { 200: { description: 'All projections.', schema: refTo(ProjectionPage) } },
    errors: [422],
  }),
  querystring: Type.Object(TOTAL_QUERY),
}

const REBUILD_PROJECTION = {
  ...operation({
    id: 'rebuildProjection',
    tag: 'server',
    by: 'admins',
    summary: 'Rebuild a projection from the log',
    description:
      'New documents are made beside the ones that are read, and replace them when they hold the whole log. Requests are answered all the time. A rebuild survives a restart; while one runs, another request returns the same. `snapshots`: those of the past are deleted, and made again in the background. Progress: `rebuild` in the list, and the live events `projection.rebuilding` and `projection.rebuilt`.',
    answers: { 202: { description: 'The projection, whose rebuild runs.', schema: refTo(ProjectionSchema) } },
    errors: [404],
  }),
  params: Type.Object({ name: Type.String({ maxLength: 100, description: 'Name of the projection.', examples: ['movies'] }) }),
}

export function addProjectionRoutes(app: App, { services: { projections } }: RouteContext<'projections'>): void {
  app.route({
    method: 'GET',
    url: '/v1/admin/projections',
    schema: LIST_PROJECTIONS,
    handler: async (request) => wholePage((await projections.list()).map(present), request.query),
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/projections/:name/rebuild',
    schema: REBUILD_PROJECTION,
    handler: async (request, reply) => {
      const projection = unwrap(await projections.rebuild(request.params.name, callerOf(request), requestOrigin(request)))
      reply.code(202)
      return present(projection)
    },
  })
}

const present = ({ name, version, position, lagMs, state, checksum, rebuild }: Projection) => ({
  name,
  version,
  seq: toSeq(position),
  lag: secondsOrNull(lagMs),
  state,
  checksum,
  rebuild: rebuild && { seq: toSeq(rebuild.position), progress: rebuild.progress },
})
