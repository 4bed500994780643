/** Turns errors into responses: the error body and its headers, without internal details. */
import { Readable } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { App } from './app.ts'
import { badRequest, bodyOf, notFound, toHttpError, type HttpError } from './errors.ts'
import { errorAnswer, type ErrorAnswer } from './problem-details.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** `failed` gets the cause of each response that reports a failure. */
export function addErrorHandler(app: App, clock: Clock, failed: (cause: unknown) => void = () => {}): void {
  app.setErrorHandler((thrown, request, reply) => {
    const error = toHttpError(thrown, request.caller?.userId)
    if (error.cause !== undefined && !(reply.raw.destroyed && isAbort(error.cause))) {
      request.failure = error.cause
      failed(error.cause)
    }
    const answer = errorAnswer(error, request.headers.accept)
    reply.code(error.status).headers(headersOf(error)).type(answer.type)
    return error.status === 413 ? answerAndLinger(answer, { request, reply, clock }) : reply.send(JSON.stringify(answer.body))
  })
  app.setNotFoundHandler(async () => {
    throw notFound()
  })
}

const headersOf = (error: HttpError) => ({ 'cache-control': 'no-store', 'x-error-code': error.code, ...error.headers })

/** Aborted reads and waits after the client has disconnected: nobody receives a response, and nothing is wrong. */
const isAbort = (cause: unknown) => cause instanceof Error && (cause.name === 'AbortError' || Reflect.get(cause, 'code') === 'ECONNRESET')

/** Responds to requests whose URL the router cannot parse; hooks do not run for them. */
export function answerBadUrl(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = badRequest('The URL is malformed')
  request.log.info({ method: request.method, path: '(malformed)', status: error.status }, 'request')
  const { type, body } = errorAnswer(error, request.headers.accept)
  void reply.code(error.status).headers(headersOf(error)).header('x-request-id', request.id).type(type).send(JSON.stringify(body))
}

/** Responds on the bare socket to data that is not an HTTP request. */
export function answerBadRequest(ids: Ids, clock: Clock) {
  return (fault: Error & { readonly code?: string }, socket: Socket): void => {
    if (fault.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const body = JSON.stringify(bodyOf(badRequest('The request could not be read')))
    const head = ['HTTP/1.1 400 Bad Request', `Content-Type: ${JSON_TYPE}`, `Content-Length: ${body.length}`, 'Connection: close']
    socket.end(`${[...head, 'X-Error-Code: bad_request', `X-Request-Id: ${ids.next()}`].join('\r\n')}\r\n\r\n${body}`)
    clock.after(LINGER_MS, () => socket.destroy())
  }
}

const LINGER_MS = 2000
const LINGER_BYTES = 16 * 1024 * 1024

/**
 * Sends the complete response, then reads on for a moment before closing the connection. Closing while the client still sends would reset
 * the connection, and the client would never see the reason.
 */
function answerAndLinger(answer: ErrorAnswer, { request, reply, clock }: { request: FastifyRequest; reply: FastifyReply; clock: Clock }) {
  const body = JSON.stringify(answer.body)
  reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(body) })
  async function* text() {
    yield body
    await drained(request.raw, clock)
  }
  return reply.send(Readable.from(text()))
}

async function drained(incoming: IncomingMessage, clock: Clock): Promise<void> {
  if (incoming.readableEnded || incoming.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = clock.after(LINGER_MS, resolve)
  let bytes = 0
  incoming.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > LINGER_BYTES) resolve()
  })
  incoming
    .once('end', resolve)
    .once('close', resolve)
    .once('error', () => resolve())
  await promise
  stop()
}
