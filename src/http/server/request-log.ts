/** Logs one line for each request, without any tokens. */
import fastify, { type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify'
import type { Clock } from '../../ports/clock.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import { gatherLines } from './gathered-lines.ts'
import { redact } from './redaction.ts'
import type { App } from './app.ts'

export interface LogOptions {
  /** A pino level, or `silent`. */
  readonly level: string
  /** Writes complete lines (JSON with a line end); default: standard output. */
  readonly write?: ((line: string) => void) | undefined
}

const toStandardOutput = gatherLines((lines) => void process.stdout.write(lines))

/** Fastify's options for a logger that redacts every line, and does not log requests itself. */
export function logOptions({ level, write = toStandardOutput }: LogOptions) {
  return {
    logger: { level, stream: { write: (line: string) => write(redact(line)) } },
    logController: new fastify.LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
  } satisfies FastifyServerOptions
}

/** Logs each request when its response is complete or its client has disconnected. */
export function addRequestLog(app: App, clock: Clock): void {
  app.decorateRequest('userId', null)
  app.decorateRequest('failure', null)
  app.addHook('onRequest', (request, reply, done) => {
    const began = clock.monotonic()
    reply.header('x-request-id', request.id)
    reply.raw.once('close', () => write(request, reply, clock.monotonic() - began))
    done()
  })
}

function write(request: FastifyRequest, reply: FastifyReply, elapsedMs: number): void {
  const { failure, userId, method, log } = request
  const line = {
    method,
    path: pathOf(request),
    status: reply.raw.statusCode,
    ms: Math.round(elapsedMs * 10) / 10,
    userId,
    ...(reply.raw.writableEnded ? {} : { aborted: true }),
  }
  if (failure) log[levelOf(failure, line.status)]({ ...line, err: failure }, 'request failed')
  else log.info(line, 'request')
}

/** The client's fault is no problem of the server; an outage passes, and has its own line (docs/linux-service.md). */
function levelOf(failure: unknown, status: number): 'error' | 'warn' | 'info' {
  if (status < FIRST_SERVER_ERROR) return 'info'
  return failure instanceof ServerUnavailable ? 'warn' : 'error'
}

const FIRST_SERVER_ERROR = 500

/** Path without its query, which may contain secrets and personal data. */
const pathOf = ({ url }: FastifyRequest) => url.slice(0, url.search(/[?#]|$/))

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated user, once known. */
    userId: string | null
    /** The internal error, for the log. */
    failure: unknown
  }
}
