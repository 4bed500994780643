/** Sessions on two API nodes, one of which is killed, or has a wrong clock. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { makeClip } from '../../fixtures/media-files.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { startCluster, type Cluster } from '../cluster/cluster.ts'
import { startClusterServers } from '../cluster/servers.ts'
import { scannedMovies, SETTINGS, signIn, type Api } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

/** A second more than a request's lease, three times: until a retry takes over, also on a busy machine. */
const TAKEN_OVER_MS = 60_000
const AHEAD_MS = 10 * 60_000
/** Several rounds of the task that ends idle sessions. */
const WATCHED_MS = 25_000

interface TwoNodes {
  readonly cluster: Cluster
  readonly movieId: string
}

/** Two API nodes with one film; undefined if servers are missing. */
async function twoNodes(t: Test, apiEnv?: (folder: string, n: number) => Readonly<Record<string, string>>): Promise<TwoNodes | undefined> {
  const servers = await startClusterServers()
  if ('missing' in servers) {
    for (const name of servers.missing) tellMissing(t, name)
    return undefined
  }
  t.teardown(() => servers.stop())
  const folder = testFolder(t)
  const media = join(folder, 'media')
  mkdirSync(media)
  await makeClip({ path: join(media, 'A Clip (2020).mkv'), seconds: 12 })
  const secret = randomBytes(32).toString('hex')
  const cluster = await startCluster({
    servers,
    secret,
    folder: join(folder, 'data'),
    env: SETTINGS,
    apis: 2,
    agents: 0,
    media,
    apiEnv: (n) => apiEnv?.(folder, n) ?? {},
  })
  t.teardown(() => cluster.end('SIGKILL'))
  await cluster.ready()
  const movies = await scannedMovies(await signIn(cluster.apis[0]?.url ?? ''))
  return { cluster, movieId: movies.get('A Clip')?.id ?? '' }
}

const activeIds = async (api: Api): Promise<readonly string[]> => {
  const { json } = await api.send('GET', '/v1/playback/sessions/active')
  return (json['items'] as unknown as readonly { readonly id: string }[]).map(({ id }) => id)
}

t.test('a keyed start of a session whose node is killed is carried out once, by the other node', { timeout: 200_000 }, async (t) => {
  const nodes = await twoNodes(t)
  if (!nodes) return
  const { cluster, movieId } = nodes
  const [first, second] = cluster.apis
  if (!first || !second) throw new Error('Two API nodes were to be started')
  const other = await signIn(second.url)
  const started: string[] = []
  for (const delayMs of [2, 10, 30]) {
    const key = randomBytes(12).toString('hex')
    const post = (url: string) =>
      fetch(`${url}/v1/playback/sessions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${other.token}`, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ movieId }),
      })
    const lost = post(first.url).catch(() => undefined)
    await sleep(delayMs)
    await first.kill()
    const killedAt = performance.now()
    await lost
    let answer = await post(second.url)
    const statuses = [answer.status]
    while (answer.status !== 201 && performance.now() - killedAt < TAKEN_OVER_MS) {
      t.ok(answer.headers.has('retry-after'), `${answer.status} says when to ask again`)
      await sleep(500)
      answer = await post(second.url)
      statuses.push(answer.status)
    }
    t.equal(answer.status, 201)
    t.comment(`killed after ${delayMs} ms: answered ${Math.round(performance.now() - killedAt)} ms later, ${statuses.join(' ')}`)
    started.push(((await answer.json()) as { readonly id: string }).id)
    first.restart()
    await first.printed(/Ctrl-C stops/)
  }
  t.strictSame([...(await activeIds(other))].toSorted(), started.toSorted(), 'one session for each key')
})

t.test('a node whose clock is ten minutes ahead ends no session of the other node', { timeout: 200_000 }, async (t) => {
  const ahead10 = (folder: string): string => {
    const file = join(folder, 'clock.mjs')
    writeFileSync(
      file,
      `const Real = Date
globalThis.Date = class extends Real {
  constructor(...given) { given.length === 0 ? super(Real.now() + ${AHEAD_MS}) : super(...given) }
  static now() { return Real.now() + ${AHEAD_MS} }
}\n`,
    )
    return `--import=${file}`
  }
  const nodes = await twoNodes(t, (folder, n) => (n === 2 ? { NODE_OPTIONS: ahead10(folder) } : {}))
  if (!nodes) return
  const [right, ahead] = nodes.cluster.apis
  if (!right || !ahead) throw new Error('Two API nodes were to be started')
  const api = await signIn(right.url)
  const sessions: string[] = []
  for (let n = 0; n < 5; n++) {
    const { status, json } = await api.send('POST', '/v1/playback/sessions', { movieId: nodes.movieId })
    t.equal(status, 201)
    sessions.push(String(json['id']))
  }
  const until = performance.now() + WATCHED_MS
  while (performance.now() < until) {
    for (const id of sessions) t.equal((await api.send('POST', `/v1/playback/sessions/${id}/heartbeat`, { position: 1 })).status, 200)
    await sleep(5_000)
  }
  t.strictSame([...(await activeIds(api))].toSorted(), sessions.toSorted())
  t.match(await (await fetch(`${right.url}/readyz`)).text(), /clock/i, 'readiness says that a clock is off')
})
