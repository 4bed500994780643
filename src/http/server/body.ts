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
    if (!isUnread(request)) {
      if (request.body === undefined) request.body = {}
      return done()
    }
    void readUnread(request, done)
  })
}

const UNREAD: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const isUnread = ({ method, headers }: FastifyRequest): boolean =>
  UNREAD.has(method) && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0)

/** The framework does not read it, but it has to keep the same rules. */
async function readUnread(request: FastifyRequest, done: (cause?: Error) => void): Promise<void> {
  try {
    await parse(request, request.raw)
  } catch (cause) {
    return done(cause instanceof Error ? cause : new Error(String(cause)))
  }
  done()
}

async function parse(request: FastifyRequest, payload: IncomingMessage): Promise<unknown> {
  const bytes = await read(payload)
  if (request.routeOptions.config.anyBody === true || bytes.length === 0) return {}
  refuseEncoding(request)
  if (mediaTypeOf(request) !== 'application/json') throw unsupportedMediaType()
  if (!isShallow(bytes, DEPTH_MAX)) throw badRequest(`The body is nested deeper than ${DEPTH_MAX} levels`)
  const value = valueOf(bytes)
  if (!isWellFormed(value.text, value.json)) throw badRequest('A text in the body has half of a surrogate pair: it is not valid Unicode')
  return value.json
}

function valueOf(bytes: Buffer): { readonly text: string; readonly json: unknown } {
  try {
    const text = decoder.decode(bytes)
    return { text, json: JSON.parse(text) }
  } catch {
    throw badRequest('The body is not valid JSON')
  }
}

/** Half of a surrogate pair cannot be UTF-8, only an escape: few bodies have any. */
const SURROGATE = /\\u[dD][89a-fA-F]/
const isWellFormed = (text: string, json: unknown): boolean => !SURROGATE.test(text) || isWellFormedValue(json)

function isWellFormedValue(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormedValue(member))
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
