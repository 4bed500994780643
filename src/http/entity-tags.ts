/**
 * Entity tags: what every read under /v1 is known by, so that clients that poll are told when nothing has changed, and so that
 * writes can be made dependent on what was read (contract, section 0).
 *
 * One thing has a strong tag: digest of the answer, and of the caller. A list has a weak one: where it depends on the catalogue
 * alone, that of its last change, known without a query; else also the digest of the answer.
 */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Caller } from '../app/caller.ts'
import type { App, HttpServices } from './app.ts'
import { preconditionFailed } from './errors.ts'
import { checkPreconditions } from './preconditions.ts'

/** The read of a path, also for the judgement of writes to it. */
interface Read extends Pick<RouteOptions, 'handler' | 'schema'> {
  readonly isList: boolean
}

const TAG_LENGTH = 22
const CALLER_LENGTH = 8

const digest = (text: string, length = TAG_LENGTH) => hash('sha256', text, 'base64url').slice(0, length)

export function addEntityTags(app: App, { lastChanges }: Pick<HttpServices, 'lastChanges'>): void {
  const reads = new Map<string, Read>()
  app.decorateRequest('entityTag', null)
  app.addHook('onRoute', (route) => {
    const { method, url, handler, schema } = route
    if (method === 'GET' && isApi(url)) reads.set(url, { handler, schema: schema ?? {}, isList: isList(schema) })
  })

  app.addHook('preHandler', async (request, reply) => {
    const { caller } = request
    if (!caller || !isApi(request.url)) return undefined
    if (isRead(request)) return answerUnchanged(request, reply, caller)
    const read = reads.get(request.routeOptions.url ?? '')
    if (read && mayDepend(request)) await judge(read, { request, reply, caller })
    return undefined
  })

  /** Before the query: undefined where it has to be made. */
  function answerUnchanged(request: FastifyRequest, reply: FastifyReply, caller: Caller) {
    if (request.routeOptions.config.shows !== 'catalogue') return undefined
    const changed = lastChanges.catalogue(caller)
    if (changed === undefined) return undefined
    request.entityTag = `W/"${digest(`${changed} ${request.url}`)}"`
    // Whatever there is would do for `*`: only the query can tell whether there is anything.
    if (request.headers['if-none-match'] === '*' || !isUnchanged(request, request.entityTag)) return undefined
    return reply.code(304).header('etag', request.entityTag).send()
  }

  app.addHook('onSend', async (request, reply, payload) => {
    const { caller } = request
    const read = isRead(request) ? reads.get(request.routeOptions.url ?? '') : undefined
    if (!caller || !read || reply.statusCode !== 200) return payload
    if (typeof payload !== 'string' || reply.getHeader('cache-control') === 'no-store') return payload
    const tag = request.entityTag ?? tagOf(payload, caller, read.isList)
    reply.header('etag', tag)
    if (!isUnchanged(request, tag)) return payload
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return ''
  })
}

const isApi = (url: string) => url.startsWith('/v1/')
const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'
const mayDepend = ({ method, headers }: FastifyRequest) => (method === 'PATCH' || method === 'DELETE') && headers['if-match'] !== undefined

/** Of a read only `If-None-Match` is looked at. */
function isUnchanged({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match']
  return known !== undefined && checkPreconditions({ 'if-none-match': known }, { etag }) === 'not-modified'
}

/** A list is what is asked for page by page. */
const isList = (schema: unknown): boolean => 'limit' in Object(Object(schema).querystring?.properties)

function tagOf(payload: string, { userId, role, libraryAccess, libraryIds }: Caller, weak: boolean): string {
  const caller = digest([userId, role, libraryAccess, ...libraryIds].join(' '), CALLER_LENGTH)
  return `${weak ? 'W/' : ''}"${digest(payload)}.${caller}"`
}

interface Asking {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Caller
}

/** Judges `If-Match` by what a read would answer now. @throws HttpError 412, or what the read is refused with */
async function judge({ handler, schema }: Read, { request, reply, caller }: Asking): Promise<void> {
  const body: unknown = await handler.call(request.server, request, reply)
  const shape: unknown = Object(schema).response?.[200]?.content?.['application/json']?.schema
  const etag = tagOf(reply.serializeInput(Object(body), Object(shape)), caller, false)
  if (checkPreconditions({ 'if-match': request.headers['if-match'] }, { etag }) === 'failed') throw preconditionFailed()
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Tag of the answer, where it is known before the answer. */
    entityTag: string | null
  }
  interface FastifyContextConfig {
    /** `catalogue`: what the route answers changes only with the catalogue that the caller sees and the caller's own marks. */
    shows?: 'catalogue'
  }
}
