/** Generates viewings: the events that players of this many users would have caused in five years. */
import { createTestIds } from '../../src/adapters/memory/ids.ts'
import type { DomainEvent } from '../../src/events/catalogue.ts'
import { encode } from '../../src/events/codec.ts'
import type { EncodedEvent } from '../../src/events/envelope.ts'
import { playbackStream } from '../../src/events/streams.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import type { LibraryId, UserId } from '../../src/vocabulary/id.ts'
import { createRandom } from '../fixtures/random.ts'
import { appendMovies, type Movie } from './movies.ts'

/** The start, heartbeats for 20 minutes, the end. */
const EVENTS_EACH = 122
const BEAT_MS = 10_000
const FROM = Date.parse('2021-11-01T00:00:00.000Z')
const SPAN_MS = 5 * 365 * 86_400_000

const FILMS = 2_000
const USERS = 10

/** Appends 2,000 films, and this many events of ten users who watch them; returns the users. */
export async function appendYears(log: EventLog, events: number): Promise<readonly [UserId, ...UserId[]]> {
  const ids = createTestIds({ series: 'a' })
  const libraryIds = [ids.next<'library'>(), ids.next<'library'>()] as const
  const userIds = [ids.next<'user'>(), ...Array.from({ length: USERS - 1 }, () => ids.next<'user'>())] as const
  const films = await appendMovies(log, ids, { count: FILMS, libraryIds })
  await appendViewings(log, { events, films, userIds, libraryId: libraryIds[0] })
  return userIds
}

export interface Viewers {
  /** Approximate number of events. */
  readonly events: number
  readonly films: readonly Movie[]
  readonly userIds: readonly UserId[]
  readonly libraryId: LibraryId
}

/** In five years, one after the other. */
export async function appendViewings(log: EventLog, { events, films, userIds, libraryId }: Viewers): Promise<void> {
  const ids = createTestIds({ series: 'b' })
  const random = createRandom(2)
  const count = Math.floor(events / EVENTS_EACH)
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
