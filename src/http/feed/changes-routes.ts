/** Serves changes, for clients that keep a copy of the catalogue. */
import { Type } from 'typebox'
import type { ChangesPoint } from '../../app/feed/changes.ts'
import type { PagePoint } from '../../app/read-models/page.ts'
import { parseId } from '../../vocabulary/id.ts'
import { fromSeq, START, toSeq } from '../../events/position.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { disconnectSignal } from '../server/disconnect-signal.ts'
import { callerOf } from '../server/guard.ts'
import { operation } from '../server/operation.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { ChangePage } from './changes-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const AFTER_MAX = 12_000

const LIST_CHANGES = {
  ...operation({
    id: 'listChanges',
    tag: 'changes',
    summary: 'List changes since a point',
    description: `Without \`after\` the list begins with everything that exists. \`nextCursor\` is never null: use it as the next \`after\`, also when
\`upToDate\` is true, which means that there are no further changes yet. Movies that the caller may no longer see come as \`remove\`.`,
    answers: { 200: { description: 'A page of changes.', schema: refTo(ChangePage) } },
    errors: [422],
  }),
  querystring: Type.Object({
    after: Type.Optional(Type.String({ minLength: 1, maxLength: AFTER_MAX, description: '`nextCursor` of the page before.' })),
    limit: PAGE_QUERY.limit,
  }),
}

export function addChangeRoutes(app: App, { services, paging }: RouteContext<'changes'>): void {
  app.route({
    method: 'GET',
    url: '/v1/changes',
    schema: LIST_CHANGES,
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { after, ...query } = request.query
      const scope = { userId: caller.userId, route: 'changes', query: null }
      const asked = paging.read(after === undefined ? query : { ...query, cursor: after }, scope, 'after')
      const ask = { limit: asked.limit, signal: disconnectSignal(reply) }
      const { items, next, upToDate } = unwrap(await services.changes.list(caller, asked.after && toPoint(asked.after), ask))
      const page = paging.page({ items, next: fromPoint(next) }, scope, ({ position, kind, type, id }) => ({
        seq: toSeq(position),
        kind,
        type,
        id,
      }))
      return { ...page, nextCursor: page.nextCursor ?? '', upToDate }
    },
  })
}

const STAGES = ['library', 'movies', 'states'] as const
const KINDS = ['upsert', 'remove'] as const

/** The libraries and the walk in one text, because cursors carry no structure. */
function fromPoint({ at, libraries, walk }: ChangesPoint): PagePoint {
  const parts = walk ? [walk.kind, walk.stage, walk.libraryId, walk.after] : []
  return { value: [libraries.join(','), ...parts].join(' '), id: toSeq(at) }
}

function toPoint({ value, id }: PagePoint): ChangesPoint {
  const [held = '', kind, stage, walked = '', after = ''] = (typeof value === 'string' ? value : '').split(' ')
  const walk = {
    kind: KINDS.find((name) => name === kind),
    stage: STAGES.find((name) => name === stage),
    libraryId: parseId<'library'>(walked),
  }
  return {
    at: fromSeq(id) ?? START,
    libraries: held
      .split(',')
      .map((text) => parseId<'library'>(text))
      .filter((library) => library !== undefined),
    walk: walk.kind && walk.stage && walk.libraryId ? { kind: walk.kind, stage: walk.stage, libraryId: walk.libraryId, after } : null,
  }
}
