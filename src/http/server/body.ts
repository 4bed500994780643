/** Reads request bodies: at most 1 MB of JSON in UTF-8, nested a few levels; an empty body counts as `{}`. */
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { App } from './app.ts'
import { badRequest, tooLarge, unsupportedMediaType } from './errors.ts'
import { isShallow } from './json-depth.ts'

/** 1 MB; a body of exactly this size is accepted. */
export const BODY_LIMIT_BYTES = 1_048_576

/** No valid body is nested deeper than a few levels. */
const DEPTH_MAX = 100

const decoder = new TextDecoder('utf-8', { fatal: true })

export function addBodies(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', parse)
  // Checked first: the size that the client announces.
  app.addHook('onRequest', (request, _reply, done) => {
    if (Number(request.headers['content-length']) > BODY_LIMIT_BYTES) throw tooLarge()
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined) request.body = {}
    done()
  })
}

async function parse(request: FastifyRequest, payload: IncomingMessage): Promise<unknown> {
  const bytes = await read(payload)
  if (request.routeOptions.config.anyBody === true || bytes.length === 0) return {}
  refuseEncoding(request)
  if (mediaTypeOf(request) !== 'application/json') throw unsupportedMediaType()
  if (!isShallow(bytes, DEPTH_MAX)) throw badRequest(`The body is nested deeper than ${DEPTH_MAX} levels`)
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw badRequest('The body is not valid JSON')
  }
}

/** @throws HttpError 400 for a body with a content encoding */
export function refuseEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw badRequest('Request bodies must not be encoded')
}

export const mediaTypeOf = (request: FastifyRequest) => request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()

/**
 * All bytes of a body, including one without an announced size. Reads by events: an async iterator costs more than the rest of a small
 * body. The rest of a body that is too long is read and dropped, and the stream is not destroyed: the response still needs the connection.
 */
function read(payload: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  payload.on('data', (chunk: Buffer) => {
    if (size > BODY_LIMIT_BYTES) return
    size += chunk.length
    if (size > BODY_LIMIT_BYTES) reject(tooLarge())
    else chunks.push(chunk)
  })
  payload.once('end', () => resolve(Buffer.concat(chunks)))
  payload.once('error', reject)
  const end = (): void => reject(new Error('The body has ended early'))
  payload.once('close', end)
  // The client may have left before: then none of these events comes.
  if (payload.destroyed) end()
  return promise
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is read and ignored, whatever it is. */
    anyBody?: boolean
  }
}
