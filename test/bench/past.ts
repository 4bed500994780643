/** Measures queries about the past of a log of a million events, with snapshots, against a fold of the whole log. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryReadStore } from '../../src/adapters/memory/read-store.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { createSqliteEventLog } from '../../src/adapters/sqlite/event-log.ts'
import { createSqliteReadStore } from '../../src/adapters/sqlite/read-store.ts'
import { foldAsOf, type Whose } from '../../src/app/read-models/as-of-fold.ts'
import { writeSnapshots } from '../../src/app/read-models/snapshot-writer.ts'
import { createSnapshots, NO_SNAPSHOTS, type Snapshots } from '../../src/app/read-models/snapshots.ts'
import { toPosition } from '../../src/events/position.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import { createRandom } from '../fixtures/random.ts'
import { appendYears } from './viewings.ts'
import { median, wholeNumber, type Report } from './table.ts'

const EVENTS = 1_000_000
const QUESTIONS = 40
const GOAL_MS = 500
const STAYS = new AbortController().signal

export async function measurePast(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-past-'))
  const clock = createSystemClock()
  const log = createSqliteEventLog({ clock, file: join(folder, 'events.sqlite') })
  const store = createSqliteReadStore({ file: join(folder, 'read-models.sqlite') })
  try {
    const [userId] = await appendYears(log, EVENTS)
    const startMs = performance.now()
    await writeSnapshots({ log, store, clock, epoch: 1 }, STAYS)
    const seconds = (performance.now() - startMs) / 1000
    const megabytes = statSync(join(folder, 'read-models.sqlite')).size / 1e6
    report({
      what: `snapshots of ${wholeNumber(EVENTS)} events, half of the time asleep`,
      ours: `${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`,
    })
    const whole = median(await times(log, NO_SNAPSHOTS, { whose: userId, questions: 2 }))
    for (const [name, whose] of [
      ['one user', userId],
      ['everybody', 'everybody'],
    ] as const) {
      const taken = await times(log, createSnapshots(store), { whose, questions: QUESTIONS })
      const [p50, slowest] = [median(taken), Math.max(...taken)]
      report({
        what: `any past state of ${name}, ${wholeNumber(EVENTS)} events`,
        ours: `p50 ${p50.toFixed(0)} ms, slowest of ${QUESTIONS} ${slowest.toFixed(0)} ms`,
        yardstick: `${whole.toFixed(0)} ms (fold of the whole log)`,
        ratio: p50 / whole,
        goal: `< ${GOAL_MS} ms`,
        met: slowest < GOAL_MS,
      })
    }
  } finally {
    await log.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function times(log: EventLog, snapshots: Snapshots, { whose, questions }: { readonly whose: Whose; readonly questions: number }) {
  const random = createRandom(3)
  const taken: number[] = []
  for (let n = 0; n < questions; n++) {
    // Without snapshots the end of the log is the worst case.
    const until = toPosition(snapshots === NO_SNAPSHOTS ? EVENTS : 1 + random.below(EVENTS))
    const startMs = performance.now()
    await foldAsOf({ log, snapshots, store: createMemoryReadStore({ copies: false }), whose, removed: new Set(), until }, STAYS)
    taken.push(performance.now() - startMs)
  }
  return taken
}
