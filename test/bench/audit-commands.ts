/** Measures the audit's cost for a command: an append and all its views, with and without the audit. */
import { join } from 'node:path'
import { runProjector, specOf } from '../../projections/projector/projector.ts'
import { views } from '../../projections/views/all.ts'
import { collectionOf, type AnyView } from '../../projections/views/view.ts'
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createTestIds } from '../../src/adapters/memory/ids.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { createSqliteEventLog } from '../../src/adapters/sqlite/event-log.ts'
import { createSqliteReadStore } from '../../src/adapters/sqlite/read-store.ts'
import { hearProjectors } from '../../src/app/consistency/projector-announcements.ts'
import { encode } from '../../src/events/codec.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import { START, type Position } from '../../src/events/position.ts'
import { libraryStream } from '../../src/events/streams.ts'
import { median, type Report } from './table.ts'

const COMMANDS = 500
const ROUNDS = 3

export async function measureCommands(report: Report, folder: string): Promise<void> {
  const others = views.filter(({ name }) => name !== 'audit')
  const taken = { with: [] as number[], without: [] as number[], alone: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    taken.without.push(await commandMs(join(folder, `without-${round}`), others))
    taken.with.push(await commandMs(join(folder, `with-${round}`), views))
    taken.alone.push(await commandMs(join(folder, `alone-${round}`), []))
  }
  const [ours, bare, append] = [median(taken.with), median(taken.without), median(taken.alone)]
  report({
    what: 'a command, until all views show it',
    ours: `${ours.toFixed(2)} ms with the audit (append alone: ${append.toFixed(2)} ms)`,
    yardstick: `${bare.toFixed(2)} ms (without the audit)`,
    ratio: ours / bare,
  })
}

/** The median of this many, one after another. */
async function commandMs(place: string, wanted: readonly AnyView[]): Promise<number> {
  const clock = createSystemClock()
  const log = createSqliteEventLog({ clock, file: `${place}-events.sqlite` })
  const store = createSqliteReadStore({ file: `${place}-views.sqlite` })
  const bus = createLocalBus({ clock, onError: console.error })
  const shown = createShown(wanted)
  const subscription = hearProjectors(bus, ({ passed }) => shown.pass(passed))
  const stopped = new AbortController()
  await store.open(wanted.map(specOf))
  await store.buildIndexes(wanted.map(collectionOf))
  const group = wanted.map((view) => ({ view, epoch: 1 }))
  const running = wanted.length > 0 && runProjector({ log, store, bus, clock, views: group, unfoldable: () => {} }, stopped.signal)
  try {
    return await appendOneByOne(async (append) => {
      const { position = START } = await append(log)
      await shown.wait(position)
    })
  } finally {
    stopped.abort()
    await running
    subscription.close()
    await bus.close()
    await log.close()
    await store.close()
  }
}

type Append = (log: ReturnType<typeof createSqliteEventLog>) => ReturnType<EventLog['append']>

async function appendOneByOne(command: (append: Append) => Promise<void>): Promise<number> {
  const ids = createTestIds({ series: 'c' })
  const libraryId = ids.next<'library'>()
  const stream = libraryStream(libraryId)
  const taken: number[] = []
  let prev = ''
  for (let n = 0; n < COMMANDS; n++) {
    const origin = { at: new Date().toISOString(), actor: 'system', command: 'bench' }
    const event = { type: 'LibraryRenamed', data: { libraryId, name: `Films ${n}` } } as const
    const encoded = encode(ids.event(), event, origin, { stream, revision: n, prev })
    prev = encoded.metadata.hash
    const startMs = performance.now()
    await command((log) => log.append(stream, n === 0 ? 'absent' : n - 1, [encoded]))
    taken.push(performance.now() - startMs)
  }
  return median(taken)
}

/** Waits until all of the views have passed a position. */
function createShown(wanted: readonly AnyView[]) {
  let passed: Readonly<Record<string, Position>> = {}
  let check = (): void => {}
  const isShown = (position: Position) => wanted.every((view) => (passed[collectionOf(view)] ?? START) >= position)
  return {
    pass(now: Readonly<Record<string, Position>>) {
      passed = { ...passed, ...now }
      check()
    },
    wait: (position: Position) =>
      new Promise<void>((resolve) => {
        check = () => void (isShown(position) && resolve())
        check()
      }),
  }
}
