/** Measures what is asked of the past of a log of a million events, with snapshots, against the fold of the whole log. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryReadStore } from '../../src/adapters/memory/read-store.ts'
import { createTestIds } from '../../src/adapters/memory/ids.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { createSqliteEventLog } from '../../src/adapters/sqlite/event-log.ts'
import { createSqliteReadStore } from '../../src/adapters/sqlite/read-store.ts'
import { foldAsOf, type Whose } from '../../src/app/read-models/as-of-fold.ts'
import { writeSnapshots } from '../../src/app/read-models/snapshot-writer.ts'
import { createSnapshots, NO_SNAPSHOTS, type Snapshots } from '../../src/app/read-models/snapshots.ts'
import type { DomainEvent } from '../../src/events/catalogue.ts'
import { encode } from '../../src/events/codec.ts'
import { toPosition } from '../../src/events/position.ts'
import type { EncodedEvent } from '../../src/events/envelope.ts'
import { playbackStream } from '../../src/events/streams.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import type { LibraryId, UserId } from '../../src/vocabulary/id.ts'
import { createRandom } from '../fixtures/random.ts'
import { appendFilms, type Film } from './films.ts'
import { median, wholeNumber, type Report } from './table.ts'

const EVENTS = 1_000_000
const FILMS = 2_000
const USERS = 10
/** The start, heartbeats for 20 minutes, the end. */
const EVENTS_EACH = 122
const BEAT_MS = 10_000
const FROM = Date.parse('2021-11-01T00:00:00.000Z')
const SPAN_MS = 5 * 365 * 86_400_000
const QUESTIONS = 40
const GOAL_MS = 500
const STAYS = new AbortController().signal

export async function measurePast(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-past-'))
  const clock = createSystemClock()
  const log = createSqliteEventLog({ clock, file: join(folder, 'events.sqlite') })
  const store = createSqliteReadStore({ file: join(folder, 'read-models.sqlite') })
  try {
    const ids = createTestIds({ series: 'a' })
    const libraryIds = [ids.next<'library'>(), ids.next<'library'>()] as [LibraryId, LibraryId]
    const userIds = Array.from({ length: USERS }, () => ids.next<'user'>())
    const films = await appendFilms(log, ids, { count: FILMS, libraryIds })
    await appendViewings(log, { films, userIds, libraryId: libraryIds[0] })
    const startMs = performance.now()
    await writeSnapshots({ log, store, clock, epoch: 1 }, STAYS)
    const seconds = (performance.now() - startMs) / 1000
    const megabytes = statSync(join(folder, 'read-models.sqlite')).size / 1e6
    report({
      what: `snapshots of ${wholeNumber(EVENTS)} events, ${wholeNumber(FILMS)} films, half of the time asleep`,
      ours: `${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`,
    })
    const whole = median(await times(log, NO_SNAPSHOTS, { whose: userIds[0] as UserId, questions: 2 }))
    for (const [name, whose] of [
      ['one user', userIds[0] as UserId],
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
    // Without snapshots the whole log is the worst.
    const position = toPosition(snapshots === NO_SNAPSHOTS ? EVENTS : 1 + random.below(EVENTS))
    const startMs = performance.now()
    await foldAsOf({ log, snapshots, store: createMemoryReadStore(), whose, removed: new Set(), end: { position } }, STAYS)
    taken.push(performance.now() - startMs)
  }
  return taken
}

interface Viewers {
  readonly films: readonly Film[]
  readonly userIds: readonly UserId[]
  readonly libraryId: LibraryId
}

async function appendViewings(log: EventLog, { films, userIds, libraryId }: Viewers): Promise<void> {
  const ids = createTestIds({ series: 'b' })
  const random = createRandom(2)
  const count = Math.floor(EVENTS / EVENTS_EACH)
  for (let n = 0; n < count; n++) {
    const startMs = FROM + Math.floor((n / count) * SPAN_MS)
    const { movieId, fileId } = random.pick(films)
    const sessionId = ids.next<'session'>()
    const common = { sessionId, userId: random.pick(userIds), movieId }
    const place = { fileId, durationMs: 5_400_000 }
    const started: DomainEvent = {
      type: 'PlaybackStarted',
      data: {
        ...common,
        ...place,
        loginId: ids.next<'login'>(),
        libraryId,
        positionMs: 0,
        title: 'A film',
        year: 1990,
        client: null,
        method: 'remux',
        reasons: [],
        idleSeconds: 120,
      },
    }
    const beats = Array.from({ length: EVENTS_EACH - 2 }, (_, beat): DomainEvent => ({
      type: 'PlaybackHeartbeat',
      data: { ...common, ...place, positionMs: (beat + 1) * BEAT_MS, playState: 'playing', rate: 1, sequence: beat },
    }))
    const ended: DomainEvent = { type: 'PlaybackEnded', data: { ...common, ...place, positionMs: 1_200_000, reason: 'client', told: true } }
    const stream = playbackStream(sessionId)
    const encoded: EncodedEvent[] = []
    for (const [revision, event] of [started, ...beats, ended].entries()) {
      const origin = { at: new Date(startMs + revision * BEAT_MS).toISOString(), actor: 'system', command: 'bench' }
      encoded.push(encode(ids.event(), event, origin, { stream, revision, prev: encoded.at(-1)?.metadata.hash ?? '' }))
    }
    await log.append(stream, 'absent', encoded)
  }
}
