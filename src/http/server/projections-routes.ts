/** Projections, for administrators. */
import { toSeq } from '../../events/position.ts'
import type { App, RouteContext } from './app.ts'
import { operation } from './operation.ts'
import { secondsOrNull } from './values-presenter.ts'
import { ProjectionPage } from './projection-schemas.ts'
import { refTo } from './values-schemas.ts'

const LIST_PROJECTIONS = operation({
  id: 'listProjections',
  tag: 'server',
  by: 'admins',
  summary: 'List projections and their progress',
  answers: { 200: { description: 'All projections.', schema: refTo(ProjectionPage) } },
})

export function addProjectionRoutes(app: App, { services }: RouteContext): void {
  app.route({
    method: 'GET',
    url: '/v1/admin/projections',
    schema: LIST_PROJECTIONS,
    handler: async () => ({
      items: services.projections.list().map(({ name, version, position, lagMs, state }) => ({
        name,
        version,
        seq: toSeq(position),
        lag: secondsOrNull(lagMs),
        state,
      })),
      nextCursor: null,
    }),
  })
}
