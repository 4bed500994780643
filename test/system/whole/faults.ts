/** Injects one fault under load. Records the responses while a part is down, the time to recovery, and the final log and read models. */
import { setTimeout as sleep } from 'node:timers/promises'
import { untilReady, type Cluster } from '../cluster/cluster.ts'
import { openClusterLog, openClusterStore } from '../cluster/engines.ts'
import type { ClusterServers } from '../cluster/servers.ts'
import { acknowledgedIn, compareWithLog, type LoadRecord, type Discrepancies } from './load-record.ts'
import { startLoad, type Answer, type Viewer } from './load.ts'
import { compareWithRebuild, readWholeLog, rebuild, type Compared } from './whole-log.ts'

export interface Fault {
  readonly name: string
  readonly awayMs: number
  /** Takes the part down, and brings it back. */
  readonly begin: () => Promise<void> | void
  readonly end: () => Promise<void> | void
}

export interface Place {
  readonly cluster: Cluster
  readonly servers: ClusterServers
  /** New users, so that each fault has separate records. */
  readonly makeViewers: () => Promise<readonly Viewer[]>
  readonly movies: readonly string[]
}

export interface Outcome {
  readonly fault: string
  readonly answers: readonly Answer[]
  /** Responses while the part was down, except in the first moments. */
  readonly whileAway: readonly Answer[]
  /** Reasons that `GET /readyz` gave meanwhile. */
  readonly saidMissing: readonly string[]
  /** From the end of the fault: until a command succeeded, and until every node was ready. */
  readonly firstSuccessS: number
  readonly readyS: number
  readonly acknowledged: number
  readonly stale: readonly string[]
  readonly log: Discrepancies & { readonly events: number }
  readonly views: Compared
  readonly record: LoadRecord
}

export const READS = [
  '/v1/movies?limit=20',
  '/v1/users/me',
  '/v1/playback/sessions/active',
  '/healthz',
  '/v1/playback/continue-watching',
  '/v1/libraries',
]
const PAUSE_MS = 120
const BEFORE_MS = 1500
const AFTER_MS = 1500
/** For this long after its start a fault may go unnoticed. */
const NOTICE_MS = 1000
const LOOK_EVERY_MS = 400
const SETTLE_MS = 15_000
const COMMANDS = new Set(['heartbeat', 'mark', 'start', 'end'])

export async function runFault(fault: Fault, { cluster, servers, makeViewers, movies }: Place): Promise<Outcome> {
  const load = startLoad({ viewers: await makeViewers(), movies, pauseMs: PAUSE_MS, reads: READS })
  await sleep(BEFORE_MS)
  const beganAtMs = performance.now()
  await fault.begin()
  const saidMissing = await reasonsFor(fault.awayMs, cluster)
  const endedAtMs = performance.now()
  await fault.end()
  const readyS = Math.max(...(await Promise.all(cluster.apis.map(({ url }) => untilReady(url)))))
  const first = await firstSuccess(load.answers, endedAtMs)
  await sleep(AFTER_MS)
  await load.stop()
  const after = await settled(servers, load.record)
  const isWhileAway = ({ atMs }: Answer) => atMs > beganAtMs + NOTICE_MS && atMs < endedAtMs
  return {
    fault: fault.name,
    answers: load.answers,
    whileAway: load.answers.filter(isWhileAway),
    saidMissing,
    firstSuccessS: (first - endedAtMs) / 1000,
    readyS,
    acknowledged: acknowledgedIn(load.record),
    stale: load.stale,
    record: load.record,
    ...after,
  }
}

/** The nodes' reasons for not being ready, over this time. */
async function reasonsFor(ms: number, { apis }: Cluster): Promise<readonly string[]> {
  const reasons = new Set<string>()
  for (const endMs = performance.now() + ms; performance.now() < endMs; await sleep(LOOK_EVERY_MS)) {
    const looks = apis.map(async ({ url }) => {
      const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(Math.max(1, Math.ceil(endMs - performance.now()))) })
      const text = await answer.text()
      if (!answer.ok) reasons.add(String(Reflect.get(JSON.parse(text), 'error')))
    })
    // A node that is down itself does not answer.
    await Promise.allSettled(looks)
  }
  return [...reasons]
}

/** When the first command after that moment succeeded. */
async function firstSuccess(answers: readonly Answer[], afterMs: number): Promise<number> {
  const isSuccess = ({ atMs, what, status }: Answer) => atMs >= afterMs && COMMANDS.has(what) && status >= 200 && status < 300
  for (const deadline = performance.now() + SETTLE_MS; performance.now() < deadline; await sleep(LOOK_EVERY_MS)) {
    const found = answers.find(isSuccess)
    if (found) return found.atMs
  }
  return Infinity
}

/** Compares the log with the record, and the read models with the log, after the last commands have been projected. */
async function settled(servers: ClusterServers, record: LoadRecord): Promise<Pick<Outcome, 'log' | 'views'>> {
  const [log, reads] = [await openClusterLog(servers), await openClusterStore(servers)]
  try {
    for (const deadline = performance.now() + SETTLE_MS; ; await sleep(LOOK_EVERY_MS)) {
      const events = await readWholeLog(log)
      const views = await compareWithRebuild(reads.store, await rebuild(events))
      if (views.differences.length > 0 && performance.now() < deadline) continue
      return { log: { ...compareWithLog(record, events), events: events.length }, views }
    }
  } finally {
    await reads.close()
    await log.close()
  }
}
