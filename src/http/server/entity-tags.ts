/**
 * Implements entity tags for every read under /v1. Polling clients get 304 if nothing has changed, and writes can depend on what was read.
 *
 * A single resource has a strong tag: a digest of the response and the caller. A list has a weak one. If it depends on the catalogue alone,
 * the tag is that of the last change, which needs no query. Otherwise it also includes a digest of the response. A response that depends on
 * the catalogue alone is cached, and sent again without a query until the catalogue changes.
 *
 * A conditional write is checked against the current response of the read. A URL without a read has no tag, so only `If-Match: *` holds
 * there. If the resource has its own stream, the check is repeated between reading the stream and appending to it. So of two writers with
 * the same tag one is rejected.
 */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { Caller, Precondition } from '../../app/access/caller.ts'
import { parseId } from '../../vocabulary/id.ts'
import { libraryStream, movieStream, userStream } from '../../events/streams.ts'
import type { App, HttpServices } from './app.ts'
import { plainTags } from './compression.ts'
import { preconditionFailed } from './errors.ts'
import { createResponseCache, type KeptAnswer } from './response-cache.ts'
import { checkPreconditions, CONDITIONAL_WRITES } from './preconditions.ts'
import { isApiPath, routePath } from './route-path.ts'

/** The read of a path, which also serves to check writes to it. */
interface Read extends Pick<RouteOptions, 'handler' | 'schema'> {
  readonly isList: boolean
}

const TAG_LENGTH = 22
const CALLER_LENGTH = 8

const digest = (text: string, length = TAG_LENGTH) => hash('sha256', text, 'base64url').slice(0, length)

/** Stream of the resource at the path; undefined if it has no stream of its own. */
function streamOf(path: string, params: unknown, { userId }: Caller): string | undefined {
  if (path === '/v1/users/me/preferences' || path === '/v1/users/me') return userStream(userId)
  const id = String(Reflect.get(Object(params), 'id'))
  const [library, movie, user] = [parseId<'library'>(id), parseId<'movie'>(id), parseId<'user'>(id)]
  if (path === '/v1/users/:id') return user && userStream(user)
  if (path === '/v1/libraries/:id') return library && libraryStream(library)
  return path === '/v1/movies/:id' ? movie && movieStream(movie) : undefined
}

export function addEntityTags(app: App, { lastChanges, readYourWrites }: Pick<HttpServices, 'lastChanges' | 'readYourWrites'>): void {
  const reads = new Map<string, Read>()
  const kept = createResponseCache()
  app.decorateRequest('entityTag', null)
  app.decorateRequest('isFleeting', false)
  app.decorateRequest('keptAs', null)
  app.decorateRequest('holds', null)
  app.addHook('onRoute', (route) => {
    const { method, url, handler, schema, config } = route
    const isCatalogue = config?.shows === 'catalogue'
    if (method === 'GET' && isApiPath(url)) reads.set(url, { handler, schema: schema ?? {}, isList: isCatalogue || isList(schema) })
  })

  app.addHook('preHandler', async (request, reply) => {
    const { caller } = request
    if (!caller || !isApiPath(routePath(request))) return undefined
    if (isRead(request)) return answerKnown(request, reply, caller)
    const url = request.routeOptions.url ?? ''
    if (!mayDepend(request)) return undefined
    const read = reads.get(url)
    const holds = async () => mayGo(request, read ? await tagNow(read, { request, reply, caller }) : NO_TAG)
    if (!(await holds())) throw preconditionFailed()
    const stream = streamOf(url, request.params, caller)
    if (stream !== undefined) request.precondition = preconditionOf(readYourWrites, stream, holds)
    return undefined
  })

  /** Responds without a query; undefined if one is needed. */
  function answerKnown(request: FastifyRequest, reply: FastifyReply, caller: Caller) {
    const { shows } = request.routeOptions.config
    const changed = shows && lastChanges.catalogue(caller)
    if (changed === undefined) return undefined
    request.keptAs = digest(`${changed} ${request.url}`)
    if (shows === 'catalogue') request.entityTag = `W/"${request.keptAs}"`
    // `*` matches anything that exists: only the query knows whether anything does.
    if (request.headers['if-none-match'] === '*') return undefined
    if (request.entityTag !== null && isUnchanged(request, request.entityTag)) {
      return reply.code(304).header('etag', request.entityTag).send()
    }
    const answer = kept.get(request.keptAs)
    if (!answer?.holds) return answer && sendKept(answer, request, reply)
    return answer.holds().then((holds) => (holds ? sendKept(answer, request, reply) : undefined))
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    const { caller } = request
    const isTagged = isReplacement(request) || (isRead(request) && reply.getHeader('cache-control') !== 'no-store')
    const read = isTagged ? reads.get(request.routeOptions.url ?? '') : undefined
    if (!caller || !read || reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload)
    const tag = request.entityTag ?? tagOf(payload, caller, read.isList)
    reply.header('etag', tag)
    const { keptAs, holds } = request
    if (keptAs !== null && request.method === 'GET' && !request.isFleeting)
      kept.put(keptAs, { tag, text: payload, ...omitUndefined({ holds: holds ?? undefined }) })
    if (!isRead(request) || !isUnchanged(request, tag)) return done(null, payload)
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    done(null, '')
  })
}

const preconditionOf = (readYourWrites: HttpServices['readYourWrites'], stream: string, holds: () => Promise<boolean>): Precondition => ({
  stream,
  async holds(upTo) {
    await readYourWrites.waitFor(upTo)
    return holds()
  },
})

function sendKept({ tag, text }: KeptAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.entityTag = tag
  request.keptAs = null
  return reply.type(JSON_TYPE).send(text)
}

const JSON_TYPE = 'application/json; charset=utf-8'

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'
/** A replacement returns the response of a later read, and therefore its tag. */
const isReplacement = ({ method }: FastifyRequest) => method === 'PUT'
const mayDepend = ({ method, headers }: FastifyRequest) => CONDITIONAL_WRITES.has(method) && headers['if-match'] !== undefined
/** Equals no tag that a client can send: those are in quotes. */
const NO_TAG = ''

/** Reads evaluate only `If-None-Match`. */
function isUnchanged({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match']
  return known !== undefined && checkPreconditions({ 'if-none-match': plainTags(known) }, { etag }) === 'not-modified'
}

/** A list has pages, or shows the catalogue. */
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

/** Tag of the read's current response. @throws HttpError the error of the read */
async function tagNow({ handler, schema }: Read, { request, reply, caller }: Asking): Promise<string> {
  const body: unknown = await handler.call(request.server, request, reply)
  const shape: unknown = Object(schema).response?.[200]?.content?.['application/json']?.schema
  return tagOf(reply.serializeInput(Object(body), Object(shape)), caller, false)
}

const mayGo = ({ headers }: FastifyRequest, etag: string): boolean =>
  checkPreconditions({ 'if-match': plainTags(headers['if-match'] ?? '') }, { etag }) !== 'failed'

declare module 'fastify' {
  interface FastifyRequest {
    /** Tag of the response, if it is known before the response. */
    entityTag: string | null
    /** The same request may get another response, although nothing has changed. */
    isFleeting: boolean
    /** Key of the response in the cache; null: it is not cached. */
    keptAs: string | null
    /** Whether a cached response is still valid, if that depends on more than the catalogue. */
    holds: (() => Promise<boolean>) | null
  }
  interface FastifyContextConfig {
    /**
     * The response changes only with the catalogue that the caller sees and with the caller's own marks. `catalogue`: a list, whose tag is
     * that of the last change. `movie`: one movie, which has the strong tag of its response.
     */
    shows?: 'catalogue' | 'movie'
  }
}
