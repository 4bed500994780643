/** Measures the rebuild of all views from a log, in turns with a raw read of it. */
import { join } from 'node:path'
import { views } from '../../projections/views/all.ts'
import { runProjector, specOf } from '../../projections/projector/projector.ts'
import { collectionOf, type AnyView } from '../../projections/views/view.ts'
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createSqliteEventLog } from '../../src/adapters/sqlite/event-log.ts'
import { createSqliteReadStore } from '../../src/adapters/sqlite/read-store.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { START, type Position } from '../../src/events/position.ts'
import { hearProjectors } from '../../src/app/consistency/projector-announcements.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import type { ReadStore } from '../../src/ports/read-store.ts'
import { wholeNumber, type Report } from './table.ts'

const GOAL = 4
const GOAL_A_SECOND = 50_000
const BOUND_MS = 600_000

export interface RebuiltLog {
  readonly eventLog: string
  /** End of the read. */
  readonly head: Position
  readonly folder: string
}

export async function measureRebuild(report: Report, { eventLog, head, folder }: RebuiltLog): Promise<void> {
  const log = createSqliteEventLog({ clock: createSystemClock(), file: eventLog })
  try {
    const before = await rawRead(log, head)
    const rebuildMs = await rebuild(log, head, join(folder, 'rebuilt.sqlite'))
    const after = await rawRead(log, head)
    const rawMs = (before.ms + after.ms) / 2
    const aSecond = (before.events / rebuildMs) * 1000
    report({
      what: `rebuild of all ${views.length} views, ${wholeNumber(before.events)} events of films`,
      ours: `${(rebuildMs / 1000).toFixed(1)} s, ${wholeNumber(aSecond)} events/s`,
      yardstick: `${(rawMs / 1000).toFixed(1)} s (raw read of the log)`,
      ratio: rebuildMs / rawMs,
      goal: `<= ${GOAL}x, ${wholeNumber(GOAL_A_SECOND)} events/s`,
      met: rebuildMs / rawMs <= GOAL && aSecond >= GOAL_A_SECOND,
    })
  } finally {
    await log.close()
  }
}

async function rawRead(log: EventLog, head: Position): Promise<{ readonly ms: number; readonly events: number }> {
  const startMs = performance.now()
  let events = 0
  for await (const batch of log.follow(START, AbortSignal.timeout(BOUND_MS))) {
    events += batch.length
    if ((batch.at(-1)?.position ?? START) >= head) break
  }
  return { ms: performance.now() - startMs, events }
}

async function rebuild(log: EventLog, head: Position, file: string): Promise<number> {
  const store = createSqliteReadStore({ file })
  try {
    return await fillViews({ log, head, store, views })
  } finally {
    await store.close()
  }
}

export interface Filling {
  readonly log: EventLog
  readonly head: Position
  readonly store: ReadStore
  readonly views: readonly AnyView[]
}

/** Milliseconds to fold the log into these views. */
export async function fillViews({ log, head, store, views: wanted }: Filling): Promise<number> {
  const onError = (cause: unknown) => console.error(cause)
  const clock = createSystemClock()
  const bus = createLocalBus({ clock, onError })
  const done = new AbortController()
  const subscription = hearProjectors(bus, ({ passed }) => {
    if (wanted.every((view) => (passed[collectionOf(view)] ?? START) >= head)) done.abort()
  })
  try {
    await store.open(wanted.map(specOf))
    const startMs = performance.now()
    const group = wanted.map((view) => ({ view, epoch: 1 }))
    await runProjector(
      { log, store, bus, clock, views: group, unfoldable: () => {} },
      AbortSignal.any([done.signal, AbortSignal.timeout(BOUND_MS)]),
    )
    if (!done.signal.aborted) throw new Error(`The views were not made within ${BOUND_MS / 1000} s`)
    return performance.now() - startMs
  } finally {
    subscription.close()
    await bus.close()
  }
}
