/**
 * The typed client of the API: methods and paths are those of its description (`schema.d.ts`). The session cookie authenticates; no
 * script ever sees the token.
 */
import type { Client } from 'openapi-fetch'
import type { paths } from './schema.d.ts'
import { NO_ANSWER, problemOf, RequestFailed, type Answer } from './problems.ts'

/** How far the log was in the oldest answer: what has happened since comes as events. */
export const answers = { since: Infinity }

interface Fetched<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

type Value = string | number | boolean
type Values = Readonly<Record<string, Value | readonly Value[] | undefined>>

/** What requests of this client have; the types of `Client` say more. */
interface Init extends RequestInit {
  readonly params?: { readonly path?: Values; readonly query?: Values }
  readonly parseAs?: 'json' | 'text'
}

type Send = (path: string, init?: Init) => Promise<Fetched<unknown>>

/** The path with its parameters and its query. Lists are repeated; what is undefined is left out. */
export function addressOf(template: string, { path = {}, query = {} }: NonNullable<Init['params']> = {}): string {
  const pathname = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))
  const text = Object.entries(query)
    .flatMap(([name, values]) => [values ?? []].flat().map((value) => `${name}=${encodeURIComponent(value)}`))
    .join('&')
  return text === '' ? pathname : `${pathname}?${text}`
}

const sender =
  (method: string): Send =>
  async (path, { params, parseAs = 'json', body, headers, ...init } = {}) => {
    const response = await fetch(addressOf(path, params), {
      ...init,
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(headers as Record<string, string>) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) return { error: jsonOr(text), response }
    return { data: parseAs === 'text' ? text : text === '' ? undefined : (JSON.parse(text) as unknown), response }
  }

/** A proxy may answer with a page. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const api = Object.fromEntries(
  ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, sender(method)]),
) as unknown as Pick<Client<paths>, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>

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
