/**
 * One HTTP exchange with a server: bounded in time and bytes, without redirects. Errors contain nothing of the request, which may hold a
 * key.
 */
import { abortable } from '../../concurrency/timeout.ts'
import type { Clock } from '../../ports/clock.ts'
import { faultOf, retryAfterMs } from '../shared/http-answers.ts'
import { mayConnect, type Lookup } from './public-host.ts'

export interface Request {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Content type of an acceptable answer. */
  readonly type: RegExp
  readonly bytesMax: number
  readonly timeMs: number
}

export type ExchangeResult =
  | { readonly type: 'answer'; readonly status: number; readonly contentType: string; readonly bytes: Uint8Array }
  /** `waitMs`: the pause the server asks for; undefined if it states none. */
  | { readonly type: 'busy'; readonly waitMs: number | undefined }
  | { readonly type: 'fault'; readonly message: string; readonly isPassing: boolean }

export interface ExchangeOptions {
  readonly clock: Clock
  readonly lookup?: Lookup | undefined
}

/** Longest pause that is accepted. */
const WAIT_MAX_MS = 3_600_000

export type Exchange = (request: Request, signal: AbortSignal) => Promise<ExchangeResult>

/** Any status except those of 'busy' and of a server's own failure is an answer. @throws the signal's reason only */
export function createExchange({ clock, lookup }: ExchangeOptions): Exchange {
  return async (request, signal) => {
    const over = new AbortController()
    const disarm = clock.after(request.timeMs, () => over.abort())
    try {
      return await ask(request, AbortSignal.any([signal, over.signal]), { clock, lookup })
    } catch (cause) {
      signal.throwIfAborted()
      return {
        type: 'fault',
        message: over.signal.aborted ? `gave no answer within ${request.timeMs / 1000} s` : faultOf(cause),
        isPassing: true,
      }
    } finally {
      disarm()
      // Cancels an unread rest of the answer.
      over.abort()
    }
  }
}

async function ask(
  { url, headers, type, bytesMax }: Request,
  signal: AbortSignal,
  { clock, lookup }: ExchangeOptions,
): Promise<ExchangeResult> {
  if (!(await abortable(mayConnect(url.hostname, lookup), signal))) return failed('has an address that is not public')
  const response = await fetch(url, { headers, redirect: 'manual', signal })
  const { status } = response
  if (status === 429) {
    const waitMs = retryAfterMs(response.headers.get('retry-after'), clock.now())
    return { type: 'busy', waitMs: waitMs && Math.min(waitMs, WAIT_MAX_MS) }
  }
  if (status >= 500) return { type: 'fault', message: `answered ${status}`, isPassing: true }
  if (status >= 300 && status < 400) return failed(`answered ${status}, which is not followed`)
  const contentType = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (status === 200 && !type.test(contentType)) return failed('answered something else than was asked for')
  const bytes = await bodyOf(response, bytesMax)
  return bytes ? { type: 'answer', status, contentType, bytes } : failed(`answered more than ${bytesMax} bytes`)
}

const failed = (message: string): ExchangeResult => ({ type: 'fault', message, isPassing: false })

/** Undefined if there are more bytes: counted as they arrive, decompressed. */
async function bodyOf({ body }: Response, bytesMax: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of body ?? []) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > bytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
