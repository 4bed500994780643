/**
 * `npm run cluster -- --media <folder>` runs a larger site on this machine, on the servers that it has: two API nodes behind a
 * reverse proxy, two projectors (or `--projectors 1`) and two transcode agents. Ctrl-C ends all of it, and nothing is kept.
 *
 * Every process gets all settings (`MARQUEE_...`), for example `MARQUEE_RATE_LIMIT=100000` for load tests.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { columns } from '../../../src/process/columns.ts'
import { startCluster, type Cluster } from './cluster.ts'
import { startProxy, type Proxy } from './proxy.ts'
import { startClusterServers, type ClusterServers } from './servers.ts'
import type { TestServer } from '../../fakes/server.ts'

const PORT = 8420
const EMAIL = 'admin@localhost'
const RANDOM_PASSWORD_BYTES = 12
const SECRET_BYTES = 32

const STAND_IN = `
*** There is no EventStoreDB here, only the stand-in of test/fakes/event-store, which speaks its protocol.
*** MARQUEE_TEST_ESDB_URL=esdb://host:2113?tls=false names a real one, whose log has to be empty.
`

const given = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(?:MARQUEE_(?!TEST_)|FF)/.test(name)))
const password = given['MARQUEE_ADMIN_PASSWORD'] ?? randomBytes(RANDOM_PASSWORD_BYTES).toString('base64url')
const email = given['MARQUEE_ADMIN_EMAIL'] ?? EMAIL
const secret = given['MARQUEE_SECRET'] ?? randomBytes(SECRET_BYTES).toString('hex')

interface Running {
  readonly folder: string
  /** Set while the servers are starting, too. */
  servers?: ReturnType<typeof startClusterServers>
  cluster?: Cluster
  proxy?: Proxy
}

const running: Running = { folder: mkdtempSync(join(tmpdir(), 'marquee-cluster-')) }
const asked = new Promise<void>((settle) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => settle())
})
process.exit(await main())

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { media: { type: 'string' }, projectors: { type: 'string', default: '2' } } })
  const media = values.media === undefined ? undefined : resolve(process.env['INIT_CWD'] ?? process.cwd(), values.media)
  let exitCode = 0
  try {
    await Promise.race([start(media, projectorsOf(values.projectors)), asked])
    await asked
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause)
    exitCode = 1
  }
  console.log('Stopping all of it.')
  await running.proxy?.close()
  await running.cluster?.end()
  const servers = await running.servers
  if (servers && !('missing' in servers)) await servers.stop()
  rmSync(running.folder, { recursive: true, force: true })
  return exitCode
}

async function start(media: string | undefined, projectors: number): Promise<void> {
  const named = process.env['MARQUEE_TEST_ESDB_URL']
  if (!named) console.log(STAND_IN)
  running.servers = startClusterServers({
    eventLogUrl: named || undefined,
    mongodbUrl: process.env['MARQUEE_TEST_MONGODB_URL'] || undefined,
  })
  const servers = await running.servers
  if ('missing' in servers) throw new Error(`These servers are not on this machine: ${servers.missing.join(', ')}`)
  const { folder } = running
  const env = { ...settings(), MARQUEE_ADMIN_PASSWORD: password, MARQUEE_ADMIN_EMAIL: email }
  const cluster = await startCluster({ servers, folder, secret, media, env, apis: 2, projectors, agents: 2 })
  running.cluster = cluster
  const port = Number(given['MARQUEE_PORT'] ?? PORT)
  const proxy = await startProxy({ nodes: cluster.apis.map(({ url }) => url), port })
  running.proxy = proxy
  await cluster.ready()
  console.log(textOf(servers, cluster, proxy))
}

function projectorsOf(text: string): number {
  if (text !== '1' && text !== '2') throw new Error(`--projectors is 1 or 2, not ${text}`)
  return Number(text)
}

/** Settings of a single process are not passed on. */
function settings(): Record<string, string> {
  const own = new Set(['MARQUEE_PORT', 'MARQUEE_HOST', 'MARQUEE_DATA_DIR', 'MARQUEE_BLOBS', 'MARQUEE_ROLES', 'MARQUEE_SECRET'])
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value && !own.has(name) ? [[name, value]] : [])))
}

function textOf({ eventLog, mongodb, nats }: ClusterServers, { apis, programs }: Cluster, { url }: Proxy): string {
  const addressOf = (name: string) => apis.find((api) => api.name === name)?.url ?? '-'
  const rows = [
    ['what', 'where', 'pid', 'program'],
    ...[eventLog, mongodb, nats].map(serverRow),
    ...programs.map((program) => [program.name, addressOf(program.name), String(program.pid()), 'Marquee']),
    ['reverse proxy', url, String(process.pid), 'node:http'],
  ]
  const account = ['The first account:', `  e-mail    ${email}`, `  password  ${password}`]
  const signing = ['The signing secret of all processes:', `  ${secret}`]
  const lines = [...columns(rows), '', `Go to:  ${url}`, ...account, '', ...signing]
  return ['', ...lines, '', `Its folder is ${running.folder}. Ctrl-C ends all of it, and nothing is kept.`, ''].join('\n')
}

/** Without the password of the connection string. */
function serverRow(server: TestServer): readonly string[] {
  const pid = server.pid()
  return ['server', server.url.replace(/\/\/[^@/]*@/, '//'), pid === 0 ? '-' : String(pid), server.name]
}
