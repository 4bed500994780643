/** Runs the background tasks of a server, each under supervision. */
import type { LibraryId } from '../vocabulary/id.ts'
import { omitUndefined } from '../vocabulary/omit-undefined.ts'
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
import { stillsWith } from '../app/scans/video-reader.ts'
import { endExpiredSessions } from '../app/playback/expired-sessions.ts'
import { CURSORS, DELIVERIES } from '../app/webhooks/delivery-store.ts'
import { toSeq, type Position } from '../events/position.ts'
import type { Meters } from '../ports/meters.ts'
import type { Tracer } from '../ports/tracer.ts'
import { meteredProjection } from './metered-ports.ts'
import { tracedProjection } from './tracing.ts'
import { createTroubles, type Troubles } from '../app/tasks/trouble.ts'
import { runInBackground, type BackgroundTasks } from './background-tasks.ts'
import type { Ports } from './ports.ts'
import type { Readiness } from '../http/server/app.ts'
import type { Services } from './services.ts'
import { IN_MEMORY_VIEWS } from './view-services.ts'
import type { Report } from '../ports/report.ts'

export interface NodeTasks {
  /** Settles when the views have reached the head that the log had at the call, and follow it. `print` receives the progress now and then. */
  caughtUp(this: void, print?: (line: string) => void): Promise<void>
  /** Ready if the views have caught up once since the start, and a projector keeps them now. */
  readiness(this: void): Readiness
  stop(this: void): Promise<void>
}

const LEASE_RETRY_MS = 2000
const LOOK_EVERY_MS = 20
const PRINT_EVERY_MS = 10_000

const MAKING_VIEWS = 'The read models are being built from the log'
const MAKING_AGAIN = 'The disk did not take the last changes of the read models: they are being made again'
const NO_PROJECTOR = 'No projector is running'
const OTHER_LOG = 'The read models do not belong to this event log; see the log of this node'
const LOG_CHECK_EVERY_MS = 5_000
const STALE = 'This node is out of date and is catching up'

export interface NodeTasksOptions {
  /** Whether this process projects views, or leaves that to other projectors. */
  readonly projects: boolean
  readonly onError: Report
  /** Default: of these tasks alone. */
  readonly troubles?: Troubles
  /** Whether no other process uses the read store: then views of another log are rebuilt. */
  readonly ownsViews?: boolean
  readonly print?: (line: string) => void
  readonly tracer?: Tracer | undefined
  readonly meters?: Meters | undefined
}

interface State {
  readonly clock: Ports['clock']
  readonly log: Ports['log']
  readonly store: Ports['store']
  readonly services: Services
  /** What is compared to see whether the views are of this log. */
  readonly compared: Parameters<typeof faultOfViews>[0]
  readonly onError: Report
  readonly stopping: AbortController
  /** Why the views are found to be of another log. */
  otherLog: string | undefined
  ready: boolean
  leave: () => void
}

export async function startNodeTasks(ports: Ports, services: Services, options: NodeTasksOptions): Promise<NodeTasks> {
  const { log, store, leases, clock } = ports
  const { onError, troubles = createTroubles(clock, onError) } = options
  const collections = [...views.map(collectionOf), REACTORS_COLLECTION.name]
  const state: State = {
    clock,
    log,
    store,
    services,
    compared: { log, store, collections, clock },
    onError,
    stopping: new AbortController(),
    otherLog: undefined,
    ready: false,
    leave: () => {},
  }
  await refuseOtherLog(state, ports, options)
  await services.liveStore.open([...views.map(specOf), REACTORS_COLLECTION, DELIVERIES, CURSORS])
  const background = runInBackground(nodeTasks(state, ports, options), { clock, leases, retryMs: LEASE_RETRY_MS, troubles })
  return {
    caughtUp: (print) => caughtUp(state, print),
    readiness: () => readinessOf(state),
    async stop() {
      state.leave()
      state.stopping.abort()
      await background.stop()
    },
  }
}

/** Views of another log are dropped if nobody else can have them, else the start is refused. */
async function refuseOtherLog({ compared }: State, { store }: Ports, { ownsViews, print }: NodeTasksOptions): Promise<void> {
  const fault = await faultOfViews(compared)
  if (fault === undefined) return
  if (!ownsViews) throw new OtherLog(fault)
  print?.(`The read models do not belong to this event log: ${fault}. They are rebuilt.`)
  for (const collection of await store.collections()) await store.drop(collection)
}

function nodeTasks(state: State, ports: Ports, { projects, print, onError, tracer, meters }: NodeTasksOptions): BackgroundTasks {
  const { log, store, bus, leases, clock, servers } = ports
  const { services } = state
  const { access, commandHandler, readModels, generations, historyImports, readYourWrites, host, liveEvents, viewWatchdog } = services
  const { shred } = services.accountChanges
  // If no engine is a server, nobody else appends.
  const isAmongOthers = servers.length > 0
  const projected = tracedProjection(meteredProjection(log, meters), tracer, clock)
  const projector = { log: projected, store, bus, leases, clock, views, generations, onError, keepOldMs: isAmongOthers ? KEEP_OLD_MS : 0 }
  const stillsIn = async (libraryId: LibraryId) => stillsWith(libraryId, await services.imageKey())
  const reactors = { access, commandHandler, readModels, historyImports, readYourWrites, host, log, store, stillsIn, shred }
  const agrees = () => readYourWrites.skews.warnings().length === 0
  const feed = createFeed(services, log, onError)
  return {
    projectors: projects ? { lease: null, run: (until) => runProjectors({ ...projector, ...omitUndefined({ print }) }, until) } : undefined,
    feed: { lease: null, run: (until) => viewWatchdog.feed(feed, until) },
    watchdog: isAmongOthers ? { lease: null, run: (until) => viewWatchdog.run(until) } : undefined,
    logWatch: isAmongOthers ? { lease: null, run: (until) => watchLog(state, until) } : undefined,
    reactors: { lease: 'reactors', run: (held, { token }) => runReactors({ ...reactors, epoch: token }, held) },
    liveEvents: { lease: null, run: (until) => liveEvents.run(until) },
    webhooks: { lease: 'webhooks', run: (held, { token }) => services.deliverWebhooks(held, token) },
    snapshots: projects
      ? { lease: 'snapshots', run: (held, { token }) => keepSnapshots({ log, store, clock, epoch: token }, held) }
      : undefined,
    heartbeats: isAmongOthers ? { lease: null, run: (until) => watchHeartbeats({ access, clock, servers, signal: until }) } : undefined,
    expiry: { lease: null, run: (until) => endExpiredSessions({ access, clock, host, leases, onError, signal: until }) },
    logins: { lease: null, run: (until) => sweepLogins({ access, agrees, clock, commandHandler, leases, onError, signal: until }) },
  }
}

function createFeed(services: Services, log: Ports['log'], onError: Report): Feed {
  const { access, destroyedKeys, lastChanges, liveEvents, liveStore, liveWebhooks, readYourWrites } = services
  const unfoldable = createUnfoldableEvents(onError)
  return (passed, until) =>
    feedInMemoryViews({
      log,
      store: liveStore,
      views: [...access.feeds, lastChanges.feed, liveEvents.feed, liveWebhooks.feed, destroyedKeys],
      unfoldable,
      passed(position) {
        passed(position)
        readYourWrites.passed(IN_MEMORY_VIEWS, position)
      },
      signal: until,
    })
}

/** Permanent: this node's memory belongs to the other log. */
async function watchLog(state: State, until: AbortSignal): Promise<void> {
  while (state.otherLog === undefined) {
    await state.clock.sleep(LOG_CHECK_EVERY_MS, until)
    state.otherLog = await faultOfViews(state.compared)
  }
  state.services.viewWatchdog.distrust()
  state.onError(new OtherLog(state.otherLog))
  await new Promise((resolve) => until.addEventListener('abort', resolve, { once: true }))
}

const isKept = ({ services }: State): boolean => services.readYourWrites.projections.silent(SILENT_AFTER_MS).length === 0

async function caughtUp(state: State, print?: (line: string) => void): Promise<void> {
  const { clock, log, services, stopping } = state
  const { access, readYourWrites } = services
  const head = await log.head()
  const isBehind = (): boolean => [...readYourWrites.positions().values()].some((position) => position < head)
  // A view that has caught up does not follow the log until its indexes are made. Its projector says when they are.
  const isLive = (): boolean => readYourWrites.projections.all().every((one) => one.isLive)
  const progress = (): string => (isBehind() ? progressOf(readYourWrites.positions().values(), head) : 'and now their indexes')
  let printedAtMs = clock.monotonic()
  while (isBehind() || !isLive()) {
    await clock.sleep(LOOK_EVERY_MS, stopping.signal)
    if (!print || clock.monotonic() - printedAtMs < PRINT_EVERY_MS) continue
    printedAtMs = clock.monotonic()
    print(`Waiting: ${isKept(state) ? `${MAKING_VIEWS}, ${progress()}` : NO_PROJECTOR}.`)
  }
  state.ready = true
  access.idle.caughtUp()
  state.leave = readYourWrites.join()
}

function readinessOf(state: State): Readiness {
  const { services, otherLog, ready } = state
  if (otherLog !== undefined) return { ready: false, reason: OTHER_LOG }
  if (!ready || !isKept(state)) return { ready: false, reason: isKept(state) ? MAKING_VIEWS : NO_PROJECTOR }
  if (hasLost(state)) return { ready: false, reason: MAKING_AGAIN }
  if (!services.viewWatchdog.isFollowing()) return { ready: false, reason: STALE }
  const warnings = services.readYourWrites.skews.warnings()
  return { ready, ...(warnings.length > 0 ? { warnings } : {}) }
}

/** Whether some view lacks what it has shown: a disk did not take it. */
const hasLost = ({ store, services: { generations, readYourWrites } }: State): boolean =>
  [...readYourWrites.positions().keys()].some((view) => store.lost?.(generations.liveOf(view)) !== undefined)

/** Progress of the slowest view, for people: positions count events in files, and bytes on a server. */
export function progressOf(positions: Iterable<Position>, head: Position): string {
  const least = [...positions].reduce((a, b) => (a < b ? a : b), head)
  const [done, all] = [BigInt(least), BigInt(head)]
  const percent = all === 0n ? 100n : (done * 100n) / all
  return `${percent} % (position ${toSeq(least)} of ${toSeq(head)})`
}
