/** Runs the background tasks of a server, each under supervision. */
import { views } from '../../projections/views/all.ts'
import { collectionOf } from '../../projections/views/view.ts'
import { specOf } from '../../projections/projector/projector.ts'
import { KEEP_OLD_MS, runProjectors } from '../../projections/projector/projectors.ts'
import { watchHeartbeats } from '../app/playback/heartbeat-watch.ts'
import { keepSnapshots } from '../app/read-models/snapshot-writer.ts'
import { createUnfoldableEvents } from '../../projections/views/unfoldable-events.ts'
import { feedInMemoryViews } from '../app/access/in-memory-views.ts'
import type { Feed } from '../app/access/view-watchdog.ts'
import { sweepLogins } from '../app/accounts/login-sweep.ts'
import { faultOfViews, OtherLog } from '../app/consistency/log-marks.ts'
import { SILENT_AFTER_MS } from '../app/consistency/projection-report.ts'
import { REACTORS_COLLECTION, runReactors } from '../app/reactors/reactors.ts'
import { supervise } from '../app/tasks/supervise.ts'
import { endExpiredSessions } from '../app/playback/expired-sessions.ts'
import { underLease } from '../app/tasks/under-lease.ts'
import { toSeq, type Position } from '../events/position.ts'
import type { Ports } from './ports.ts'
import type { Readiness } from '../http/server/app.ts'
import type { Services } from './services.ts'
import { IN_MEMORY_VIEWS } from './view-services.ts'

export interface NodeTasks {
  /** Settles when the views have reached the head that the log had at the call. `print` periodically receives the progress. */
  caughtUp(this: void, print?: (line: string) => void): Promise<void>
  /** Ready if the views have caught up once since the start, and a projector keeps them now. */
  readiness(this: void): Readiness
  stop(this: void): Promise<void>
}

const LEASE_RETRY_MS = 2000
const LOOK_EVERY_MS = 20
const TELL_EVERY_MS = 10_000

const MAKING_VIEWS = 'The read models are being built from the log'
const NO_PROJECTOR = 'No projector is running'
const OTHER_LOG = 'The read models do not belong to this event log; the log of this node says more'
const LOG_CHECK_EVERY_MS = 5_000
const STALE = 'This node is out of date and is catching up'

export interface NodeTasksOptions {
  /** Whether this process projects views, or leaves that to other projectors. */
  readonly projects: boolean
  readonly onError: (cause: unknown) => void
  /** Whether no other process uses the read store: then views of another log are rebuilt. */
  readonly ownsViews?: boolean
  readonly print?: (line: string) => void
}

export async function startNodeTasks(ports: Ports, services: Services, options: NodeTasksOptions): Promise<NodeTasks> {
  const { projects, onError } = options
  const { log, store, bus, leases, clock } = ports
  const {
    access,
    commandHandler,
    documents,
    generations,
    historyImports,
    readYourWrites,
    host,
    lastChanges,
    liveEvents,
    liveStore,
    liveViewsWatch,
  } = services
  const { shred } = services.accountChanges
  const stopping = new AbortController()
  const { signal } = stopping
  const collections = [...views.map(collectionOf), REACTORS_COLLECTION.name]
  const judged = { log, store, collections, clock }
  const fault = await faultOfViews(judged)
  if (fault !== undefined && !options.ownsViews) throw new OtherLog(fault)
  if (fault !== undefined) {
    options.print?.(`The read models do not belong to this event log: ${fault}. They are rebuilt.`)
    for (const collection of await store.collections()) await store.drop(collection)
  }
  await liveStore.open([...views.map(specOf), REACTORS_COLLECTION])

  const duty = { leases, clock, retryMs: LEASE_RETRY_MS }
  const isAmongOthers = ports.servers.length > 0
  const keepOldMs = isAmongOthers ? KEEP_OLD_MS : 0
  const telling = options.print ? { print: options.print } : {}
  const project = (until: AbortSignal) =>
    runProjectors({ log, store, bus, leases, clock, views, generations, onError, keepOldMs, ...telling }, until)
  const unfoldable = createUnfoldableEvents(onError)
  const feed: Feed = (passed, until) =>
    feedInMemoryViews({
      log,
      store: liveStore,
      views: [...access.feeds, lastChanges.feed, liveEvents.feed, services.destroyedKeys],
      unfoldable,
      passed(position) {
        passed(position)
        readYourWrites.passed(IN_MEMORY_VIEWS, position)
      },
      signal: until,
    })
  let otherLog: string | undefined
  /** Permanent: this node's memory belongs to the other log. */
  async function watchLog(until: AbortSignal): Promise<void> {
    while (otherLog === undefined) {
      await clock.sleep(LOG_CHECK_EVERY_MS, until)
      otherLog = await faultOfViews(judged)
    }
    liveViewsWatch.distrust()
    onError(new OtherLog(otherLog))
    await new Promise((resolve) => until.addEventListener('abort', resolve, { once: true }))
  }
  const tasks: readonly ((signal: AbortSignal) => Promise<void>)[] = [
    ...(projects ? [project] : []),
    (until) => liveViewsWatch.feed(feed, until),
    // If no engine is a server, nobody else appends.
    ...(isAmongOthers ? [(until: AbortSignal) => liveViewsWatch.run(until), watchLog] : []),
    (until) =>
      underLease(
        duty,
        'reactors',
        (held, { token }) =>
          runReactors({ access, commandHandler, documents, historyImports, readYourWrites, host, log, store, shred, epoch: token }, held),
        until,
      ),
    (until) => liveEvents.run(until),
    ...(projects
      ? [
          (until: AbortSignal) =>
            underLease(duty, 'snapshots', (held, { token }) => keepSnapshots({ log, store, clock, epoch: token }, held), until),
        ]
      : []),
    ...(isAmongOthers ? [(until: AbortSignal) => watchHeartbeats({ access, clock, servers: ports.servers, signal: until })] : []),
    (until) => endExpiredSessions({ access, clock, host, leases, onError, signal: until }),
    (until) =>
      sweepLogins({
        access,
        agrees: () => readYourWrites.skews.warnings().length === 0,
        clock,
        commandHandler,
        leases,
        onError,
        signal: until,
      }),
  ]
  const running = tasks.map((task) => supervise(task, { clock, signal, onError }))

  let ready = false
  let leave = (): void => {}
  const isKept = () => readYourWrites.projections.silent(SILENT_AFTER_MS).length === 0
  const behind = (head: string) => [...readYourWrites.positions().values()].some((position) => position < head)

  return {
    async caughtUp(print) {
      const head = await log.head()
      let toldAtMs = clock.monotonic()
      while (behind(head)) {
        await clock.sleep(LOOK_EVERY_MS, signal)
        if (!print || clock.monotonic() - toldAtMs < TELL_EVERY_MS) continue
        toldAtMs = clock.monotonic()
        print(`Waiting: ${isKept() ? `${MAKING_VIEWS}, ${progressOf(readYourWrites.positions().values(), head)}` : NO_PROJECTOR}.`)
      }
      ready = true
      access.idle.caughtUp()
      leave = readYourWrites.join()
    },
    readiness() {
      if (otherLog !== undefined) return { ready: false, reason: OTHER_LOG }
      if (!ready || !isKept()) return { ready: false, reason: isKept() ? MAKING_VIEWS : NO_PROJECTOR }
      if (!liveViewsWatch.judges()) return { ready: false, reason: STALE }
      const warnings = readYourWrites.skews.warnings()
      return { ready, ...(warnings.length > 0 ? { warnings } : {}) }
    },
    async stop() {
      leave()
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/** Progress of the slowest view, for people: positions count events in files, and bytes on a server. */
export function progressOf(positions: Iterable<Position>, head: Position): string {
  const least = [...positions].reduce((a, b) => (a < b ? a : b), head)
  const [done, all] = [BigInt(least), BigInt(head)]
  const percent = all === 0n ? 100n : (done * 100n) / all
  return `${percent} % (position ${toSeq(least)} of ${toSeq(head)})`
}
