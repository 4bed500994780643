/**
 * One HTTP exchange with a server: bounded in time and bytes, without redirects. Errors contain nothing of the request, which may hold a
 * key.
 */
import { abortable } from '../../concurrency/timeout.ts'
import type { Clock } from '../../ports/clock.ts'
import { mayConnect, type Lookup } from './public-host.ts'

export interface Request {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Content type of an acceptable answer. */
  readonly type: RegExp
  readonly bytesMax: number
  readonly timeMs: number
}

export type Outcome =
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

export type Exchange = (request: Request, signal: AbortSignal) => Promise<Outcome>

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
        message: over.signal.aborted ? `gave no answer within ${request.timeMs / 1000} s` : reasonOf(cause),
        isPassing: true,
      }
    } finally {
      disarm()
      // Cancels an unread rest of the answer.
      over.abort()
    }
  }
}

async function ask({ url, headers, type, bytesMax }: Request, signal: AbortSignal, { clock, lookup }: ExchangeOptions): Promise<Outcome> {
  if (!(await abortable(mayConnect(url.hostname, lookup), signal))) return failed('has an address that is not public')
  const response = await fetch(url, { headers, redirect: 'manual', signal })
  const { status } = response
  if (status === 429) return { type: 'busy', waitMs: waitOf(response.headers.get('retry-after'), clock.now()) }
  if (status >= 500) return { type: 'fault', message: `answered ${status}`, isPassing: true }
  if (status >= 300 && status < 400) return failed(`answered ${status}, which is not followed`)
  const contentType = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (status === 200 && !type.test(contentType)) return failed('answered something else than was asked for')
  const bytes = await bodyOf(response, bytesMax)
  return bytes ? { type: 'answer', status, contentType, bytes } : failed(`answered more than ${bytesMax} bytes`)
}

const failed = (message: string): Outcome => ({ type: 'fault', message, isPassing: false })

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

/** From `Retry-After`, in seconds or as a date; at most an hour. */
function waitOf(header: string | null, now: number): number | undefined {
  const ms = /^\d{1,9}$/.test(header?.trim() ?? '') ? Number(header) * 1000 : Date.parse(header ?? '') - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), WAIT_MAX_MS)
}

/** By the code of the system or of the client, such as ECONNREFUSED: their messages may contain the request. */
function reasonOf(cause: unknown): string {
  const code = codeOf(cause) ?? (cause instanceof Error ? codeOf(cause.cause) : undefined)
  return code === undefined ? 'broke off' : `cannot be reached (${code})`
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : undefined
}
