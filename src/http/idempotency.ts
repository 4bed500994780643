/**
 * Idempotency keys (draft-ietf-httpapi-idempotency-key-header-07): a repeat of a request that made something is answered as it was
 * the first time, and makes nothing.
 */
import { createHmac, hkdfSync } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { canonicalJson } from '../events/canonical-json.ts'
import type { Ids } from '../ports/ids.ts'
import type { Outcomes } from '../ports/outcomes.ts'
import type { App } from './app.ts'
import { HttpError, invalid } from './errors.ts'

/** A request with a key that is carried out now. */
export interface KeyedRequest {
  readonly key: string
  readonly seed: string
}

const HEADER = 'Idempotency-Key'
const KEY_MAX = 255
/** What is larger is not kept: its repeat is carried out, and finds what the first one made. */
const ANSWER_MAX_CHARACTERS = 256 * 1024
/** Headers that belong to the answer itself. */
const KEPT_HEADERS = ['content-type', 'location']

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface IdempotencyDependencies {
  readonly outcomes: Outcomes
  readonly ids: Ids
  /** Bodies may hold passwords: their fingerprints are made with a secret, so that nobody can try words on them. */
  readonly secret: string
}

export function addIdempotency(app: App, { outcomes, ids, secret }: IdempotencyDependencies): void {
  const digest = createDigest(secret)
  app.decorateRequest('keyed', null)

  app.addHook('preHandler', async (request, reply) => {
    const given = request.routeOptions.config.idempotent === true ? request.headers['idempotency-key'] : undefined
    if (given === undefined || !request.caller) return undefined
    const key = digest(keyOf(request, String(given)))
    const begun = await outcomes.begin(key, { fingerprint: digest(contentOf(request)), seed: ids.token() })
    if (begun.state === 'other') throw wrongKey('was used for another request')
    if (begun.state === 'running') throw stillRunning()
    if (begun.state === 'settled') return replay(reply, begun.answer)
    request.keyed = { key, seed: begun.seed }
    return undefined
  })

  app.addHook('onSend', async ({ keyed }, reply, payload) => {
    if (!keyed) return payload
    if (reply.statusCode >= 500) await outcomes.release(keyed.key)
    else if (reply.statusCode >= 400) await outcomes.forget(keyed.key)
    else await settle(outcomes, keyed.key, answerOf(reply, payload))
    return payload
  })
}

/** Keys are a user's own, for each route. @throws HttpError 422 */
function keyOf({ caller, method, routeOptions }: FastifyRequest, given: string): readonly string[] {
  if (given.length === 0 || given.length > KEY_MAX) throw wrongKey(`has 1 to ${KEY_MAX} characters`)
  return [caller?.userId ?? '', method, routeOptions.url ?? '', given]
}

const contentOf = ({ url, body }: FastifyRequest) => [url, canonicalJson(JSON.parse(JSON.stringify(body ?? null)))]

const KEY_BYTES = 32

function createDigest(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'marquee idempotency', KEY_BYTES))
  return (parts: readonly string[]) => createHmac('sha256', key).update(parts.join('\0')).digest('base64url')
}

const wrongKey = (message: string) => invalid([{ path: HEADER, message }])
const stillRunning = () => new HttpError('The request with this key is still running', { status: 409, code: 'conflict' })

function answerOf(reply: FastifyReply, payload: unknown): Answer {
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  return { status: reply.statusCode, headers: Object.fromEntries(headers), body: typeof payload === 'string' ? payload : '' }
}

async function settle(outcomes: Outcomes, key: string, answer: Answer): Promise<void> {
  const text = JSON.stringify(answer)
  if (text.length > ANSWER_MAX_CHARACTERS) await outcomes.release(key)
  else await outcomes.settle(key, text)
}

function replay(reply: FastifyReply, text: string) {
  const { status, headers, body }: Answer = JSON.parse(text)
  return reply.code(status).headers(headers).header('idempotency-replayed', 'true').send(body)
}

declare module 'fastify' {
  interface FastifyRequest {
    keyed: KeyedRequest | null
  }
  interface FastifyContextConfig {
    /** Takes an idempotency key. */
    idempotent?: boolean
  }
}
