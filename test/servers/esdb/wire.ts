/** A proxy between the adapter and its server that can drop the server's replies and cut connections. */
import { connect, createServer, type Socket } from 'node:net'

export interface Wire {
  /** The connection string through the proxy. */
  readonly url: string
  /** From now on requests reach the server, and its replies are dropped. */
  mute(): void
  /** Cuts all connections; later ones work. */
  cut(): void
  /** Bytes received from the server. */
  heardBytes(): number
  close(): Promise<void>
}

export async function layWire(serverUrl: string): Promise<Wire> {
  const [, host = '', port = ''] = /^esdb:\/\/([^:/?]+):(\d+)/.exec(serverUrl) ?? []
  const sockets = new Set<Socket>()
  let muted = false
  let heardBytes = 0
  const server = createServer((near) => {
    const far = connect(Number(port), host)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => {
      heardBytes += bytes.length
      if (!muted && !near.write(bytes)) far.pause()
    })
    near.on('drain', () => far.resume())
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const address = server.address()
  const own = address && typeof address === 'object' ? address.port : 0
  const cut = (): void => {
    muted = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: serverUrl.replace(`${host}:${port}`, `127.0.0.1:${own}`),
    mute: () => void (muted = true),
    cut,
    heardBytes: () => heardBytes,
    async close() {
      cut()
      await new Promise((settle) => server.close(settle))
    },
  }
}
