/**
 * Serves the API to the command line, inside the process. Each call has a token of its own, which only this file knows and which ends with
 * the call: no login is made, and nothing that comes over the network can be such a call.
 */
import type { FastifyRequest } from 'fastify'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Caller } from '../../app/access/caller.ts'
import type { ApiAnswer, ApiAsk } from '../../app/operator/operator-commands.ts'
import type { Ids } from '../../ports/ids.ts'
import type { App } from './app.ts'
import { forbidden } from './errors.ts'
import type { CalledBy } from './operation.ts'
import { routePath } from './route-path.ts'

/** One line of the command socket holds this, also if every character has to be escaped. */
const LONGEST_ANSWER_BYTES = 7 * 1024 * 1024

export interface OperatorCallers {
  /** The caller of a request that is such a call. */
  callerOf(request: FastifyRequest): Caller | undefined
}

/** Registered before the guard, which asks it for callers. */
export function addOperatorCalls(app: App, ids: Ids): OperatorCallers {
  /** By the authorization header. */
  const callers = new Map<string | undefined, Caller>()
  const callerOf = ({ headers }: FastifyRequest) => callers.get(headers.authorization)
  app.addHook('onRequest', async (request) => {
    if (callerOf(request)) refuseForOperator(request)
  })
  app.decorate('callAsOperator', async (ask: ApiAsk, caller: Caller, signal: AbortSignal) => {
    const authorization = `Bearer ${ids.token()}`
    callers.set(authorization, caller)
    try {
      return await send(app, ask, { authorization, signal })
    } finally {
      callers.delete(authorization)
    }
  })
  return { callerOf }
}

interface Sending {
  readonly authorization: string
  readonly signal: AbortSignal
}

async function send(app: App, { method, path, body }: ApiAsk, { authorization, signal }: Sending): Promise<ApiAnswer | Refusal> {
  const response = await app.inject({
    method,
    url: path,
    headers: { authorization, ...(body === null ? {} : { 'content-type': 'application/json' }) },
    ...omitUndefined({ payload: body ?? undefined }),
    payloadAsStream: true,
    signal,
  })
  const { statusCode: status, headers } = response
  const type = headers['content-type']
  const stream = response.stream()
  if (type !== undefined && !TEXT_TYPE.test(type)) {
    stream.destroy()
    return refuse('invalid', `The answer is no text but ${type}: use HTTP`)
  }
  const text = await readText(stream)
  return text === undefined ? TOO_LONG : { status, body: text }
}

const TEXT_TYPE = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?json|application\/x-(?:yaml|ndjson))/

const TOO_LONG = refuse('invalid', 'The answer is longer than 7 MB: ask for a part of it, or use HTTP')

/** Undefined: it is too long. */
async function readText(stream: AsyncIterable<Uint8Array> & { destroy(): void }): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > LONGEST_ANSWER_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const STREAMS: ReadonlySet<CalledBy | undefined> = new Set<CalledBy>(['streams', 'listeners', 'agents'])

/** @throws HttpError what this route serves needs HTTP, or a login */
function refuseForOperator(request: FastifyRequest): void {
  const { calledBy, operationId } = request.routeOptions.schema ?? {}
  if (STREAMS.has(calledBy)) throw forbidden('This is a stream or a file: use HTTP')
  if (operationId === 'startPlayback') throw forbidden('A session needs a login: use the command `play`, or HTTP')
  if (routePath(request).startsWith('/api/auth/'))
    throw forbidden('This concerns the login of the caller, and the command line has none: use HTTP')
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Carries out a request of the command line. Refusal: `invalid`: the answer is no text, or too long. */
    callAsOperator(ask: ApiAsk, caller: Caller, signal: AbortSignal): Promise<ApiAnswer | Refusal>
  }
}
