/**
 * Idempotency keys (draft-ietf-httpapi-idempotency-key-header-07): a repeat of a request that made something is answered as it was
 * the first time, and makes nothing. Answers are kept sealed with the key of the person that they are about, so that erasing the
 * person erases them too.
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
  readonly idempotencyStore: IdempotencyStore
  readonly sealer: Pick<Sealer, 'seal' | 'open'>
  readonly ids: Ids
  /** Bodies may hold passwords: their fingerprints are made with a secret, so that nobody can try words on them. */
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
    if (begun.state === 'settled') return replay(reply, await answers.open(begun.answer))
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
const stillRunning = () =>
  new HttpError('The request with this key is still running; try again', { status: 409, code: 'conflict', headers: { 'retry-after': '1' } })

function answerOf(reply: FastifyReply, payload: unknown): Answer {
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  return { status: reply.statusCode, headers: Object.fromEntries(headers), body: typeof payload === 'string' ? payload : '' }
}

/** Whom the answer is about: the account that was made, else the caller. */
function subjectOf({ caller, routeOptions }: FastifyRequest, payload: unknown): string {
  const made: unknown = routeOptions.config.idempotent === 'account' ? Reflect.get(Object(JSON.parse(String(payload))), 'id') : undefined
  return typeof made === 'string' ? made : (caller?.userId ?? '')
}

function createAnswers(idempotencyStore: IdempotencyStore, sealer: IdempotencyDependencies['sealer']) {
  /** Undefined: it cannot be kept, because its subject was erased meanwhile or no key can be had. A repeat is then carried out. */
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
    /** @throws HttpError 404 what was made was erased since */
    async open(kept: string): Promise<string> {
      // Answers that an earlier version kept as they were are gone after a day.
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
    /** Takes an idempotency key. `account`: its answer is about the account that it makes; else it is about the caller. */
    idempotent?: 'own' | 'account'
  }
}
