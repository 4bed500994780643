/**
 * The typed client of the API, made from its description. The only file that imports openapi-fetch. The session cookie authenticates;
 * no script ever sees the token.
 */
import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'
import { NO_ANSWER, problemOf, RequestFailed, type Answer } from './problems.ts'

export const api = createClient<paths>({ baseUrl: globalThis.location?.origin ?? '' })

/** How far the log was in the oldest answer: what has happened since comes as events. */
export const answers = { since: Infinity }

interface Fetched<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** The answer or the problem, as a value. Only an abort is thrown. */
export async function answerOf<T>(request: Promise<Fetched<T>>): Promise<Answer<T>> {
  try {
    const { data, error, response } = await request
    answers.since = Math.min(answers.since, Number(response.headers.get('x-log-seq') ?? Infinity))
    if (!response.ok) return { ok: false, problem: problemOf(response, error) }
    return { ok: true, value: data as T, etag: response.headers.get('etag') }
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    return { ok: false, problem: NO_ANSWER }
  }
}

/** For queries. @throws RequestFailed */
export async function valueOf<T>(request: Promise<Fetched<T>>): Promise<T> {
  const answer = await answerOf(request)
  if (!answer.ok) throw new RequestFailed(answer.problem)
  return answer.value
}
