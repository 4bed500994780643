/**
 * A small reverse proxy in front of several API nodes, round-robin over the live ones. Streams both ways without buffering, so that films
 * and live events pass. It skips nodes that refuse connections or do not respond.
 */
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Proxy {
  readonly url: string
  close(): Promise<void>
}

export interface ProxyOptions {
  /** Addresses of the API nodes, `http://127.0.0.1:8421`. */
  readonly nodes: readonly string[]
  readonly port?: number
  /** Called for each request once it is over. */
  readonly passed?: (passed: Passed) => void
}

export interface Passed {
  readonly path: string
  /** Status sent to the client; 0: the client left before it, or the response was cut off. */
  readonly status: number
  /** Start and end, by the clock of `performance`. */
  readonly fromMs: number
  readonly toMs: number
}

const LOOK_EVERY_MS = 500
const LOOK_MS = 1500
const HEAD_BYTES = 64 * 1024
/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'upgrade'])

export async function startProxy({ nodes, port = 0, passed }: ProxyOptions): Promise<Proxy> {
  const dead = new Set<string>()
  const stopping = new AbortController()
  let turn = 0

  /** Every node once, live ones first, starting with another one each time. */
  function order(): readonly string[] {
    const start = turn++ % nodes.length
    const round = [...nodes.slice(start), ...nodes.slice(0, start)]
    return [...round.filter((node) => !dead.has(node)), ...round.filter((node) => dead.has(node))]
  }

  async function look(node: string): Promise<void> {
    while (!stopping.signal.aborted) {
      const lives = await fetch(`${node}/healthz`, { signal: AbortSignal.timeout(LOOK_MS) }).then(
        (answer) => answer.body?.cancel().then(() => true),
        () => false,
      )
      if (lives) dead.delete(node)
      else dead.add(node)
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const server = createServer({ maxHeaderSize: HEAD_BYTES, requestTimeout: 0 }, (incoming, answer) => {
    if (passed) tellWhenOver(incoming, answer, passed)
    pass(incoming, answer, { nodes: order(), refused: (node) => dead.add(node) })
  })
  await new Promise<void>((settle, fail) => server.once('error', fail).listen(port, '127.0.0.1', settle))
  const address = server.address()
  const looking = Promise.all(nodes.map(look))
  return {
    url: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : port}`,
    async close() {
      stopping.abort()
      server.close()
      server.closeAllConnections()
      await looking
    },
  }
}

function tellWhenOver({ url: path = '' }: IncomingMessage, answer: ServerResponse, passed: (passed: Passed) => void): void {
  const fromMs = performance.now()
  answer.once('close', () => {
    const status = answer.writableFinished ? answer.statusCode : 0
    passed({ path, status, fromMs, toMs: performance.now() })
  })
}

interface Passing {
  readonly nodes: readonly string[]
  readonly refused: (node: string) => void
}

/** To the first node that accepts the connection: a request that one node has accepted is never sent to another. */
function pass(incoming: IncomingMessage, answer: ServerResponse, { nodes: [node, ...others], refused }: Passing): void {
  if (node === undefined) return giveUp(answer, 503, 'No node answers')
  const { method, url: path } = incoming
  // A new connection for each request: a reused one may be dead without notice.
  const outgoing = ask(new URL(node), { method, path, headers: requestHeaders(incoming), agent: false })
  let isTaken = false
  let isAnswered = false
  outgoing.once('socket', (socket) =>
    socket.once('connect', () => {
      isTaken = true
      incoming.pipe(outgoing)
    }),
  )
  outgoing.once('response', (response) => {
    isAnswered = true
    answer.writeHead(response.statusCode ?? 502, response.statusMessage, answerHeaders(response))
    // At once: the headers of live events come long before their first byte.
    answer.flushHeaders()
    response.pipe(answer)
    response.once('error', () => answer.destroy())
  })
  outgoing.on('error', () => {
    if (isAnswered) return
    if (isTaken) return giveUp(answer, 502, 'The node broke off')
    refused(node)
    pass(incoming, answer, { nodes: others, refused })
  })
  answer.once('close', () => {
    if (isTaken) outgoing.destroy()
  })
}

function giveUp(answer: ServerResponse, status: 502 | 503, error: string): void {
  if (answer.headersSent || answer.destroyed) return void answer.destroy()
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': '1',
    'x-proxy': 'marquee',
  }
  answer.writeHead(status, headers).end(JSON.stringify({ error }))
}

/** If a node closes the connection after a body that it did not read to its end, the client's connection is closed too. */
function answerHeaders({ rawHeaders, headers }: IncomingMessage): string[] {
  const closes = /(?:^|,)\s*close\s*(?:,|$)/i.test(headers.connection ?? '')
  return [...passedOn(rawHeaders), ...(closes ? ['Connection', 'close'] : [])]
}

/** Raw headers: alternating names and values. */
function passedOn(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, n) => !HOP_BY_HOP.has((rawHeaders[n - (n % 2)] ?? '').toLowerCase()))
}

function requestHeaders({ rawHeaders, headers, socket }: IncomingMessage): string[] {
  const kept = passedOn(rawHeaders)
  const isOurs = (name: string) => /^x-forwarded-(?:for|proto|host)$/i.test(name)
  const others = kept.filter((_, n) => !isOurs(kept[n - (n % 2)] ?? ''))
  const before = headers['x-forwarded-for']
  const chain = [...(before === undefined ? [] : [before].flat()), socket.remoteAddress ?? ''].join(', ')
  const forwarded = ['X-Forwarded-For', chain, 'X-Forwarded-Proto', 'http', 'X-Forwarded-Host', headers.host ?? '']
  // A request to close would make the node announce it in every response.
  return [...others, ...forwarded, 'Connection', 'keep-alive']
}
