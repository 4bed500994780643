/** Serves receipts of erasures, for administrators. */
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { idParams, operation } from '../server/operation.ts'
import { refTo } from '../server/values-schemas.ts'
import { ErasureReceipt, presentReceipt } from './erasure-receipt.ts'

const GET_ERASURE = {
  ...operation({
    id: 'getErasure',
    tag: 'audit',
    by: 'admins',
    summary: 'Get the receipt of an erasure',
    description: `Proves without this server that the key of a user's personal data was destroyed: the entry's leaf hash and \`hashes\` lead
to the root in \`checkpoint\`.`,
    answers: { 200: { description: 'The receipt.', schema: refTo(ErasureReceipt) } },
    errors: [404],
  }),
  params: idParams('id'),
}

export function addErasureRoutes(app: App, { services }: RouteContext<'erasureReceipts'>): void {
  app.route({
    method: 'GET',
    url: '/v1/erasures/:id',
    schema: GET_ERASURE,
    handler: async (request) => presentReceipt(unwrap(await services.erasureReceipts.get(request.params.id))),
  })
}
