/** Serves the import of history from other programs, and its export. */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { App, RouteContext } from '../server/app.ts'
import { byUser } from '../../app/commands/command-handler.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, operation } from '../server/operation.ts'
import { refTo } from '../server/values-schemas.ts'
import { EXPORTS } from './history-export.ts'
import { ExportQuery, HistoryEntry, TraktItem } from './history-schemas.ts'
import {
  HistoryImportPage,
  ImportBody,
  ImportResult,
  ImportsQuery,
  presentImport,
  presentUnmatched,
  toImport,
  UnmatchedItemPage,
} from './import-schemas.ts'
import { askingOf, filterOf, isAboutOthers } from './viewing-query.ts'

const tag = 'history'

const IMPORT = {
  ...operation({
    id: 'importHistory',
    tag,
    summary: 'Import what you watched elsewhere',
    description: `Each item is taken once, however often it is sent. Nothing is marked as unwatched, and your own
marks stay. The newest viewing by time, here or imported, sets the resume point: a position sets it, a viewing to the end clears it. Items of
movies that you do not have wait until the movie appears. An import can be undone as a whole; it may take several requests. If one fails,
send it again. At most 50,000 of your items may wait: a request that would exceed this gets 409, and nothing of it is imported; undo imports
that you no longer need, and send it again.`,
    answers: { 200: { description: 'Result of the import.', schema: refTo(ImportResult) } },
    errors: [404, 409, ...BODY_ERRORS],
  }),
  body: ImportBody,
}

const LIST_IMPORTS = {
  ...operation({
    id: 'listHistoryImports',
    tag,
    summary: 'List your imports',
    answers: { 200: { description: 'A page of imports, the newest first.', schema: refTo(HistoryImportPage) } },
    errors: [422],
  }),
  querystring: ImportsQuery,
}

const LIST_UNMATCHED = {
  ...operation({
    id: 'listUnmatchedItems',
    tag,
    summary: 'List items that wait for their movie',
    answers: { 200: { description: 'A page of items, the oldest first.', schema: refTo(UnmatchedItemPage) } },
    errors: [404, 422],
  }),
  params: idParams('id'),
  querystring: ImportsQuery,
}

const UNDO_IMPORT = {
  ...operation({
    id: 'undoHistoryImport',
    tag,
    summary: 'Undo an import',
    description: 'Takes back the entries, marks, plays and resume points that it brought, and the items that wait. All else stays.',
    answers: { 204: { description: 'The import is undone.' } },
    errors: [404],
  }),
  params: idParams('id'),
}

const Exported = Type.Union([Type.Array(refTo(HistoryEntry)), Type.Array(refTo(TraktItem))])

const EXPORT = {
  ...operation({
    id: 'exportHistory',
    tag,
    summary: 'Export the history',
    description: `\`json\`: the entries of \`GET /v1/history\` as one array. \`csv\`: the same as a table. \`trakt\`: what was watched to its end,
in the form of Trakt's history. Administrators may export those of others, which is recorded in the audit log.`,
    answers: { 200: { description: 'All entries, the newest first.', schema: Exported, others: { 'text/csv': Type.String() } } },
    errors: [403, 422],
  }),
  querystring: ExportQuery,
}

export function addImportRoutes(app: App, context: RouteContext<'history' | 'historyImports'>): void {
  addImports(app, context)
  addExport(app, context)
}

function addImports(app: App, { services: { historyImports }, paging }: RouteContext<'historyImports'>): void {
  app.route({
    method: 'POST',
    url: '/v1/history/import',
    config: { idempotent: 'own' },
    schema: IMPORT,
    handler: async (request) => {
      const caller = callerOf(request)
      const author = byUser(caller.userId, 'importHistory', requestOrigin(request))
      return unwrap(await historyImports.take(caller, toImport(request.body), author))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/history/imports',
    schema: LIST_IMPORTS,
    handler: async (request) => {
      const { userId } = callerOf(request)
      const scope = { userId, route: 'history-imports', query: {} }
      return paging.page(await historyImports.list(userId, paging.read(request.query, scope)), scope, presentImport)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/history/imports/:id/unmatched',
    schema: LIST_UNMATCHED,
    handler: async (request) => {
      const { userId } = callerOf(request)
      const { id } = request.params
      const scope = { userId, route: 'unmatched-items', query: { id } }
      const page = unwrap(await historyImports.waiting(userId, id, paging.read(request.query, scope)))
      return paging.page(page, scope, presentUnmatched)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/history/imports/:id',
    schema: UNDO_IMPORT,
    handler: async (request, reply) => {
      const { userId } = callerOf(request)
      const author = byUser(userId, 'undoHistoryImport', requestOrigin(request))
      unwrap(await historyImports.undo(userId, request.params.id, author))
      return reply.code(204).send()
    },
  })
}

function addExport(app: App, { services: { history } }: RouteContext<'history'>): void {
  app.route({
    method: 'GET',
    url: '/v1/history/export',
    config: { adminsWhen: isAboutOthers },
    schema: EXPORT,
    handler: async (request, reply) => {
      const { format = 'json', ...query } = request.query
      const asking = askingOf(request)
      const pages = await history.pages(asking, filterOf(asking.caller, query))
      const { type, extension, write } = EXPORTS[format]
      reply.headers({ 'content-type': type, 'content-disposition': `attachment; filename="marquee-history.${extension}"` })
      return reply.send(Readable.from(write(pages)))
    },
  })
}
