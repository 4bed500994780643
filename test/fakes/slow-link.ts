/** A slow network: accepts TCP connections and forwards their bytes. All connections of one direction share a bandwidth. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SlowLink {
  readonly port: number
  close(this: void): void
}

export interface SlowLinkOptions {
  readonly toPort: number
  readonly bytesPerSecond: number
  /** The port to listen on; default: a free one. */
  readonly port?: number
}

/** Most that one connection may send in its turn. */
const TURN_BYTES = 16 * 1024
const SHORTEST_SLEEP_MS = 5

export async function startSlowLink({ toPort, bytesPerSecond, port = 0 }: SlowLinkOptions): Promise<SlowLink> {
  const sockets = new Set<Socket>()
  const [up, down] = [createLane(bytesPerSecond), createLane(bytesPerSecond)]
  const server = createServer((near) => {
    const far = connect({ host: '127.0.0.1', port: toPort })
    for (const socket of [near, far]) {
      sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)))
    }
    void pass(near, far, up)
    void pass(far, near, down)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

type Lane = (bytes: number) => Promise<void>

/** Settles when this many bytes have passed, after all earlier ones. */
function createLane(bytesPerSecond: number): Lane {
  let [freeAtMs, passedAtMs] = [0, -Infinity]
  return async (bytes) => {
    const now = performance.now()
    // Compensates late timers on a busy machine, so that the average rate is right.
    const isStream = now - passedAtMs < SHORTEST_SLEEP_MS
    freeAtMs = (isStream ? freeAtMs : Math.max(now, freeAtMs)) + (bytes / bytesPerSecond) * 1000
    if (freeAtMs - now > SHORTEST_SLEEP_MS) await sleep(freeAtMs - now)
    passedAtMs = performance.now()
  }
}

async function pass(from: Socket, to: Socket, lane: Lane): Promise<void> {
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; at += TURN_BYTES) {
        const turn = chunk.subarray(at, at + TURN_BYTES)
        await lane(turn.length)
        if (!to.write(turn)) await once(to, 'drain')
      }
    }
  } catch {
    // If one side breaks, the other side is closed too.
  } finally {
    to.destroy()
  }
}
