/** Pictures by their unguessable ids. */
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { App, RouteContext } from '../app.ts'
import { credentialOf } from '../credentials.ts'
import { taken } from '../errors.ts'
import { idParams, operation } from '../operation.ts'
import { checkPreconditions } from '../preconditions.ts'
import { vary } from '../vary.ts'

const DAY_SECONDS = 86_400
const YEAR_SECONDS = 31_536_000
const SIDE_MAX = 3840

const ImageQuery = Type.Object({
  token: Type.Optional(Type.String({ maxLength: 4096, description: 'An access token, for image tags.' })),
  w: Type.Optional(Type.Integer({ minimum: 1, maximum: SIDE_MAX, description: 'Width in pixels; pictures are never scaled up.' })),
  h: Type.Optional(Type.Integer({ minimum: 1, maximum: SIDE_MAX, description: 'Height in pixels.' })),
  fit: Type.Optional(Type.Enum(['cover', 'contain'], { default: 'cover' })),
  q: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Quality.' })),
  format: Type.Optional(Type.Enum(['auto', 'jpeg', 'webp', 'png'], { default: 'auto' })),
  v: Type.Optional(Type.String({ maxLength: 100, description: 'A version: with it the picture is kept for a year.' })),
})

const GET_IMAGE = {
  ...operation({
    id: 'getImage',
    tag: 'images',
    summary: 'A picture',
    description:
      'In this version always as it lies on disk, whatever size is asked for. 401 and 404 where its library shows none to strangers.',
    by: 'anyone',
    answers: {
      200: { description: 'JPEG, PNG or WebP.', schema: Type.String({ format: 'binary' }), type: 'image/*' },
      304: { description: 'The picture that the client has is still the right one.' },
    },
    errors: [401, 404, 422],
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
      const credential = credentialOf(request, { query: true })
      const caller = (credential && services.signIns.authenticate(credential.token)) ?? null
      const { bytes, type, isPublic } = taken(await services.movies.image(request.params.imageId, caller))
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
      reply.headers({ etag, 'cache-control': isPublic ? publicLife(request.query.v) : 'private, no-cache' })
      if (isPublic) reply.header('cross-origin-resource-policy', 'cross-origin')
      else vary(reply, 'Authorization', 'Cookie')
      if (checkPreconditions(request.headers, { etag }) === 'not-modified') return reply.code(304).send()
      return reply.type(type).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    },
  })
}

/** Another picture has another id, so one that is named with its version may be kept for good. */
const publicLife = (version: string | undefined) =>
  version === undefined ? `public, max-age=${DAY_SECONDS}` : `public, max-age=${YEAR_SECONDS}, immutable`
