/**
 * A fake of The Movie Database: a server on a free port that speaks its JSON with the real member names, for a catalogue that a test
 * provides. It records requests, and has injectable faults.
 * To run it by hand, with invented texts and drawn images of the media set's films: `node test/fakes/tmdb.ts --port 8500`, then set
 * MARQUEE_TMDB_URL=http://127.0.0.1:8500/3 and MARQUEE_TMDB_KEY as it prints.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import type { Test } from 'tap'
import { answerTo, type TmdbMovie } from './tmdb-answers.ts'
import { drawImages, MOVIES } from './tmdb-catalogue.ts'

/** Accepted credentials: a key in the query, or a token in the header. */
export const TMDB_KEY = '0123456789abcdef0123456789abcdef'
export const TMDB_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0ZXN0In0.c2lnbmF0dXJl'

export interface TmdbCall {
  /** `/3/movie/10378`, `/t/p/original/a.jpg`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly authorization: string | undefined
}

export type TmdbFault =
  /** 500, 503, 404, ... with the provider's usual body. */
  | { readonly type: 'status'; readonly status: number }
  /** 429; `retryAfter` is the raw header, seconds or a date. */
  | { readonly type: 'too-many'; readonly retryAfter?: string }
  | { readonly type: 'redirect'; readonly to: string }
  /** The whole response body is this JSON. */
  | { readonly type: 'says'; readonly json: unknown }
  /** The same as text, for JSON that only a text can represent. */
  | { readonly type: 'says-text'; readonly text: string }
  /** A page of another site, status 200 by default. */
  | { readonly type: 'html'; readonly status?: number }
  /** hang: never answers. cut: the connection breaks in the middle of the body. slow: sends the headers, then nothing. */
  | { readonly type: 'hang' | 'cut' | 'slow' | 'not-json' | 'huge' | 'wrong-key' }

export interface FaultLimits {
  /** Number of affected responses; default: all. */
  readonly times?: number
  /** Affects only paths that match. */
  readonly on?: RegExp
}

export interface TmdbOptions {
  readonly movies?: readonly TmdbMovie[]
  /** By `/name.jpg`. */
  readonly images?: Readonly<Record<string, Uint8Array>>
  /** The same at 300 pixels' width; other images have no small version. */
  readonly smallImages?: Readonly<Record<string, Uint8Array>>
  readonly port?: number
}

export interface TmdbServer {
  /** Value for MARQUEE_TMDB_URL; the images are on the same host. */
  readonly url: string
  readonly key: string
  /** In the order of arrival; `calls.length = 0` clears them. */
  readonly calls: TmdbCall[]
  /** Number of open requests. */
  open(): number
  /** Replaces the current fault; none: responds normally. */
  fault(fault?: TmdbFault, limits?: FaultLimits): void
  close(): Promise<void>
}

const SMALL = '/t/p/w300/'
const HUGE_BYTES = 30 * 1024 * 1024
const TYPES: Readonly<Record<string, string>> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp', svg: 'image/svg+xml' }

/** Closed when the test ends. */
export async function startTmdb(t: Test, options: TmdbOptions = {}): Promise<TmdbServer> {
  const server = await serveTmdb(options)
  t.teardown(() => server.close())
  return server
}

async function serveTmdb({ movies = MOVIES, images = {}, smallImages = {}, port = 0 }: TmdbOptions): Promise<TmdbServer> {
  const calls: TmdbCall[] = []
  let err: { readonly fault: TmdbFault; readonly on: RegExp; left: number } | undefined
  let open = 0
  const server = createServer((request, response) => {
    const call = callOf(request)
    calls.push(call)
    open++
    response.once('close', () => open--)
    if (err && err.left > 0 && err.on.test(call.path)) {
      err.left--
      return failing(response, err.fault)
    }
    if (call.path.startsWith('/t/p/')) return sendImage(response, call.path, call.path.startsWith(SMALL) ? smallImages : images)
    if (!isAllowed(call)) return failing(response, { type: 'wrong-key' })
    const { status, body } = answerTo(call, { movies, imageBase: `http://${request.headers.host}/t/p/` })
    sendJson(response, status, body)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/3`,
    key: TMDB_KEY,
    calls,
    open: () => open,
    fault: (fault, { times = Infinity, on = /^/ } = {}) => void (err = fault && { fault, on, left: times }),
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}

function callOf({ url = '/', headers }: IncomingMessage): TmdbCall {
  const { pathname, searchParams } = new URL(url, 'http://tmdb')
  return { path: pathname, query: Object.fromEntries(searchParams), authorization: headers.authorization }
}

const isAllowed = ({ query, authorization }: TmdbCall): boolean => query['api_key'] === TMDB_KEY || authorization === `Bearer ${TMDB_TOKEN}`

function failing(response: ServerResponse, fault: TmdbFault): void {
  switch (fault.type) {
    case 'status':
      return sendJson(response, fault.status, { success: false, status_code: 11, status_message: 'Internal error: Something went wrong.' })
    case 'too-many':
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter)
      return sendJson(response, 429, { status_code: 25, status_message: 'Your request count (41) is over the allowed limit of (40).' })
    case 'wrong-key':
      return sendJson(response, 401, {
        success: false,
        status_code: 7,
        status_message: 'Invalid API key: You must be granted a valid key.',
      })
    case 'redirect':
      return void response.writeHead(302, { location: fault.to }).end()
    case 'says':
      return sendJson(response, 200, fault.json)
    case 'says-text':
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(fault.text)
    case 'html':
      return void response
        .writeHead(fault.status ?? 200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Sign in to this network</title>')
    default:
      return breaking(response, fault.type)
  }
}

function breaking(response: ServerResponse, type: 'hang' | 'cut' | 'slow' | 'not-json' | 'huge'): void {
  if (type === 'hang') return
  const begun = response.writeHead(200, { 'content-type': 'application/json' })
  if (type === 'huge') return void begun.end(`{"id":1,"title":"${'a'.repeat(HUGE_BYTES)}"}`)
  if (type === 'not-json') return void begun.end('{"id": 1, "title": ')
  begun.write('{"id": 1, "title": "A film", "overview": "', () => {
    if (type === 'cut') response.destroy()
  })
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json;charset=utf-8' }).end(JSON.stringify(body))
}

function sendImage(response: ServerResponse, path: string, images: Readonly<Record<string, Uint8Array>>): void {
  const name = path.slice(path.lastIndexOf('/'))
  const bytes = path === `/t/p/original${name}` || path === `/t/p/w300${name}` ? images[name] : undefined
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
  if (!bytes || !type) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>File not Found</h1>')
  else response.writeHead(200, { 'content-type': type }).end(bytes)
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
  const { url, key } = await serveTmdb({ port: Number(values.port), images: await drawImages(MOVIES) })
  console.log(`MARQUEE_TMDB_URL=${url} MARQUEE_TMDB_KEY=${key}`)
}
