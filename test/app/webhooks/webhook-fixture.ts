/** Webhooks on in-memory engines and a manual clock, without the rest of a node: days pass in a moment. */
import type { Test } from 'tap'
import { createTestClock, type TestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createMemoryVault } from '../../../src/adapters/memory/vault.ts'
import { feedInMemoryViews } from '../../../src/app/access/in-memory-views.ts'
import { createCommandHandler } from '../../../src/app/commands/command-handler.ts'
import { createSealer } from '../../../src/app/commands/sealer.ts'
import { runWebhookDeliverer } from '../../../src/app/webhooks/deliverer.ts'
import { CURSORS, DELIVERIES, type Delivery } from '../../../src/app/webhooks/delivery-store.ts'
import { createLiveWebhooks } from '../../../src/app/webhooks/live-webhooks.ts'
import { createWebhooks } from '../../../src/app/webhooks/webhooks.ts'
import { user } from '../../../src/domain/accounts/user.ts'
import { START, type Position } from '../../../src/events/position.ts'
import { userStream } from '../../../src/events/streams.ts'
import type { UserId } from '../../../src/vocabulary/id.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'
import type { WebhookSender } from '../../../src/ports/webhook-sender.ts'
import { webhooks as view } from '../../../projections/views/webhooks.ts'
import { specOf } from '../../../projections/projector/projector.ts'
import type { AnyView } from '../../../projections/views/view.ts'
import { admin } from '../../fixtures/samples.ts'
import { allowed, ORIGIN } from '../../fixtures/node-fixture.ts'

export const NAMES = Array.from({ length: 40 }, (_, n) => `subject${String(n).padStart(14, '0')}` as UserId)

export interface WebhookFixtureOptions {
  readonly sender: (clock: TestClock) => WebhookSender
  readonly store?: ReadStore
}

export async function openWebhookFixture(t: Test, { sender: createSender, store = createMemoryReadStore() }: WebhookFixtureOptions) {
  const clock = createTestClock()
  const log = createMemoryEventLog()
  const vault = createMemoryVault()
  const sealer = createSealer(vault)
  const ids = createTestIds()
  const commandHandler = createCommandHandler({ log, clock, ids, sealer, node: 'one' })
  const live = createLiveWebhooks()
  const sender = createSender(clock)
  const problems: unknown[] = []
  const feeding: { passed: Position } = { passed: START }
  const readYourWrites = {
    async waitFor(position: Position) {
      while (feeding.passed < position) await new Promise((resolve) => setImmediate(resolve))
    },
  }
  await store.open([specOf(view as unknown as AnyView), DELIVERIES, CURSORS])
  const stopFeed = new AbortController()
  const feed = feedInMemoryViews({
    log,
    store,
    views: [live.feed],
    passed: (position) => void (feeding.passed = position),
    unfoldable: (_view, _event, cause) => void problems.push(cause),
    signal: stopFeed.signal,
  })
  const common = { clock, commandHandler, live, readYourWrites, sealer, sender, store, vault }
  const outcomes = { delivered: 0, failed: 0, parked: 0 }
  const deps = {
    ...common,
    log,
    readModels: { movies: NOTHING, scans: NOTHING, viewings: NOTHING } as never,
    libraries: new Map(),
    present: ({ payload }: { readonly payload: object }) => ({ ...payload }),
    settled: (outcome: keyof typeof outcomes) => void outcomes[outcome]++,
    onError: (cause: unknown) => void problems.push(cause),
  }
  const webhooks = createWebhooks({ ...common, ids })
  let epoch = 0
  let stop = async (): Promise<void> => {}

  /** Starts the deliverer, as the node does that takes its lease. */
  function start(): void {
    const stopping = new AbortController()
    const running = runWebhookDeliverer(deps, ++epoch, stopping.signal).catch((cause: unknown) => {
      if (!stopping.signal.aborted) problems.push(cause)
    })
    stop = async () => {
      stopping.abort(new Error('stopped'))
      await running
    }
  }
  t.teardown(async () => {
    await stop()
    stopFeed.abort()
    await feed.catch(() => {})
  })
  start()

  return {
    clock,
    log,
    live,
    outcomes,
    problems,
    store,
    vault,
    webhooks,
    add: async (wanted: Partial<Parameters<typeof webhooks.add>[1]> = {}) =>
      allowed(await webhooks.add(admin, { url: 'http://127.0.0.1:9/hook', events: ['user.*'], template: 'json', ...wanted }, ORIGIN)),
    change: async (id: string, edit: Parameters<typeof webhooks.change>[2]) => allowed(await webhooks.change(admin, id, edit, ORIGIN)),
    /** The account of that name changes. */
    async happen(userId: UserId): Promise<void> {
      const event = { type: 'UserEnabled', data: { userId } } as const
      allowed(
        await commandHandler.execute({ stream: userStream(userId), decider: user }, () => [event], { actor: 'system', command: 'test' }),
      )
    },
    all: async (id: string, state?: Delivery['state']) => allowed(await webhooks.deliveries(id, state, { limit: 1000 })).items,
    /** Lets the time pass until something holds: slowly while requests are on their way, faster while none is. */
    async until(holds: () => boolean | Promise<boolean>, busy: () => number = () => 0): Promise<void> {
      let before = -1
      for (let stepMs = 100, n = 0; !(await holds()); n++) {
        if (n > 100_000) throw new Error('It never came about')
        await clock.advance(stepMs)
        stepMs = busy() === before ? Math.min(stepMs * 2, 3_600_000) : 100
        before = busy()
      }
    },
    restart: async () => {
      await stop()
      start()
    },
    stop: () => stop(),
    start,
  }
}

const NOTHING = { getMany: async () => [] }
