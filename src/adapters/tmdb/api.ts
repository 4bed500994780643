/** Queries the API for JSON of a known shape; concurrent identical queries share one call, and answers are cached. */
import { hash } from 'node:crypto'
import { createSingleFlight } from '../../concurrency/single-flight.ts'
import type { Clock } from '../../ports/clock.ts'
import { OnlineAway, OnlineRefused } from '../../ports/online-metadata.ts'
import type { Answer, Calls } from './calls.ts'
import type { ResponseCache } from './response-cache.ts'
import { isKeyRefusal } from './shapes.ts'

export interface Question<Answer> {
  /** Relative to the API's address. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly isRight: (value: unknown) => value is Answer
  /** How long such an answer is valid; undefined: the provider has none. */
  readonly keepMs: (answer: Answer | undefined) => number
}

export interface Api {
  /** Undefined: the provider does not have it. @throws OnlineAway; OnlineRefused; the signal's reason */
  ask<Answer>(question: Question<Answer>, signal: AbortSignal): Promise<Answer | undefined>
}

export interface ApiOptions {
  readonly url: string
  readonly key: string
  readonly calls: Calls
  readonly answers: ResponseCache
  readonly clock: Clock
}

const BYTES_MAX = 5 * 1024 * 1024
const TIME_MS = 10_000
const JSON_TYPE = /^application\/(?:\w+\+)?json$/

export function createApi({ url, key, calls, answers, clock }: ApiOptions): Api {
  const flights = createSingleFlight<unknown>()
  const isToken = key.startsWith('eyJ')
  const headers = { accept: 'application/json', 'user-agent': 'Marquee', ...(isToken ? { authorization: `Bearer ${key}` } : {}) }

  /** Null if the provider does not have it. */
  async function call(address: URL, signal: AbortSignal): Promise<unknown> {
    const keyed = new URL(address)
    if (!isToken) keyed.searchParams.set('api_key', key)
    return readAnswer(await calls({ url: keyed, headers, type: JSON_TYPE, bytesMax: BYTES_MAX, timeMs: TIME_MS }, signal), address)
  }

  return {
    async ask({ path, query, isRight, keepMs }, signal) {
      const address = new URL(`${url}${path}`)
      for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
      const name = hash('sha256', address.href)
      const answer = await flights.join(
        name,
        async (signal) => {
          const kept = await answers.get(name)
          const ageMs = clock.now() - (kept?.savedAt ?? 0)
          if (kept && ageMs >= 0 && isUsable(kept.answer, isRight) && ageMs < keepMs(kept.answer ?? undefined)) return kept.answer
          const answer = await call(address, signal)
          if (!isUsable(answer, isRight)) throw new OnlineAway(`${address.host} answered in another shape than was expected`)
          await answers.put(name, answer)
          return answer
        },
        signal,
      )
      return isRight(answer) ? answer : undefined
    },
  }
}

const isUsable = <Answer>(answer: unknown, isRight: (value: unknown) => value is Answer): answer is Answer | null =>
  answer === null || isRight(answer)

function readAnswer({ status, contentType, bytes }: Answer, { host }: URL): unknown {
  const json = JSON_TYPE.test(contentType) ? parsed(bytes) : undefined
  // A firewall or another third party may also answer 403 for a while.
  const isRefused = status === 401 || (status === 403 && json !== undefined) || isKeyRefusal(json)
  if (isRefused) throw new OnlineRefused(`${host} does not take the key in MARQUEE_TMDB_KEY`)
  if (status === 200 && json !== undefined) return json
  // A third party may also answer 404.
  if (status === 404 && json !== undefined) return null
  throw new OnlineAway(status === 200 ? `${host} answered no JSON` : `${host} answered ${status}`)
}

/** Undefined for null, too, which is just as empty. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) ?? undefined
  } catch {
    return undefined
  }
}
