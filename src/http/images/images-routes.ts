/** Serves images by their unguessable ids, in the requested size and format. */
import { Type } from 'typebox'
import type { ServedImage } from '../../app/images/images.ts'
import type { ImageForm } from '../../ports/image-maker.ts'
import { isRefusal } from '../../domain/refusal.ts'
import type { App, RouteContext } from '../server/app.ts'
import { credentialOf } from '../server/credentials.ts'
import { unwrap, unauthenticated } from '../server/errors.ts'
import { disconnectSignal } from '../server/disconnect-signal.ts'
import { idParams, operation } from '../server/operation.ts'
import { checkPreconditions } from '../server/preconditions.ts'
import { vary } from '../server/vary.ts'

/** Cache lifetime of a placeholder: the image may be repaired soon. */
const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400
const YEAR_SECONDS = 31_536_000
const SIDE_MAX = 3840

const ImageQuery = Type.Object({
  token: Type.Optional(Type.String({ maxLength: 4096, description: 'Access token, for image elements.' })),
  w: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: SIDE_MAX,
      description: 'Width in pixels, rounded up to one of a few widths. Images are never enlarged.',
    }),
  ),
  h: Type.Optional(Type.Integer({ minimum: 1, maximum: SIDE_MAX, description: 'Height in pixels, rounded up likewise.' })),
  fit: Type.Optional(
    Type.Enum(['cover', 'contain'], {
      default: 'cover',
      description: 'If both are given: fill the box and crop the rest, or fit the whole image into it.',
    }),
  ),
  q: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Quality, rounded up to one of 40, 60, 80 and 95; default 80.' })),
  format: Type.Optional(
    Type.Enum(['auto', 'jpeg', 'webp', 'png'], {
      default: 'auto',
      description: 'auto: WebP if `Accept` names it, else JPEG, or PNG if the image has transparency.',
    }),
  ),
  v: Type.Optional(Type.String({ maxLength: 100, description: 'Version. With it, clients may cache the image for a year.' })),
})

const GET_IMAGE = {
  ...operation({
    id: 'getImage',
    tag: 'images',
    summary: 'Get an image',
    description:
      'Resized on first use, upright, in sRGB and without metadata. If an image beside a media file is broken, the image of the provider ' +
      'of online metadata or a frame of the film replaces it, or else a placeholder, which clients may cache for a minute. If the ' +
      'library shows images to its users only, others get 404, as for an unknown image, ' +
      'and an invalid credential gets 401 for both. A public image needs no credential, and an invalid one changes nothing.',
    by: 'anyone',
    answers: {
      200: {
        description: 'The image.',
        schema: Type.String({ format: 'binary' }),
        type: ['image/jpeg', 'image/png', 'image/webp'],
      },
      304: { description: 'The image has not changed.' },
    },
    errors: [401, 404, 422],
  }),
  params: idParams('imageId'),
  querystring: ImageQuery,
}

export function addImageRoutes(app: App, { services }: RouteContext<'signIns' | 'images'>): void {
  app.route({
    method: 'GET',
    url: '/api/images/:imageId',
    schema: GET_IMAGE,
    handler: async (request, reply) => {
      const { w: width, h: height, q: quality, fit = 'cover', format = 'auto', v: version } = request.query
      const credential = credentialOf(request, { query: true })
      const caller = (credential && services.signIns.authenticate(credential.token)) ?? null
      const form = formOf(format, request.headers.accept)
      const by = { caller, signal: () => disconnectSignal(reply) }
      const found = await services.images.get(request.params.imageId, { width, height, fit, quality, form }, by)
      // To strangers, private and missing images look alike; an invalid credential gets the same error for both.
      if (credential && !caller && isRefusal(found) && found.refusal === 'not-found') throw unauthenticated()
      const image = unwrap(found)
      const etag = `"${image.tag}"`
      reply.headers({ etag, 'cache-control': lifeOf(image, version) })
      if (format === 'auto') vary(reply, 'Accept')
      if (image.isPublic) reply.header('cross-origin-resource-policy', 'cross-origin')
      else vary(reply, 'Authorization', 'Cookie')
      if (checkPreconditions(request.headers, { etag }) === 'not-modified') return reply.code(304).send()
      const { bytes, type } = image
      return reply.type(type).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    },
  })
}

/** A changed image has another id, so a versioned URL may be cached permanently. */
function lifeOf({ isPublic, isPlaceholder }: ServedImage, version: string | undefined): string {
  if (!isPublic) return 'private, no-cache'
  if (isPlaceholder) return `public, max-age=${MINUTE_SECONDS}`
  return version === undefined ? `public, max-age=${DAY_SECONDS}` : `public, max-age=${YEAR_SECONDS}, immutable`
}

function formOf(format: 'auto' | 'jpeg' | 'webp' | 'png', accept = ''): ImageForm {
  if (format !== 'auto') return `image/${format}`
  return takesWebp(accept) ? 'image/webp' : 'plain'
}

/** Only if it is named explicitly: every browser that supports WebP does so, and not every client that accepts anything supports it. */
const takesWebp = (accept: string): boolean =>
  accept.split(',').some((range) => /^\s*image\/webp\s*(?:;|$)/i.test(range) && !/;\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)/i.test(range))
