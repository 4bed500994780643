/**
 * HTTP/1.1 for large byte ranges, over connections that stay open: what comes is read by the kernel straight to where it is kept.
 * Through node:http each piece is copied twice on its way, into memory that is garbage at once: most of what reading a film cost.
 */
import { connect as connectPlain, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import type { Clock } from '../src/ports/clock.ts'

export interface Head {
  readonly statusCode: number
  /** By names in small letters; of a name that is there twice, the last. */
  readonly headers: ReadonlyMap<string, string>
}

export interface Question {
  readonly method: 'GET' | 'HEAD'
  /** Behind the base. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Takes the body, which is as long. */
  readonly into: Uint8Array
  /** Throws where the body is not to be taken. */
  readonly judge: (head: Head) => void
  /** So many bytes more of the body are there. */
  readonly came: (bytes: number) => void
  readonly signal: AbortSignal
}

export interface RangeClient {
  /** One try. Settles when all of the body is there. */
  ask(question: Question): Promise<Head>
  close(): void
}

export interface RangeClientOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly clock: Clock
}

interface Exchange {
  readonly question: Question
  head: Head | undefined
  filled: number
  movedAt: number
  readonly done: PromiseWithResolvers<Head>
}

/** What is read from a connection. */
interface Reading {
  /** Takes what comes before a body. */
  readonly opening: Buffer
  opened: number
  exchange: Exchange | undefined
}

interface Line {
  readonly socket: Socket
  readonly reading: Reading
}

/** From the request to the first byte of the answer, and from one piece of it to the next. */
const SILENT_MS = 10_000
const KEPT_CONNECTIONS = 8
const HEAD_BYTES = 16 * 1024
const HEAD_END = '\r\n\r\n'

export function createRangeClient({ baseUrl, clock }: RangeClientOptions): RangeClient {
  const base = new URL(baseUrl)
  const lines = new Set<Line>()

  function open(): Line {
    const reading: Reading = { opening: Buffer.allocUnsafeSlow(HEAD_BYTES), opened: 0, exchange: undefined }
    const callback = (bytes: number): boolean => {
      take(line, bytes, clock.monotonic())
      return true
    }
    const line: Line = { socket: connect(base, { buffer: () => placeFor(reading), callback }), reading }
    lines.add(line)
    line.socket.setNoDelay(true)
    line.socket.on('error', (cause) => reading.exchange?.done.reject(cause))
    line.socket.once('close', () => {
      lines.delete(line)
      reading.exchange?.done.reject(new Error('The server broke off'))
    })
    return line
  }

  function dropIdle(): void {
    const idle = [...lines].filter(({ reading }) => !reading.exchange)
    for (const { socket } of idle.slice(KEPT_CONNECTIONS)) socket.destroy()
  }

  return {
    async ask(question) {
      question.signal.throwIfAborted()
      const text = requestText(base, question)
      const line = [...lines].find(({ reading, socket }) => !reading.exchange && !socket.destroyed) ?? open()
      const exchange: Exchange = { question, head: undefined, filled: 0, movedAt: clock.monotonic(), done: Promise.withResolvers() }
      line.reading.exchange = exchange
      line.socket.ref()
      line.socket.write(text, 'latin1')
      const abort = (): void => exchange.done.reject(question.signal.reason)
      question.signal.addEventListener('abort', abort, { once: true })
      const disarm = watchSilence(exchange, clock)
      try {
        return await exchange.done.promise
      } catch (cause) {
        line.socket.destroy()
        throw cause
      } finally {
        disarm()
        dropIdle()
        question.signal.removeEventListener('abort', abort)
      }
    },

    close() {
      for (const { socket } of lines) socket.destroy()
    },
  }
}

function connect(base: URL, onread: NonNullable<TcpNetConnectOpts['onread']>): Socket {
  const secure = base.protocol === 'https:'
  const host = base.hostname.replace(/^\[(.*)\]$/, '$1')
  const options: TcpNetConnectOpts = { host, port: Number(base.port) || (secure ? 443 : 80), onread }
  if (!secure) return connectPlain(options)
  return connectSecure({ ...options, ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }), ALPNProtocols: ['http/1.1'] })
}

function requestText(base: URL, { method, path, headers }: Question): string {
  const lines = Object.entries({ host: base.host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  const text = [`${method} ${base.pathname.replace(/\/$/, '')}${path} HTTP/1.1`, ...lines]
  // Nothing that is said in a job may end a line.
  if (!text.every((line) => /^[\x20-\x7e\x80-\xff]+$/.test(line))) throw new Error('There are signs in it that no request may have')
  return text.join('\r\n') + HEAD_END
}

/** Where the next bytes go. */
function placeFor({ exchange, opening, opened }: Reading): Uint8Array {
  return exchange?.head ? exchange.question.into.subarray(exchange.filled) : opening.subarray(opened)
}

function take(line: Line, bytes: number, now: number): void {
  const { exchange } = line.reading
  // An answer that nobody asked for.
  if (!exchange) return void line.socket.destroy()
  exchange.movedAt = now
  try {
    if (exchange.head) fill(exchange, bytes)
    else takeOpening(line.reading, exchange, bytes)
    if (exchange.head && exchange.filled === exchange.question.into.byteLength) finish(line, exchange, exchange.head)
  } catch (cause) {
    exchange.done.reject(cause)
    line.socket.destroy()
  }
}

/** The connection is free for the next one, and keeps no process alive. */
function finish(line: Line, { done }: Exchange, head: Head): void {
  line.reading.exchange = undefined
  if (head.headers.get('connection') === 'close') line.socket.destroy()
  else line.socket.unref()
  done.resolve(head)
}

function fill(exchange: Exchange, bytes: number): void {
  exchange.filled += bytes
  exchange.question.came(bytes)
}

function takeOpening(reading: Reading, exchange: Exchange, bytes: number): void {
  reading.opened += bytes
  const end = reading.opening.subarray(0, reading.opened).indexOf(HEAD_END)
  if (end < 0 && reading.opened === HEAD_BYTES) throw new Error('The server answers with a head without an end')
  if (end < 0) return
  const head = headOf(reading.opening.toString('latin1', 0, end))
  const rest = reading.opening.subarray(end + HEAD_END.length, reading.opened)
  reading.opened = 0
  if (head.statusCode < 200) return takeAgain(reading, exchange, rest)
  judge(exchange.question, head)
  if (rest.byteLength > exchange.question.into.byteLength) throw new Error('The server sends more than it was asked for')
  exchange.head = head
  exchange.question.into.set(rest)
  if (rest.byteLength > 0) fill(exchange, rest.byteLength)
}

/** Something was said in between; the answer follows. */
function takeAgain(reading: Reading, exchange: Exchange, rest: Uint8Array): void {
  reading.opening.set(rest)
  if (rest.byteLength > 0) takeOpening(reading, exchange, rest.byteLength)
}

function headOf(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n')
  const [, statusCode] = /^HTTP\/1\.[01] (\d{3})\b/.exec(first) ?? []
  if (statusCode === undefined) throw new Error('The server does not speak HTTP')
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  return { statusCode: Number(statusCode), headers }
}

function judge({ method, into, judge: ask }: Question, head: Head): void {
  ask(head)
  if (method === 'HEAD' || head.headers.get('content-length') === String(into.byteLength)) return
  throw new Error('The server does not send as much as it was asked for')
}

/** One timer for all pieces. */
function watchSilence(exchange: Exchange, clock: Clock): () => void {
  let disarm: () => void
  const look = (): void => {
    const left = exchange.movedAt + SILENT_MS - clock.monotonic()
    if (left > 0) disarm = clock.after(left, look)
    else exchange.done.reject(new Error('The server does not answer'))
  }
  disarm = clock.after(SILENT_MS, look)
  return () => disarm()
}
