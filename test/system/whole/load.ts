/**
 * Generates a load of heartbeats, marks, short sessions and reads, by several users over several nodes. Commands answered with 2xx are
 * recorded; every response is kept with its duration.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { enter, markKey, openLoadRecord, type LoadRecord } from './load-record.ts'
import type { Api } from './server-process.ts'

export interface Viewer {
  /** URL of the node that this user calls. */
  readonly url: string
  readonly api: Pick<Api, 'token' | 'userId'>
}

export interface Answer {
  /** Time of the response, by the clock of `performance`. */
  readonly atMs: number
  readonly tookMs: number
  readonly what: string
  readonly url: string
  /** 0: no response, `reason` gives the cause. */
  readonly status: number
  readonly retryAfter: string | null
  /** Reason of a failure. */
  readonly reason: string
}

export interface Load {
  readonly record: LoadRecord
  readonly answers: readonly Answer[]
  /** Reads that did not show an earlier acknowledged command of the same user. */
  readonly stale: readonly string[]
  /** Settles when all requests in flight have been answered. */
  stop(): Promise<void>
}

export interface LoadOptions {
  readonly viewers: readonly Viewer[]
  /** At least two: those at even indexes are played, the others marked. */
  readonly movies: readonly string[]
  /** Pause between two requests of one player; 0: as fast as possible. */
  readonly pauseMs: number
  /** Paths that are read repeatedly. */
  readonly reads?: readonly string[]
}

interface Asking {
  readonly what: string
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly key?: string
}

/** Longer than any response may take. */
const ANSWER_MS = 25_000
const AGAIN_MS = 250
const REASON_MAX = 200

export function startLoad({ viewers, movies, pauseMs, reads = [] }: LoadOptions): Load {
  const record = openLoadRecord()
  const answers: Answer[] = []
  const stale: string[] = []
  const stopping = new AbortController()
  const isOn = () => !stopping.signal.aborted
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {})

  async function ask({ url, api }: Viewer, { what, method, path, body, key }: Asking) {
    const startMs = performance.now()
    const headers = {
      authorization: `Bearer ${api.token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    }
    const note = (status: number, retryAfter: string | null, reason: string) => {
      const atMs = performance.now()
      answers.push({ atMs, tookMs: atMs - startMs, what, url, status, retryAfter, reason: status < 300 && status > 0 ? '' : reason })
    }
    try {
      const signal = AbortSignal.timeout(ANSWER_MS)
      const answer = await fetch(`${url}${path}`, { method, headers, signal, ...(body ? { body: JSON.stringify(body) } : {}) })
      const text = await answer.text()
      note(answer.status, answer.headers.get('retry-after'), text.slice(0, REASON_MAX))
      return { status: answer.status, json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {} }
    } catch (cause) {
      note(0, null, String(cause instanceof Error && cause.cause !== undefined ? cause.cause : cause).slice(0, REASON_MAX))
      return { status: 0, json: {} }
    }
  }

  /** Retries until a 2xx; undefined if the load has ended before. */
  async function insist(viewer: Viewer, asking: Asking) {
    for (; isOn(); await pause(AGAIN_MS)) {
      const answer = await ask(viewer, asking)
      if (answer.status >= 200 && answer.status < 300) return answer
    }
    return undefined
  }

  /** Starts a session with an idempotency key, so that retries create only one. */
  async function begin(viewer: Viewer, movieId: string): Promise<string | undefined> {
    const key = randomUUID()
    const start = { userId: viewer.api.userId, sessionId: null as string | null, ended: false }
    record.starts.set(key, start)
    const asking = { what: 'start', method: 'POST', path: '/v1/playback/sessions', body: { movieId }, key }
    const id = (await insist(viewer, asking))?.json['id']
    if (typeof id !== 'string') return undefined
    start.sessionId = id
    return id
  }

  async function watch(viewer: Viewer, movieId: string): Promise<void> {
    const session = await begin(viewer, movieId)
    if (session === undefined) return
    const path = `/v1/playback/sessions/${session}/heartbeat`
    for (let positionMs = 100; isOn(); positionMs++) {
      const beat = enter(record.beats, session, { positionMs, acknowledged: false })
      const { status } = await ask(viewer, { what: 'heartbeat', method: 'POST', path, body: { position: positionMs / 1000 } })
      beat.acknowledged = status === 200
      await pause(beat.acknowledged ? pauseMs : AGAIN_MS)
    }
  }

  async function mark(viewer: Viewer, movieId: string): Promise<void> {
    const path = `/v1/movies/${movieId}`
    for (let watched = true; isOn(); watched = !watched) {
      const entry = enter(record.marks, markKey(viewer.api.userId, movieId), { watched, acknowledged: false })
      const marked = await insist(viewer, { what: 'mark', method: watched ? 'PUT' : 'DELETE', path: `${path}/watched` })
      entry.acknowledged = marked !== undefined
      if (!marked) return
      const seen = await ask(viewer, { what: 'read own mark', method: 'GET', path })
      if (seen.status === 200 && seen.json['watched'] !== watched) stale.push(`${path} does not show watched: ${watched}`)
      await pause(pauseMs)
    }
  }

  async function comeAndGo(viewer: Viewer, movieId: string): Promise<void> {
    for (; isOn(); await pause(pauseMs * 4)) {
      const session = await begin(viewer, movieId)
      const start = [...record.starts.values()].find(({ sessionId }) => sessionId === session)
      if (session === undefined || !start) return
      for (; isOn() && !start.ended; await pause(AGAIN_MS)) {
        const { status } = await ask(viewer, { what: 'end', method: 'DELETE', path: `/v1/playback/sessions/${session}` })
        // After an ambiguous response, 404 means that it has ended.
        start.ended = status === 204 || status === 404
      }
    }
  }

  async function read(viewer: Viewer, path: string): Promise<void> {
    for (; isOn(); await pause(pauseMs * 4)) await ask(viewer, { what: `read ${path}`, method: 'GET', path })
  }

  const [played, marked] = [movies.filter((_, n) => n % 2 === 0), movies.filter((_, n) => n % 2 === 1)]
  const running = viewers.flatMap((viewer) => [
    ...played.map((movie) => watch(viewer, movie)),
    ...marked.map((movie) => mark(viewer, movie)),
    ...played.slice(0, pauseMs > 0 ? 1 : 0).map((movie) => comeAndGo(viewer, movie)),
    ...reads.map((path) => read(viewer, path)),
  ])
  return {
    record,
    answers,
    stale,
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
