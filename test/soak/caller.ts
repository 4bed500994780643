/** A signed-in member of the household. Every answer is counted by its status, so that a run shows what the server refused. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Answer {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
}

export interface Caller {
  readonly token: string
  send(method: string, path: string, body?: object): Promise<Answer>
  /** Reads a response to its end; returns it as text. */
  bytes(path: string, headers?: Readonly<Record<string, string>>): Promise<string>
  /** Opens the event stream for a while, and breaks it off. */
  listen(ms: number, lastEventId: string | undefined): Promise<string | undefined>
}

/** By method, path without ids, and status. */
export type Tally = Map<string, number>

const ANSWER_MS = 30_000
const ID = /[\w-]{21}/g
/** The client's idle connections would count as the server's open sockets. */
const NO_REUSE = { connection: 'close' }

export async function signInAs(url: string, account: { readonly email: string; readonly password: string }, tally: Tally): Promise<Caller> {
  const { json } = await request({ url, tally, method: 'POST', path: '/api/auth/sign-in/email', body: account })
  return callerOf(url, String(json['token']), tally)
}

interface Request {
  readonly url: string
  readonly tally: Tally
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>>
}

function callerOf(url: string, token: string, tally: Tally): Caller {
  return {
    token,
    send: (method, path, body) => request({ url, tally, token, method, path, body }),
    bytes: async (path, headers = {}) => (await request({ url, tally, token, headers, method: 'GET', path })).text,
    listen: (ms, lastEventId) => listen(url, { token, ms, lastEventId, tally }),
  }
}

async function request({ url, tally, method, path, token, body, headers = {} }: Request): Promise<Answer & { readonly text: string }> {
  const credential: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const kind: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...NO_REUSE, ...credential, ...kind, ...headers },
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    note(tally, `${method} ${path}`, answer.status)
    return { status: answer.status, text, json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {} }
  } catch {
    note(tally, `${method} ${path}`, 0)
    return { status: 0, text: '', json: {} }
  }
}

interface Listening {
  readonly token: string
  readonly ms: number
  readonly lastEventId: string | undefined
  readonly tally: Tally
}

async function listen(url: string, { token, ms, lastEventId, tally }: Listening): Promise<string | undefined> {
  const ended = new AbortController()
  const resume: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const headers = { ...NO_REUSE, authorization: `Bearer ${token}`, ...resume }
  let last = lastEventId
  try {
    const answer = await fetch(`${url}/api/events`, { headers, signal: ended.signal })
    note(tally, 'GET /api/events', answer.status)
    void sleep(ms).then(() => ended.abort())
    for await (const chunk of answer.body ?? []) last = /(?:^|\n)id: ?(\S+)/.exec(Buffer.from(chunk).toString())?.[1] ?? last
  } catch {
    // Broken off, as intended.
  }
  return last
}

function note(tally: Tally, what: string, status: number): void {
  const key = `${what
    .split('?')[0]
    ?.replaceAll(ID, '{id}')
    .replace(/seg-\d+|\d+\.vtt/, '{n}')} ${status}`
  tally.set(key, (tally.get(key) ?? 0) + 1)
}
