/** Pictures by their unguessable ids. */
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { App, RouteContext } from '../app.ts'
import { taken } from '../errors.ts'
import { idParams, operation } from '../operation.ts'
import { checkPreconditions } from '../preconditions.ts'

const DAY_SECONDS = 86_400
const YEAR_SECONDS = 31_536_000

const ImageQuery = Type.Object({
  v: Type.Optional(Type.String({ maxLength: 100, description: 'A version: with it the picture is kept for a year.' })),
})

const GET_IMAGE = {
  ...operation({
    id: 'getImage',
    tag: 'images',
    summary: 'A picture',
    by: 'anyone',
    answers: {
      200: { description: 'JPEG, PNG or WebP.', schema: Type.String({ format: 'binary' }), type: 'image/*' },
      304: { description: 'The picture that the client has is still the right one.' },
    },
    errors: [404, 422],
  }),
  params: idParams('imageId'),
  querystring: ImageQuery,
}

export function addImageRoutes(app: App, { services }: RouteContext): void {
  app.route({
    method: 'GET',
    url: '/api/images/:imageId',
    config: { access: 'public' },
    schema: GET_IMAGE,
    handler: async (request, reply) => {
      const { bytes, type } = taken(await services.movies.image(request.params.imageId))
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
      const life = request.query.v === undefined ? `max-age=${DAY_SECONDS}` : `max-age=${YEAR_SECONDS}, immutable`
      reply.headers({ etag, 'cache-control': `public, ${life}`, 'cross-origin-resource-policy': 'cross-origin' })
      if (checkPreconditions(request.headers, { etag }) === 'not-modified') return reply.code(304).send()
      return reply.type(type).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    },
  })
}
