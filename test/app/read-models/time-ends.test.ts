import t from 'tap'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { writeSnapshots } from '../../../src/app/read-models/snapshot-writer.ts'
import { createSnapshots } from '../../../src/app/read-models/snapshots.ts'
import { createTimeEnds } from '../../../src/app/read-models/time-ends.ts'
import { START, type Position } from '../../../src/events/position.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { LibraryId } from '../../../src/vocabulary/id.ts'
import { appendMovies } from '../../bench/movies.ts'
import { positionsOf } from '../../fixtures/log-positions.ts'
import { createRandom } from '../../fixtures/random.ts'

const clock = createSystemClock()
const STAYS = new AbortController().signal
const STRETCH = 7

t.test('a time ends at the last event that is dated at it or before, whatever the clocks said', async (t) => {
  const random = createRandom(5)
  const written = createMemoryEventLog()
  await appendMovies(written, createTestIds({ series: 'e' }), { count: 60, libraryIds: ['library-1' as LibraryId] })
  const timeOf = new Map((await positionsOf(written)).map((position, n) => [position, strayed(random, n * 1_000)]))
  const { log, read } = dated(written, timeOf)
  const store = createMemoryReadStore()
  await writeSnapshots({ log, store, clock, epoch: 1, stretch: STRETCH }, STAYS)
  for (let round = 0; round < 200; round++) {
    const atMs = strayed(random, random.below(timeOf.size * 1_000))
    const expected = [...timeOf].findLast(([, ms]) => ms <= atMs)?.[0] ?? START
    read.length = 0
    const ends = createTimeEnds({ clock, log, snapshots: createSnapshots(store) })
    t.equal(await ends.known({ atMs }, STAYS), undefined)
    t.equal(await ends.find({ atMs }, STAYS), expected)
    t.ok(read.length < 2 * STRETCH, `${read.length} events read`)
    read.length = 0
    t.equal(await ends.known({ atMs }, STAYS), expected)
    t.equal(read.length, 0, 'nothing is new')
  }
})

/** A time that is sometimes years off. */
const strayed = (random: ReturnType<typeof createRandom>, ms: number): number =>
  random.below(10) === 0 ? ms + (random.chance(0.5) ? 1e11 : -1e11) : ms

/** The log with other times, an event at a time, and what was read of it. */
function dated(log: EventLog, timeOf: ReadonlyMap<string, number>) {
  const read: Position[] = []
  const follow: EventLog['follow'] = async function* (after, signal) {
    for await (const batch of log.follow(after, signal)) {
      for (const stored of batch) {
        read.push(stored.position)
        yield [{ ...stored, metadata: { ...stored.metadata, at: new Date(timeOf.get(stored.position) ?? 0).toISOString() } }]
      }
    }
  }
  return { log: { ...log, follow }, read }
}
