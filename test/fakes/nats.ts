/**
 * Provides NATS for tests: the server in `MARQUEE_TEST_NATS_URL`, otherwise every version of nats-server on the PATH, each started with
 * JetStream, a user and a password.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { findPrograms, tellMissing } from '../fixtures/programs.ts'
import { startTestServer, type TestServer } from './server.ts'

export interface NatsUnderTest {
  readonly version: string
  /** Returns a URL with a new prefix at each call, so that tests are isolated. */
  url(prefix?: string): string
}

export interface OwnNats extends NatsUnderTest {
  readonly server: TestServer
  /** JetStream's storage folder. */
  readonly store: string
}

const USER = 'marquee'
export const NATS_PASSWORD = 'p@ss word/1'
const GREETING_MS = 2_000

/** Runs the tests over each available NATS. */
export async function overNats(t: Test, tests: (t: Test, nats: NatsUnderTest) => void | Promise<void>): Promise<void> {
  const named = process.env['MARQUEE_TEST_NATS_URL']
  if (!named) return overOwnNats(t, tests)
  const version = await versionAt(new URL(named))
  await t.test(`over NATS ${version}`, async (t) => tests(t, { version, url: (prefix) => withPrefix(named, prefix) }))
}

/** The same, only over servers that the tests may kill. */
export async function overOwnNats(t: Test, tests: (t: Test, nats: OwnNats) => void | Promise<void>): Promise<void> {
  const programs = versionsFound()
  if (programs.size === 0)
    tellMissing(t, 'nats', 'nats-server: apt-get install nats-server, or go install github.com/nats-io/nats-server/v2')
  for (const [version, command] of programs) {
    await t.test(`over NATS ${version}`, async (t) => {
      const { server, store } = await startNats(command, version)
      t.teardown(() => server.stop())
      await tests(t, { version, server, store, url: (prefix) => withPrefix(server.url, prefix) })
    })
  }
}

/** The same with a given configuration, in which free ones replace its port, health port and folder. `host` is `address:port`. */
export async function overConfiguredNats(
  t: Test,
  configuration: string,
  tests: (t: Test, host: string) => void | Promise<void>,
): Promise<void> {
  const programs = versionsFound()
  if (programs.size === 0) tellMissing(t, 'nats', 'nats-server: apt-get install nats-server')
  const file = join(t.testdir({ 'nats.conf': configuration.replace(/^http: .*$/m, '').replace(/store_dir: [^,]+, /, '') }), 'nats.conf')
  for (const [version, command] of programs) {
    await t.test(`over NATS ${version}`, async (t) => {
      const server = await startTestServer({
        name: `NATS ${version}`,
        url: (port) => `127.0.0.1:${port}`,
        command,
        args: ({ port, folder }) => ['-c', file, '--addr', '127.0.0.1', '--port', String(port), '--store_dir', join(folder, 'store')],
        answers: async (port) => (await greeting('127.0.0.1', port)) !== undefined,
      })
      t.teardown(() => server.stop())
      await tests(t, server.url)
    })
  }
}

/** The newest version on this machine; undefined if there is none. */
export async function startNewestNats(): Promise<TestServer | undefined> {
  const newestLast = [...versionsFound()].toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
  const [version, command] = newestLast.at(-1) ?? []
  return version !== undefined && command !== undefined ? (await startNats(command, version)).server : undefined
}

async function startNats(command: string, version: string): Promise<Pick<OwnNats, 'server' | 'store'>> {
  let store = ''
  const server = await startTestServer({
    name: `NATS ${version}`,
    url: (port) => `nats://${USER}:${encodeURIComponent(NATS_PASSWORD)}@127.0.0.1:${port}`,
    command,
    args({ port, folder }) {
      store = join(folder, 'store')
      return ['--addr', '127.0.0.1', '--port', String(port), '--user', USER, '--pass', NATS_PASSWORD, '--jetstream', '--store_dir', store]
    },
    answers: async (port) => (await greeting('127.0.0.1', port)) !== undefined,
  })
  return { server, store }
}

/** The first program of each version. */
function versionsFound(): ReadonlyMap<string, string> {
  const versions = new Map<string, string>()
  for (const path of findPrograms('nats-server')) {
    const version = /v(\d\S*)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[1] ?? path
    if (!versions.has(version)) versions.set(version, path)
  }
  return versions
}

function withPrefix(url: string, prefix = `test-${randomBytes(6).toString('hex')}`): string {
  return `${url.replace(/\/$/, '')}/${prefix}`
}

async function versionAt({ hostname, port }: URL): Promise<string> {
  const text = await greeting(hostname, Number(port || 4222))
  return /"version":"([^"]+)"/.exec(text ?? '')?.[1] ?? 'of MARQUEE_TEST_NATS_URL'
}

/** The server's greeting, if a server answers. */
function greeting(host: string, port: number): Promise<string | undefined> {
  return new Promise((settle) => {
    const socket = connect({ host, port, timeout: GREETING_MS })
    const done = (text?: string): void => {
      socket.destroy()
      settle(text)
    }
    socket.once('data', (data) => done(String(data)))
    for (const event of ['error', 'close', 'timeout']) socket.once(event, () => done())
  })
}
