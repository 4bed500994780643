/**
 * Implements idempotency keys (draft-ietf-httpapi-idempotency-key-header-07): a retry of a creating request gets the first response, and
 * creates nothing. Stored responses are encrypted with the key of the person they are about, so that erasing the person erases them too.
 */
import { createHmac, hkdfSync } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { canonicalJson } from '../../events/canonical-json.ts'
import type { Ids } from '../../ports/ids.ts'
import type { IdempotencyStore } from '../../ports/idempotency-store.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import { KeyDestroyed } from '../../ports/vault.ts'
import { isSealed } from '../../events/sealed.ts'
import type { Sealer } from '../../app/commands/sealer.ts'
import type { App } from './app.ts'
import { HttpError, invalid, notFound } from './errors.ts'

/** A running request with a key. */
export interface KeyedRequest {
  readonly key: string
  readonly seed: string
}

const HEADER = 'Idempotency-Key'
const KEY_MAX = 255
/** Larger responses are not stored: a retry runs, and finds what the first request created. */
const ANSWER_MAX_CHARACTERS = 256 * 1024
/** Headers that belong to the response itself. */
const KEPT_HEADERS = ['content-type', 'location']

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface IdempotencyDependencies {
  readonly idempotencyStore: IdempotencyStore
  readonly sealer: Pick<Sealer, 'seal' | 'open'>
  readonly ids: Ids
  /** Bodies may contain passwords: their fingerprints are keyed with a secret, so that nobody can guess passwords against them. */
  readonly secret: string
}

export function addIdempotency(app: App, { idempotencyStore, sealer, ids, secret }: IdempotencyDependencies): void {
  const digest = createDigest(secret)
  const answers = createAnswers(idempotencyStore, sealer)
  app.decorateRequest('keyed', null)

  app.addHook('preHandler', async (request, reply) => {
    const given = request.routeOptions.config.idempotent ? request.headers['idempotency-key'] : undefined
    if (given === undefined || !request.caller) return undefined
    const key = digest(keyOf(request, String(given)))
    const owner = digest(['owner', request.caller.userId])
    const begun = await idempotencyStore.begin(key, { fingerprint: digest(contentOf(request)), seed: ids.token(), owner })
    if (begun.state === 'other') throw wrongKey('was used for another request')
    if (begun.state === 'running') throw stillRunning()
    if (begun.state === 'settled') {
      await request.routeOptions.config.beforeReplay?.(request)
      return replay(reply, await answers.open(begun.answer))
    }
    request.keyed = { key, seed: begun.seed }
    return undefined
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const { keyed } = request
    if (!keyed) return payload
    if (reply.statusCode >= 500) await idempotencyStore.release(keyed.key)
    else if (reply.statusCode >= 400) await idempotencyStore.forget(keyed.key)
    else await answers.keep(keyed.key, answerOf(reply, payload), subjectOf(request, payload))
    return payload
  })
}

/** Keys are scoped to a user and a route. @throws HttpError 422 */
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
const stillRunning = () =>
  new HttpError('The request with this key is still running; try again', { status: 409, code: 'conflict', headers: { 'retry-after': '1' } })

function answerOf(reply: FastifyReply, payload: unknown): Answer {
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  return { status: reply.statusCode, headers: Object.fromEntries(headers), body: typeof payload === 'string' ? payload : '' }
}

/** The person whom the response is about: the created account, otherwise the caller. */
function subjectOf({ caller, routeOptions }: FastifyRequest, payload: unknown): string {
  const made: unknown = routeOptions.config.idempotent === 'account' ? Reflect.get(Object(JSON.parse(String(payload))), 'id') : undefined
  return typeof made === 'string' ? made : (caller?.userId ?? '')
}

function createAnswers(idempotencyStore: IdempotencyStore, sealer: IdempotencyDependencies['sealer']) {
  /** Undefined: it cannot be stored, because its subject was erased meanwhile or no key is available. A retry then runs. */
  async function sealed(subject: string, text: string): Promise<string | undefined> {
    try {
      return await sealer.seal(subject, text)
    } catch (cause) {
      if (!(cause instanceof KeyDestroyed || cause instanceof ServerUnavailable)) throw cause
      return undefined
    }
  }

  return {
    async keep(key: string, answer: Answer, subject: string): Promise<void> {
      const text = JSON.stringify(answer)
      const kept = text.length > ANSWER_MAX_CHARACTERS ? undefined : await sealed(subject, text)
      if (kept === undefined) await idempotencyStore.release(key)
      else await idempotencyStore.settle(key, kept)
    },
    /** @throws HttpError 404 the created resource has been erased since */
    async open(kept: string): Promise<string> {
      // Earlier versions stored responses unencrypted; those expire after a day.
      const text = isSealed(kept) ? await sealer.open(kept) : kept
      if (text === undefined) throw notFound()
      return text
    },
  }
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
    /** Accepts an idempotency key. `account`: the response is about the created account; otherwise about the caller. */
    idempotent?: 'own' | 'account'
    /**
     * For a route whose response shows something that its caller may have lost the right to see. A stored response is sent only after this.
     * @throws HttpError the answer to a new request, if the right is gone; the stored response is kept
     */
    beforeReplay?: (request: FastifyRequest) => Promise<void>
  }
}
