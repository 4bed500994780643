/** Scans of a library: starting one, looking at one. */
import type { App, RouteContext } from '../app.ts'
import { taken } from '../errors.ts'
import { callerOf, requestOrigin } from '../guard.ts'
import { BODY_ERRORS, idParams, LOCATION, operation } from '../operation.ts'
import { presentScan } from '../present/scan.ts'
import { NewScanBody, Scan } from '../schemas/scan.ts'
import { refTo } from '../schemas/values.ts'

const tag = 'scans'

const START_SCAN = {
  ...operation({
    id: 'startScan',
    tag,
    summary: 'Start a scan',
    description: 'One scan of a library runs at a time: of several requests at once, one is taken.',
    by: 'admins',
    answers: { 202: { description: 'The scan has begun.', schema: refTo(Scan), headers: LOCATION } },
    errors: [404, 409, ...BODY_ERRORS],
  }),
  params: idParams('id'),
  body: NewScanBody,
}

const GET_CURRENT_SCAN = {
  ...operation({
    id: 'getCurrentScan',
    tag,
    summary: 'The running scan, else the last one',
    answers: { 200: { description: 'The scan.', schema: refTo(Scan) } },
    errors: [404],
  }),
  params: idParams('id'),
}

const GET_SCAN = {
  ...operation({
    id: 'getScan',
    tag,
    summary: 'One scan',
    answers: { 200: { description: 'The scan.', schema: refTo(Scan) } },
    errors: [404],
  }),
  params: idParams('id', 'scanId'),
}

export function addScanRoutes(app: App, { services, clock }: RouteContext): void {
  const { scans } = services

  app.route({
    method: 'POST',
    url: '/v1/libraries/:id/scan',
    config: { access: 'admin' },
    schema: START_SCAN,
    handler: async (request, reply) => {
      const { mode = 'incremental', paths = null } = request.body
      const caller = callerOf(request)
      const scan = taken(await scans.start(caller, request.params.id, { mode, paths }, requestOrigin(request)))
      reply.code(202).header('location', `/v1/libraries/${scan.libraryId}/scans/${scan.id}`)
      return presentScan(scan, caller, clock.now())
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/libraries/:id/scan',
    schema: GET_CURRENT_SCAN,
    handler: async (request) => {
      const caller = callerOf(request)
      return presentScan(taken(await scans.current(caller, request.params.id)), caller, clock.now())
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/libraries/:id/scans/:scanId',
    schema: GET_SCAN,
    handler: async (request) => {
      const { id, scanId } = request.params
      const caller = callerOf(request)
      return presentScan(taken(await scans.get(caller, id, scanId)), caller, clock.now())
    },
  })
}
