/** Background: the tasks that run as long as the server does, each under supervision. */
import { views } from '../projections/all.ts'
import { runProjector, specOf } from '../projections/projector.ts'
import { feedLiveViews } from './app/live-views.ts'
import { REACTORS_COLLECTION, runReactors } from './app/reactors.ts'
import { supervise } from './app/supervise.ts'
import { sweepSessions } from './app/sweeper.ts'
import type { UserId } from './events/id.ts'
import type { Lease, LeaseTtlSeconds } from './ports/leases.ts'
import type { Engines } from './engines.ts'
import type { Readiness } from './http/app.ts'
import { LIVE_VIEWS, type Services } from './services.ts'

export interface Background {
  /** Settles when the views have come as far as the log was when this was called. */
  caughtUp(this: void): Promise<void>
  /** Whether the views have caught up once since the start. */
  readiness(this: void): Readiness
  stop(this: void): Promise<void>
}

const LEASE_SECONDS: LeaseTtlSeconds = 15
const LEASE_RETRY_MS = 2000
const LOOK_EVERY_MS = 20

export async function startBackground(engines: Engines, services: Services, problem: (cause: unknown) => void): Promise<Background> {
  const { log, store, bus, leases, clock } = engines
  const { access, commander, documents, freshness, host, lastChanges, liveEvents } = services
  const shred = (userId: UserId) => services.accountChanges.shred(userId)
  const stopping = new AbortController()
  const { signal } = stopping
  await store.open([...views.map(specOf), REACTORS_COLLECTION])

  /** Runs a task while this node holds its lease. */
  async function underLease(key: string, task: (lease: Lease, signal: AbortSignal) => Promise<void>, until: AbortSignal): Promise<void> {
    const lease = await leases.acquire(key, LEASE_SECONDS)
    if (!lease) return clock.sleep(LEASE_RETRY_MS, until)
    try {
      await task(lease, AbortSignal.any([until, lease.lost]))
    } finally {
      await lease.release()
    }
  }

  const tasks: readonly ((signal: AbortSignal) => Promise<void>)[] = [
    (until) => underLease('projector', ({ token }, held) => runProjector({ log, store, bus, views, epoch: token }, held), until),
    (until) =>
      feedLiveViews({
        log,
        store,
        views: [...access.feeds, lastChanges.feed, liveEvents.feed],
        passed: (position) => freshness.passed(LIVE_VIEWS, position),
        signal: until,
      }),
    (until) =>
      underLease(
        'reactors',
        ({ token }, held) => runReactors({ access, commander, documents, freshness, host, log, store, shred, epoch: token }, held),
        until,
      ),
    (until) => liveEvents.run(until),
    (until) => sweepSessions({ access, clock, host, leases, problem, signal: until }),
  ]
  const running = tasks.map((task) => supervise(task, { clock, signal, problem }))

  let ready = false
  const behind = (head: string) => [...freshness.positions().values()].some((position) => position < head)

  return {
    async caughtUp() {
      const head = await log.head()
      while (behind(head)) await clock.sleep(LOOK_EVERY_MS, signal)
      ready = true
    },
    readiness: () => (ready ? { ready } : { ready, reason: 'The views are being made from the log' }),
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
