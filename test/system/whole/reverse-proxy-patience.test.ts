/**
 * How long the documented proxies wait for the first byte of a response: a stub stands for a server whose encoder is slow. All times are a
 * twentieth of the real ones: 75 s of silence pass, although nginx waits for 60 s by default.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testFolder } from '../../fixtures/test-folder.ts'
import { ask, reach } from './reverse-proxy-client.ts'
import { caddy, isMissing, nginx, startProxy, traefik, type ProxyProgram } from './reverse-proxy-programs.ts'

const SHARE = 1 / 20
const milliseconds = (seconds: number): number => Math.round(seconds * 1_000 * SHARE)
const SILENT_MS = milliseconds(75)

interface Case {
  readonly proxy: ProxyProgram
  /** The documented timeout, in seconds. */
  readonly documented: RegExp
  /** The same setting with another time. */
  readonly setting: (ms: number) => string
}

const CASES: readonly Case[] = [
  { proxy: nginx, documented: /proxy_read_timeout (120)s;/, setting: (ms) => `proxy_read_timeout ${ms}ms;` },
  { proxy: caddy, documented: /response_header_timeout (120)s/, setting: (ms) => `response_header_timeout ${ms}ms` },
  { proxy: traefik, documented: /responseHeaderTimeout: (120)s/, setting: (ms) => `responseHeaderTimeout: ${ms}ms` },
]

for (const { proxy, documented, setting } of CASES) {
  t.test(`${proxy.name} waits for a slow segment as documented, and a shorter timeout would cut it`, { timeout: 300_000 }, async (t) => {
    if (isMissing(t, proxy)) return
    const serverUrl = await silentServer(t)
    const statusAfter = async (seconds: number): Promise<number> => {
      const changes = [[documented, setting(milliseconds(seconds))]] as const
      const running = await startProxy(t, proxy, { root: testFolder(t), serverUrl, changes })
      const client = await reach(t, running)
      // Traefik listens before it knows its routes.
      for (;;) {
        const { status } = await ask(client, '/segment')
        if (status !== 404) return status
        await sleep(50)
      }
    }
    t.equal(await statusAfter(120), 200)
    t.equal(await statusAfter(60), 504)
  })
}

/** Answers after a long silence. */
async function silentServer(t: Test): Promise<string> {
  const server = createServer((_request, response) => void sleep(SILENT_MS).then(() => response.end('a segment')))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => (server.closeAllConnections(), server.close()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
