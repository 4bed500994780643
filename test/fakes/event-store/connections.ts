/** Serves gRPC (HTTP/2 with prior knowledge) and HTTP/1 on one port. The first bytes of a connection decide which it is. */
import { subscribe } from 'node:diagnostics_channel'
import { createServer, type Socket } from 'node:net'
import type { ServerHttp2Stream } from 'node:http2'

export interface Connections {
  readonly listen: (port: number) => Promise<void>
  /** Resets one connection, identified by its remote address. */
  readonly cut: (peer: string) => void
  readonly cutAll: () => void
  /** Ends every call without a gRPC status and accepts no new connection, like the real server at SIGTERM. */
  readonly endAll: () => Promise<void>
}

/** Start of an HTTP/2 connection. */
const PREFACE = 'PRI '

export function createConnections(take: { http1: (socket: Socket) => void; http2: (socket: Socket) => void }): Connections {
  const sockets = new Map<string, Socket>()
  const calls = openCalls()

  const server = createServer({ noDelay: true }, (socket) => {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`
    sockets.set(peer, socket)
    socket.once('close', () => sockets.delete(peer))
    socket.on('error', () => {})
    socket.once('data', (bytes: Buffer) => {
      socket.pause()
      socket.unshift(bytes)
      if (bytes.toString('latin1').startsWith(PREFACE)) return take.http2(socket)
      take.http1(socket)
      process.nextTick(() => socket.resume())
    })
  })

  return {
    listen: (port) => new Promise((settle, reject) => void server.once('error', reject).listen(port, '127.0.0.1', settle)),
    cut: (peer) => void sockets.get(peer)?.resetAndDestroy(),
    cutAll: () => sockets.forEach((socket) => socket.resetAndDestroy()),
    async endAll() {
      server.close()
      await Promise.all([...calls].map((call) => endWithoutStatus(call)))
    },
  }
}

/** The gRPC library does not expose the HTTP/2 streams of its calls. */
function openCalls(): ReadonlySet<ServerHttp2Stream> {
  const calls = new Set<ServerHttp2Stream>()
  subscribe('http2.server.stream.created', (message) => {
    const { stream } = message as { stream: ServerHttp2Stream }
    calls.add(stream)
    stream.once('close', () => calls.delete(stream))
  })
  return calls
}

/** Settles when the connection has closed too, so that the other side has received the end. */
const endWithoutStatus = (call: ServerHttp2Stream): Promise<void> =>
  new Promise((settle) => {
    call.session?.once('close', settle)
    call.close()
    call.session?.close()
  })
