/**
 * A cluster of real processes whose API node is killed, or suspended until another node takes over its scan and its watched session.
 * Nobody is rejected permanently, every film is added once, and a player waits only briefly.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startCluster, untilReady, type ApiNode, type Cluster } from '../cluster/cluster.ts'
import { openClusterLog } from '../cluster/engines.ts'
import { startClusterServers, type ClusterServers } from '../cluster/servers.ts'
import { makeClip, programs } from '../../fixtures/media-files.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { SETTINGS, signIn, type Api } from './server-process.ts'
import { readWholeLog } from './whole-log.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const FILMS = 10
/** Two are probed at a time. */
const PROBE_S = 1.5
/** Lease lifetime, poll interval of the other node, and a margin for a loaded machine. */
const TAKEN_OVER_S = 15 + 10 + 10
const PATIENCE_S = 60
const LOOK_EVERY_MS = 100
const LEASE_MS = 15_000
/** Lease lifetime, and a margin for a loaded machine. */
const SESSION_MOVED_S = 15 + 10
const BEAT_EVERY_MS = 500
/** Longest wait of a player for a response: as long as its node may be suspended unnoticed, plus the views of two nodes. */
const ANSWER_MS = 8_000

t.setTimeout(300_000)

interface Scan {
  readonly id: string
  readonly state: string
  readonly progress: { readonly done: number }
  readonly counts: { readonly added: number; readonly seen: number }
}

interface Node {
  readonly node: ApiNode
  readonly api: Api
}

t.test('API nodes that die or are held while they scan', async (t) => {
  const servers = await startClusterServers()
  if ('missing' in servers) return servers.missing.forEach((name) => tellMissing(t, name))
  t.teardown(() => servers.stop())
  const folder = testFolder(t)
  const cluster = await start(t, servers, folder)
  const nodes = await Promise.all(cluster.apis.map(async (node) => ({ node, api: await signIn(node.url) })))
  const paths = await makeMediaFiles(folder, ['killed', 'held'])

  await t.test('one that is killed while it scans', (t) => killed(t, nodes, paths[0] ?? ''))
  await t.test('one that is held while it scans', (t) => held(t, nodes, paths[1] ?? ''))
  await t.test('one that is killed while it has a session', (t) => killedWithSession(t, nodes))
  await t.test('every film was taken in once', (t) => takenInOnce(t, servers))
  t.strictSame(await cluster.end(), [], 'every program ends as it should')
})

async function start(t: Test, servers: ClusterServers, folder: string): Promise<Cluster> {
  const slow = join(folder, 'slow-ffprobe')
  const { ffmpeg, ffprobe } = await programs
  writeFileSync(slow, `#!/bin/sh\ncase "$*" in *-version*) ;; *) sleep ${PROBE_S} ;; esac\nexec '${ffprobe}' "$@"\n`)
  chmodSync(slow, 0o755)
  const env = { ...SETTINGS, FFMPEG_PATH: ffmpeg, FFPROBE_PATH: slow, MARQUEE_LOG_LEVEL: 'warn' }
  const secret = randomBytes(32).toString('hex')
  const cluster = await startCluster({ servers, secret, folder: join(folder, 'data'), env, apis: 2, projectors: 2, agents: 1 })
  t.teardown(() => cluster.end('SIGKILL'))
  await cluster.ready()
  return cluster
}

/** In a format that only ffprobe reads. Each has other bytes, so that each is probed. */
async function makeMediaFiles(folder: string, names: readonly string[]): Promise<readonly string[]> {
  const clip = await makeClip({ path: join(folder, 'clip.ts'), seconds: 1, width: 64, height: 48, fps: 5 })
  return names.map((name, set) => {
    const media = join(folder, 'media', name)
    mkdirSync(media, { recursive: true })
    for (let n = 0; n < FILMS; n++) {
      const path = join(media, `Film ${name} ${n} (200${n}).ts`)
      copyFileSync(clip, path)
      appendFileSync(path, Buffer.alloc(188 * (set * FILMS + n + 1), 0xff))
    }
    return media
  })
}

async function newLibrary(node: Node | undefined, path: string): Promise<string> {
  const settings = { watchFiles: false, trickplay: false }
  const made = await node?.api.send('POST', '/v1/libraries', { name: path.slice(-20), path, settings })
  return String(made?.json['id'])
}

const asScan = (json: object) => json as unknown as Scan

async function current({ api }: Node, libraryId: string): Promise<Scan> {
  return asScan((await api.send('GET', `/v1/libraries/${libraryId}/scan`)).json)
}

/** Polls until the condition holds; returns the seconds it took. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<number> {
  const startMs = performance.now()
  while (!(await isSo())) {
    if (performance.now() - startMs > PATIENCE_S * 1000) throw new Error(`Not so: ${what}`)
    await sleep(LOOK_EVERY_MS)
  }
  return (performance.now() - startMs) / 1000
}

/** Both request at once: the node that scans, and the other one. */
async function race(t: Test, nodes: readonly Node[], libraryId: string) {
  const asked = await Promise.all(nodes.map(({ api }) => api.send('POST', `/v1/libraries/${libraryId}/scan`, {})))
  t.strictSame(asked.map(({ status }) => String(status)).toSorted(), ['202', '409'], 'of two that start it at once one is refused')
  const first = asked.findIndex(({ status }) => status === 202)
  const [scanning, other] = [nodes[first], nodes[1 - first]]
  if (!scanning || !other) throw new Error('Nobody scans')
  const scan = asScan(asked[first]?.json ?? {})
  for (const node of nodes) await until('both see its progress', async () => (await current(node, libraryId)).progress.done >= 2)
  return { scanning, other, scan }
}

/** Repeats the request until it is accepted; returns the seconds. */
async function scanAgain(t: Test, { api }: Node, libraryId: string) {
  let scan: Scan | undefined
  const seconds = await until('a new scan is not refused', async () => {
    const { status, json } = await api.send('POST', `/v1/libraries/${libraryId}/scan`, {})
    if (status === 202) scan = asScan(json)
    else if (status !== 409 && status !== 503) t.fail(`${status}`)
    return scan !== undefined
  })
  t.ok(seconds < TAKEN_OVER_S, `a new scan after ${seconds.toFixed(1)} s`)
  return scan?.id ?? ''
}

async function completes(t: Test, node: Node, libraryId: string): Promise<void> {
  await until('it ends', async () => (await current(node, libraryId)).state === 'completed')
  const { json } = await node.api.send('GET', `/v1/movies?libraryId=${libraryId}&limit=100`)
  const titles = (json['items'] as unknown as { title: string }[]).map(({ title }) => title)
  t.equal(titles.length, FILMS, 'its films are to be seen with its end')
  t.equal(new Set(titles).size, FILMS)
}

async function killed(t: Test, nodes: readonly Node[], path: string): Promise<void> {
  const libraryId = await newLibrary(nodes[0], path)
  const { scanning, other, scan } = await race(t, nodes, libraryId)
  await scanning.node.kill()
  await scanAgain(t, other, libraryId)
  const gone = await other.api.send('GET', `/v1/libraries/${libraryId}/scans/${scan.id}`)
  t.equal(asScan(gone.json).state, 'interrupted')
  await completes(t, other, libraryId)
  scanning.node.restart()
  await untilReady(scanning.node.url)
}

async function held(t: Test, nodes: readonly Node[], path: string): Promise<void> {
  const libraryId = await newLibrary(nodes[0], path)
  const { scanning, other, scan } = await race(t, nodes, libraryId)
  const player = watch(other, await startSession(scanning))
  await until('it plays', async () => player.answers.some(({ status }) => status === 200))
  const fromMs = performance.now()
  scanning.node.stop()
  const second = await scanAgain(t, other, libraryId)
  await until('the second scan is at it', async () => (await current(other, libraryId)).progress.done >= 4)
  await until('the session has moved', async () => player.answers.some(({ status, atMs }) => status === 200 && atMs > fromMs + LEASE_MS))
  scanning.node.cont()
  await completes(t, other, libraryId)
  await player.stop()
  judgeBeats(t, player, fromMs)
  await untilReady(scanning.node.url)
  t.equal((await current(scanning, libraryId)).id, second, 'the one that was held sees it')
  const gone = await scanning.api.send('GET', `/v1/libraries/${libraryId}/scans/${scan.id}`)
  t.equal(asScan(gone.json).state, 'interrupted')

  t.equal((await scanning.api.send('POST', `/v1/libraries/${libraryId}/scan`, { mode: 'full' })).status, 202)
  const cancelled = await other.api.send('DELETE', `/v1/libraries/${libraryId}/scan`)
  t.strictSame([cancelled.status, asScan(cancelled.json).state], [202, 'cancelled'], 'cancelled from the other node')
  t.equal((await other.api.send('POST', `/v1/libraries/${libraryId}/scan`, {})).status, 202, 'and the next one need not wait')
  await completes(t, scanning, libraryId)
}

/** A player that reports its position, and records the responses. */
function watch({ api }: Node, session: string) {
  const answers: { readonly status: number; readonly tookMs: number; readonly atMs: number }[] = []
  const stopping = new AbortController()
  async function beat(): Promise<void> {
    for (let position = 0.01; !stopping.signal.aborted; position += 0.001) {
      const fromMs = performance.now()
      const { status } = await api.send('POST', `/v1/playback/sessions/${session}/heartbeat`, { position })
      answers.push({ status, tookMs: performance.now() - fromMs, atMs: performance.now() })
      await sleep(BEAT_EVERY_MS)
    }
  }
  const beating = beat()
  return {
    answers,
    async stop() {
      stopping.abort()
      await beating
    },
  }
}

async function startSession({ api }: Node): Promise<string> {
  const { json } = await api.send('GET', '/v1/movies?limit=1')
  const [movie] = json['items'] as unknown as { id: string }[]
  const { json: session } = await api.send('POST', '/v1/playback/sessions', { movieId: movie?.id })
  return String(session['id'])
}

/** A player's responses while its node was down: success or 503, and a success within one lease lifetime. */
function judgeBeats(t: Test, { answers }: Pick<ReturnType<typeof watch>, 'answers'>, fromMs: number): void {
  t.strictSame(answers.filter(({ status }) => status !== 200 && status !== 503).slice(0, 3), [], 'answers or 503, never 404')
  const again = answers.find(({ status, atMs }, n) => status === 200 && atMs > fromMs && answers[n - 1]?.status === 503)
  t.ok(again && again.atMs - fromMs < SESSION_MOVED_S * 1000, `goes on after ${(((again?.atMs ?? 0) - fromMs) / 1000).toFixed(1)} s`)
  const slowest = Math.max(...answers.map(({ tookMs }) => tookMs))
  t.ok(slowest < ANSWER_MS, `the slowest answer took ${(slowest / 1000).toFixed(1)} s`)
}

async function killedWithSession(t: Test, nodes: readonly Node[]): Promise<void> {
  const [one, two] = nodes
  if (!one || !two) throw new Error('Two nodes are needed')
  const player = watch(two, await startSession(one))
  await until('it plays', async () => player.answers.some(({ status }) => status === 200))
  const fromMs = performance.now()
  await one.node.kill()
  await until('another node has it', async () => player.answers.some(({ status, atMs }) => status === 200 && atMs > fromMs + LEASE_MS))
  await player.stop()
  judgeBeats(t, player, fromMs)
  one.node.restart()
  await untilReady(one.node.url)
}

async function takenInOnce(t: Test, servers: ClusterServers): Promise<void> {
  const log = await openClusterLog(servers)
  const events = await readWholeLog(log)
  await log.close()
  const paths = events.flatMap(({ type, data }) => (type === 'MovieFileAdded' ? [data.path] : []))
  t.equal(paths.length, 2 * FILMS)
  t.equal(new Set(paths).size, 2 * FILMS)
  t.equal(events.filter(({ type }) => type === 'MovieDiscovered').length, 2 * FILMS)
  t.equal(events.filter(({ type }) => type === 'MovieFileMissing').length, 0)
}
