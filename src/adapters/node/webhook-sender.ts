/**
 * Sends webhooks with Node's own client. Addresses are checked when the connection is made, by the look-up that the connection itself uses:
 * a name server that first names a public address and then a private one gains nothing.
 */
import { lookup as lookUp, type LookupAddress, type LookupOptions } from 'node:dns'
import { request as overHttp, type IncomingMessage } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Clock } from '../../ports/clock.ts'
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '../../ports/webhook-sender.ts'
import { faultOf, retryAfterMs } from '../shared/http-answers.ts'
import { createNetworks, isPublicAddress } from '../shared/public-address.ts'

export interface WebhookSenderOptions {
  readonly clock: Clock
  /** Networks that are allowed although they are not public. */
  readonly allow: readonly string[]
  /** Resolves a name; default: that of the system. */
  readonly resolve?: Resolve
}

export type Resolve = (host: string, done: (cause: NodeJS.ErrnoException | null, found: readonly LookupAddress[]) => void) => void

const TIME_MS = 10_000
/** The body of an answer means nothing: it is read so far, so that an honest receiver sees no reset connection. */
const ANSWER_MAX_BYTES = 16_384
const HEADERS_MAX_BYTES = 16_384
const URL_MAX = 2_000

const NOT_PUBLIC = 'has an address that is not public, and that MARQUEE_WEBHOOK_ALLOW does not allow'

class NotPublic extends Error {
  constructor() {
    super(NOT_PUBLIC)
    this.name = 'NotPublic'
  }
}

type Sending = WebhookSenderOptions & { readonly lookup: LookupFunction }

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { clock, allow, resolve = systemResolve } = options
  const isAllowed = createNetworks(allow)
  const mayReach = (address: string) => isPublicAddress(address) || isAllowed(address)
  const sending = { ...options, lookup: createLookup(resolve, mayReach) }

  function fault(text: string): string | undefined {
    const url = text.length <= URL_MAX ? URL.parse(text) : null
    if (!url || !/^https?:$/.test(url.protocol)) return 'is no http or https URL'
    if (url.username !== '' || url.password !== '') return 'contains a user name or a password'
    const host = hostOf(url)
    return isIP(host) > 0 && !mayReach(host) ? NOT_PUBLIC : undefined
  }

  return {
    fault,
    async send(request, signal) {
      const reason = fault(request.url)
      if (reason !== undefined) return { type: 'failed', reason }
      const over = new AbortController()
      const disarm = clock.after(TIME_MS, () => over.abort())
      try {
        return await post(sending, request, AbortSignal.any([signal, over.signal]))
      } catch (cause) {
        signal.throwIfAborted()
        return { type: 'failed', reason: over.signal.aborted ? `gave no answer within ${TIME_MS / 1000} s` : reasonOf(cause) }
      } finally {
        disarm()
      }
    },
  }
}

const systemResolve: Resolve = (host, done) => lookUp(host, { all: true }, done)

/** Without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replaceAll(/[[\]]/g, '')

const reasonOf = (cause: unknown): string => (cause instanceof NotPublic ? cause.message : faultOf(cause))

/** Fails if any address of the name is not allowed: a name of several addresses cannot smuggle one in. */
function createLookup(resolve: Resolve, mayReach: (address: string) => boolean): LookupFunction {
  return (host, { all, family }: LookupOptions, done) =>
    resolve(host, (cause, found) => {
      // With an error there are no addresses, not even an empty list.
      const [first] = cause ? [] : found
      if (cause) done(cause, [])
      else if (!first || !found.every(({ address }) => mayReach(address))) done(new NotPublic(), [])
      else if (all) done(null, [...found])
      else {
        const { address, family: own } = found.find((one) => one.family === family) ?? first
        done(null, address, own)
      }
    })
}

/** @throws the error of the connection, or the signal's reason, unless the receiver has answered before */
async function post({ clock, lookup }: Sending, { url: text, headers, body }: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WebhookAnswer>()
  const url = new URL(text)
  const bytes = Buffer.from(body)
  let answer: WebhookAnswer | undefined
  const end = (cause?: unknown): void => (answer ? resolve(answer) : reject(cause ?? new Error('The connection was closed')))
  const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, {
    method: 'POST',
    // A connection of its own: one that is kept could outlive a change of the name's address.
    agent: false,
    lookup,
    signal,
    maxHeaderSize: HEADERS_MAX_BYTES,
    headers: { 'user-agent': 'Marquee', ...headers, 'content-length': bytes.length },
  })
  request.on('response', (response) => {
    answer = { type: 'answered', status: response.statusCode ?? 0, pauseMs: retryAfterMs(response.headers['retry-after'], clock.now()) }
    drain(response)
  })
  request.on('error', end)
  request.on('close', () => end())
  request.end(bytes)
  return promise
}

function drain(response: IncomingMessage): void {
  let read = 0
  response.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read > ANSWER_MAX_BYTES) response.destroy()
  })
  // The status is known: how the body ends does not matter.
  response.on('error', () => {})
}
