/** Serves scans of a library: starts and cancels them, lists them, and shows what they changed. */
import { Type } from 'typebox'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, LOCATION, operation } from '../server/operation.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { presentListedScan, presentScan, presentScanChange } from './scan-presenter.ts'
import { NewScanBody, Scan, ScanChangePage, ScanPage } from './scan-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const tag = 'scans'

const START_SCAN = {
  ...operation({
    id: 'startScan',
    tag,
    summary: 'Start a scan',
    description: 'A library has one scan at a time. Of several concurrent requests one succeeds.',
    by: 'admins',
    answers: { 202: { description: 'The scan was started.', schema: refTo(Scan), headers: LOCATION } },
    errors: [404, 409, ...BODY_ERRORS],
  }),
  params: idParams('id'),
  body: NewScanBody,
}

const CANCEL_SCAN = {
  ...operation({
    id: 'cancelScan',
    tag,
    summary: 'Cancel the running scan',
    description: 'Keeps what the scan has found so far.',
    by: 'admins',
    answers: { 202: { description: 'The cancelled scan.', schema: refTo(Scan) } },
    errors: [404],
  }),
  params: idParams('id'),
}

const LIST_SCANS = {
  ...operation({
    id: 'listScans',
    tag,
    summary: 'List scans of a library',
    description: 'Newest first, each with its first 20 errors.',
    answers: { 200: { description: 'A page of scans.', schema: refTo(ScanPage) } },
    errors: [404, 422],
  }),
  params: idParams('id'),
  querystring: Type.Object(PAGE_QUERY),
}

const LIST_SCAN_CHANGES = {
  ...operation({
    id: 'listScanChanges',
    tag,
    summary: 'List the changes of a scan',
    description: 'A page may be shorter than `limit`, or empty. The list ends when `nextCursor` is null.',
    answers: { 200: { description: 'A page of changes.', schema: refTo(ScanChangePage) } },
    errors: [404, 422],
  }),
  params: idParams('id', 'scanId'),
  querystring: Type.Object(PAGE_QUERY),
}

const GET_CURRENT_SCAN = {
  ...operation({
    id: 'getCurrentScan',
    tag,
    summary: 'Get the current or last scan',
    answers: { 200: { description: 'The scan.', schema: refTo(Scan) } },
    errors: [404],
  }),
  params: idParams('id'),
}

const GET_SCAN = {
  ...operation({
    id: 'getScan',
    tag,
    summary: 'Get a scan',
    answers: { 200: { description: 'The scan.', schema: refTo(Scan) } },
    errors: [404],
  }),
  params: idParams('id', 'scanId'),
}

export function addScanRoutes(app: App, context: RouteContext<'scans'>): void {
  addScanControlRoutes(app, context)
  addScanHistoryRoutes(app, context)
}

function addScanControlRoutes(app: App, { services, clock }: RouteContext<'scans'>): void {
  const { scans } = services

  app.route({
    method: 'POST',
    url: '/v1/libraries/:id/scan',
    config: { idempotent: 'own' },
    schema: START_SCAN,
    handler: async (request, reply) => {
      const { mode = 'incremental', paths = null } = request.body
      const caller = callerOf(request)
      const scan = unwrap(await scans.start(caller, request.params.id, { mode, paths }, requestOrigin(request)))
      reply.code(202).header('location', `/v1/libraries/${scan.libraryId}/scans/${scan.id}`)
      return presentScan(scan, caller, clock.now())
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/libraries/:id/scan',
    schema: CANCEL_SCAN,
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const scan = unwrap(await scans.cancel(caller, request.params.id, requestOrigin(request)))
      reply.code(202)
      return presentScan(scan, caller, clock.now())
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/libraries/:id/scan',
    schema: GET_CURRENT_SCAN,
    handler: async (request) => {
      const caller = callerOf(request)
      return presentScan(unwrap(await scans.current(caller, request.params.id)), caller, clock.now())
    },
  })
}

function addScanHistoryRoutes(app: App, { services, clock, paging }: RouteContext<'scans'>): void {
  const { scans } = services

  app.route({
    method: 'GET',
    url: '/v1/libraries/:id/scans',
    schema: LIST_SCANS,
    handler: async (request) => {
      const caller = callerOf(request)
      const { id } = request.params
      const scope = { userId: caller.userId, route: 'scans', query: { id } }
      const page = unwrap(await scans.list(caller, id, paging.read(request.query, scope)))
      return paging.page(page, scope, (scan) => presentListedScan(scan, caller, clock.now()))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/libraries/:id/scans/:scanId/changes',
    schema: LIST_SCAN_CHANGES,
    handler: async (request) => {
      const caller = callerOf(request)
      const { id: libraryId, scanId } = request.params
      const scope = { userId: caller.userId, route: 'scan-changes', query: { libraryId, scanId } }
      const page = unwrap(await scans.changes(caller, { libraryId, scanId }, paging.read(request.query, scope)))
      return paging.page(page, scope, (change) => presentScanChange(change, caller))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/libraries/:id/scans/:scanId',
    schema: GET_SCAN,
    handler: async (request) => {
      const { id, scanId } = request.params
      const caller = callerOf(request)
      return presentScan(unwrap(await scans.get(caller, id, scanId)), caller, clock.now())
    },
  })
}
