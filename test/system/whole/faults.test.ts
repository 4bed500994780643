/**
 * Kills or suspends real processes under a load of heartbeats, marks and sessions: no acknowledged command is lost or executed twice, and
 * everything recovers by itself. `MARQUEE_TEST_FAULTS=all` makes faults longer, and also ends an API node; any other text selects the
 * faults of that name.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { columns } from '../../../src/process/columns.ts'
import { startCluster, type Cluster } from '../cluster/cluster.ts'
import { openClusterLog } from '../cluster/engines.ts'
import { startClusterServers, type ClusterServers } from '../cluster/servers.ts'
import type { Program } from '../cluster/program.ts'
import { makeClip } from '../../fixtures/media-files.ts'
import { until } from '../../fixtures/until.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import type { TestServer } from '../../fakes/server.ts'
import { compareWithLog } from './load-record.ts'
import { READS, runFault, type Fault, type Outcome, type Place } from './faults.ts'
import type { Answer, Viewer } from './load.ts'
import { scannedMovies, SETTINGS, signIn } from './server-process.ts'
import { readWholeLog } from './whole-log.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const ASKED = process.env['MARQUEE_TEST_FAULTS'] ?? ''
const ALL = ASKED === 'all'
const AWAY_MS = ALL ? 20_000 : 6_000
const FILMS = 4
/** Longest wait for any response. */
const ANSWER_MS = 12_000
/** The lease of the killed process must expire first. */
const RECOVERY_S = 30

/** A part that can be taken down. */
interface Part {
  readonly name: string
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void> | void
  readonly stop: () => void
  readonly cont: () => void
  /** Its name in `GET /readyz` while it is down. */
  readonly missing: RegExp
  /** Reads that must still work. */
  readonly reads: readonly string[]
}

const ofServer = (server: TestServer, rest: Pick<Part, 'name' | 'missing' | 'reads'>): Part => ({
  ...rest,
  kill: () => server.kill(),
  restart: () => server.restart(),
  stop: () => server.signal('SIGSTOP'),
  cont: () => server.signal('SIGCONT'),
})

const ofPrograms = (programs: readonly Program[], rest: Pick<Part, 'name' | 'missing' | 'reads'>): Part => ({
  ...rest,
  kill: async () => void (await Promise.all(programs.map((program) => program.kill()))),
  restart: () => programs.forEach((program) => program.restart()),
  stop: () => programs.forEach((program) => program.stop()),
  cont: () => programs.forEach((program) => program.cont()),
})

function partsOf({ projectors, apis }: Cluster, { eventLog, mongodb, nats }: ClusterServers): readonly Part[] {
  const all = [
    ofPrograms(projectors, { name: 'projectors', missing: /^/, reads: READS }),
    ofServer(nats, { name: nats.name, missing: /NATS/, reads: READS }),
    ofServer(mongodb, { name: mongodb.name, missing: /MongoDB/, reads: ['/healthz', '/v1/users/me'] }),
    ofServer(eventLog, { name: eventLog.name, missing: /EventStoreDB/, reads: READS }),
  ]
  return ALL ? [...all, ofPrograms(apis.slice(0, 1), { name: 'API node', missing: /^/, reads: [] })] : all
}

function faultsOf({ name, kill, restart, stop, cont }: Part): readonly Fault[] {
  return [
    { name: `${name}: SIGKILL`, awayMs: AWAY_MS, begin: kill, end: restart },
    { name: `${name}: SIGSTOP`, awayMs: AWAY_MS, begin: stop, end: cont },
  ]
}

t.setTimeout(ALL ? 900_000 : 360_000)

t.test('whatever is killed or held for a while, nothing acknowledged is lost, and all recovers by itself', async (t) => {
  const servers = await startClusterServers()
  if ('missing' in servers) return servers.missing.forEach((name) => tellMissing(t, name))
  t.teardown(() => servers.stop())
  const place = await open(t, servers)
  const idempotencyStore: Outcome[] = []
  t.teardown(() => console.error(tableOf(idempotencyStore)))
  for (const part of partsOf(place.cluster, servers)) {
    for (const fault of faultsOf(part).filter(({ name }) => ALL || name.includes(ASKED))) {
      const outcome = await runFault(fault, place)
      idempotencyStore.push(outcome)
      await t.test(fault.name, async (t) => judge(t, outcome, part))
    }
  }
  const log = await openClusterLog(servers)
  const events = await readWholeLog(log)
  await log.close()
  for (const { fault, record } of idempotencyStore)
    t.strictSame(compareWithLog(record, events), { lost: [], doubled: [] }, `${fault}: still so at the end`)
  t.strictSame(await place.cluster.end(), [], 'every program ends as it should')
})

async function open(t: Test, servers: ClusterServers): Promise<Place> {
  const folder = testFolder(t)
  const media = join(folder, 'media')
  mkdirSync(media)
  for (let n = 0; n < FILMS; n++)
    await makeClip({ path: join(media, `Film ${n} (200${n}).mp4`), seconds: 600 + n, width: 64, height: 48, fps: 1, audio: [] })
  const secret = randomBytes(32).toString('hex')
  const env = { ...SETTINGS, MARQUEE_LOG_LEVEL: 'warn' }
  const cluster = await startCluster({ servers, secret, folder: join(folder, 'data'), media, env, apis: 2, projectors: 2, agents: 1 })
  t.teardown(() => cluster.end('SIGKILL'))
  await cluster.ready()
  const admin = await signIn(cluster.apis[0]?.url ?? '')
  const movies = [...(await scannedMovies(admin)).values()].map(({ id }) => id)

  async function makeViewer(url: string): Promise<Viewer> {
    const account = { email: `${randomUUID()}@example.org`, password: 'a long password' }
    // The fault before has just ended: the server may still answer 503.
    await until(async () => [201, 409].includes((await admin.send('POST', '/v1/users', { ...account, name: 'A Viewer' })).status))
    return { url, api: await signIn(url, account) }
  }
  return { cluster, servers, movies, makeViewers: () => Promise.all(cluster.apis.map(({ url }) => makeViewer(url))) }
}

/** For sessions that a lost response had ended, and for keys whose first request is still running. */
const isExpected = ({ what, status, retryAfter }: Answer) =>
  (status >= 200 && status < 300) ||
  (status === 503 && retryAfter !== null) ||
  (status === 404 && what === 'end') ||
  (status === 409 && what === 'start')

function judge(t: Test, outcome: Outcome, part: Part): void {
  const { answers, whileAway, saidMissing } = outcome
  const kinds = Map.groupBy(answers, ({ what, status, reason }) => `${what} ${status} ${reason}`)
  for (const [kind, { length }] of kinds) t.comment(`${length} x ${kind}`)
  const isApi = part.name === 'API node'
  const odd = answers.filter((answer) => !isExpected(answer) && !(isApi && answer.status === 0))
  t.strictSame(odd.slice(0, 5), [], `${answers.length} answers: done, or 503 with Retry-After`)
  const late = answers.filter(({ tookMs }) => tookMs > (isApi ? AWAY_MS : 0) + ANSWER_MS)
  t.strictSame(late.slice(0, 5), [], 'nobody waits long')
  for (const path of part.reads) {
    const read = whileAway.filter(({ what }) => what === `read ${path}`)
    t.ok(read.length > 0, `${path} is read meanwhile`)
    t.strictSame(read.filter(({ status }) => status !== 200).slice(0, 3), [], `${path} goes on`)
  }
  t.match(saidMissing.join(', '), part.missing, 'GET /readyz names what is missing')
  t.ok(outcome.firstSuccessS < RECOVERY_S, `the first command after ${outcome.firstSuccessS.toFixed(1)} s`)
  t.ok(outcome.readyS < RECOVERY_S, `ready after ${outcome.readyS.toFixed(1)} s`)
  t.strictSame({ lost: outcome.log.lost, doubled: outcome.log.doubled }, { lost: [], doubled: [] }, `${outcome.acknowledged} commands once`)
  t.strictSame(outcome.stale, [], 'who was answered sees it')
  t.strictSame(outcome.views.differences, [], `${outcome.views.documents} documents are as the log makes them`)
}

const HEAD = [
  'fault',
  '2xx',
  '503',
  'other',
  'none',
  'slowest',
  'not ready because of',
  'first 2xx',
  'ready',
  'acknowledged',
  'lost',
  'twice',
]

function tableOf(idempotencyStore: readonly Outcome[]): string {
  const rows = idempotencyStore.map(({ fault, answers, saidMissing, firstSuccessS, readyS, acknowledged, log, views }) => {
    const count = (is: (answer: Answer) => boolean) => String(answers.filter(is).length)
    return [
      fault,
      count(({ status }) => status >= 200 && status < 300),
      count(({ status }) => status === 503),
      count(({ status }) => status >= 300 && status !== 503),
      count(({ status }) => status === 0),
      `${(Math.max(...answers.map(({ tookMs }) => tookMs)) / 1000).toFixed(1)} s`,
      saidMissing.join('; ') || '-',
      `${firstSuccessS.toFixed(1)} s`,
      `${readyS.toFixed(1)} s`,
      String(acknowledged),
      String(log.lost.length),
      String(log.doubled.length),
      `${views.differences.length} of ${views.documents}`,
    ]
  })
  return columns([[...HEAD, 'documents that differ'], ...rows]).join('\n')
}
