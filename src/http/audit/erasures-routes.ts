/** Receipts of erasures, for administrators. */
import { Type } from 'typebox'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { idParams, operation } from '../server/operation.ts'
import { Id, named, refTo, Time } from '../server/values-schemas.ts'
import { Base64Hash, Seq } from './audit-schemas.ts'

export const ErasureReceipt = named(
  'ErasureReceipt',
  Type.Object({
    id: Id,
    subject: Type.Unsafe<string>({ ...Id, description: 'Id of the user.' }),
    keyId: Type.Unsafe<string>({ ...Id, description: 'Name of the destroyed key.' }),
    erasedAt: Time,
    seq: Seq,
    checkpoint: Type.String({ description: 'Signed note of the tree that ends with this entry.' }),
    entry: Type.String({ description: 'The entry as it was hashed: canonical JSON (RFC 8785).' }),
    hashes: Type.Array(Base64Hash, { description: 'Path of the entry in that tree (RFC 6962).' }),
  }),
)

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

export function addErasureRoutes(app: App, { services }: RouteContext): void {
  app.route({
    method: 'GET',
    url: '/v1/erasures/:id',
    schema: GET_ERASURE,
    handler: async (request) => {
      const { hashes, ...receipt } = unwrap(await services.erasureReceipts.get(request.params.id))
      return { ...receipt, hashes: hashes.map((hash) => Buffer.from(hash).toString('base64')) }
    },
  })
}
