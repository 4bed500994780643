/** Serves the audit log, for administrators. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { App, RouteContext } from '../server/app.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { operation } from '../server/operation.ts'
import { refTo } from '../server/values-schemas.ts'
import { AuditEntryPage, AuditQuery, OwnAuditQuery } from './audit-schemas.ts'
import { timeRange } from '../server/time-range.ts'

const LIST_AUDIT = {
  ...operation({
    id: 'listAudit',
    tag: 'audit',
    by: 'admins',
    summary: 'List the audit log',
    description: `One entry for each event of the log: who did what to what, from where, and what it was before. A page may be shorter
than \`limit\`, even empty: the list ends where \`nextCursor\` is null. Each look at others is on record, too: \`HistoryViewed\`, which they can read.`,
    answers: { 200: { description: 'A page of entries.', schema: refTo(AuditEntryPage) } },
    errors: [422],
  }),
  querystring: AuditQuery,
}

const LIST_OWN_AUDIT = {
  ...operation({
    id: 'listOwnAudit',
    tag: 'audit',
    summary: 'List what was done with your account',
    description: `Sign-ins, refused ones, every change, and administrators' looks at your history or at everybody's, with who it was. Addresses and
clients of others are left out.`,
    answers: { 200: { description: 'A page of entries.', schema: refTo(AuditEntryPage) } },
    errors: [422],
  }),
  querystring: OwnAuditQuery,
}

export function addAuditRoutes(app: App, { services, paging }: RouteContext<'auditLog' | 'ownAudit' | 'recordAuditLook'>): void {
  app.route({
    method: 'GET',
    url: '/v1/audit',
    schema: LIST_AUDIT,
    handler: async (request) => {
      const { cursor, limit, include, order = 'desc', from, to, ...rest } = request.query
      const filter = { ...rest, ...timeRange({ from, to }) }
      const scope = { userId: callerOf(request).userId, route: 'audit', query: { ...filter, order } }
      // Further pages belong to the same access.
      if (cursor === undefined) {
        await services.recordAuditLook(callerOf(request), filter, { operation: 'GET /v1/audit', origin: requestOrigin(request) })
      }
      const page = paging.read(omitUndefined({ cursor, limit, include }), scope)
      return paging.page(await services.auditLog.list(filter, order, page), scope, (entry) => entry)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/users/me/audit',
    schema: LIST_OWN_AUDIT,
    handler: async (request) => {
      const { order = 'desc', ...query } = request.query
      const { userId } = callerOf(request)
      const scope = { userId, route: 'own-audit', query: { order } }
      return paging.page(await services.ownAudit.list(userId, order, paging.read(query, scope)), scope, (entry) => entry)
    },
  })
}
