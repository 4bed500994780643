/**
 * Simulates a household of five over a year through a node's commands, on a clock of its own. It includes films on two players at once,
 * seeks and pauses; lost, duplicated, reordered and wrong heartbeats; player crashes; and clocks that are set back.
 */
import { join } from 'node:path'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createSqliteEventLog } from '../../../src/adapters/sqlite/event-log.ts'
import { createSqliteReadStore } from '../../../src/adapters/sqlite/read-store.ts'
import { createSqliteVault } from '../../../src/adapters/sqlite/vault.ts'
import { movie } from '../../../src/domain/movies/movie.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { movieStream } from '../../../src/events/streams.ts'
import type { MovieId } from '../../../src/vocabulary/id.ts'
import { factsOf } from '../../fixtures/movie-facts.ts'
import { START, type Position } from '../../../src/events/position.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'
import { createRandom, type Random } from '../../fixtures/random.ts'

export interface HouseholdOptions {
  /** Folder of the log, the read models and the vault. */
  readonly folder: string
  readonly seed: number
  /** Used instead of a file in the folder; stays open. */
  readonly log?: EventLog
  /** Number of started films; each makes some 75 events. */
  readonly viewings: number
  /** A callback that runs this many times during the year. */
  readonly onTheWay?: { readonly times: number; readonly work: (node: NodeFixture) => Promise<unknown> }
}

export interface Household {
  readonly node: NodeFixture
  /** The first one is an administrator. */
  readonly people: readonly Person[]
  readonly movieIds: readonly string[]
  readonly libraryIds: readonly string[]
  /** Position of the year's last event. */
  readonly lived: Position
  /** The client of each session, which is encrypted in the log. */
  readonly clients: ReadonlyMap<string, string>
}

export const FROM = Date.parse('2025-10-01T00:00:00.000Z')
export const TO = Date.parse('2026-10-01T00:00:00.000Z')
export const CLIENTS = ['Living room', 'Phone', 'Browser', 'Kitchen']
// The number of films that figures can compare at once.
const FILMS = 48
const BEAT_MS = 10_000
const MINUTE_MS = 60_000
/** Nights of clock changes in Berlin, in New York and on Lord Howe. */
const ODD_NIGHTS = [
  '2025-10-04T15:00Z',
  '2025-10-26T00:00Z',
  '2025-11-02T05:00Z',
  '2026-03-08T06:00Z',
  '2026-03-29T00:00Z',
  '2026-04-04T14:00Z',
]

export async function liveAYear(
  t: Parameters<typeof openNodeFixture>[0],
  { folder, seed, viewings, onTheWay, log }: HouseholdOptions,
): Promise<Household> {
  const real = createSystemClock()
  const cluster = {
    ...createCluster({ startMs: FROM - 86_400_000 }),
    log: log ?? createSqliteEventLog({ clock: real, file: join(folder, 'events.sqlite') }),
    store: createSqliteReadStore({ file: join(folder, 'read-models.sqlite') }),
    vault: createSqliteVault({ file: join(folder, 'vault.sqlite') }),
  }
  const node = await openNodeFixture(t, { cluster })
  t.teardown(async () => {
    for (const part of [...(log ? [] : [cluster.log]), cluster.store, cluster.vault]) await part.close()
  })
  putMovies(node)
  const libraryIds = [await node.newLibrary('/films'), await node.newLibrary('/kids')]
  for (const libraryId of libraryIds) await node.scan(libraryId)
  const movieIds = await Promise.all(Array.from({ length: FILMS }, async (_, n) => (await node.movieNamed(`Film ${n}`)).id))
  for (const [n, movieId] of movieIds.entries()) await describe(node, movieId, n)
  const people = [await node.person({ role: 'admin' })]
  for (const account of [{}, {}, { maxConcurrentStreams: 1 }, { libraryAccess: 'selected', libraryIds: libraryIds.slice(1) } as const])
    people.push(await node.person(account))
  const clients = new Map<string, string>()
  const day = createDay(node)
  const random = createRandom(seed)
  for (let n = 0; n < viewings; n++) {
    const atMs = beginningOf(n, viewings, random)
    const person = random.pick(people)
    const view = (startMs: number) =>
      playMovie({ node, day, person, movieId: random.pick(movieIds), startMs, random: createRandom(random.below(1e9)), clients })
    day.at(atMs, () => view(atMs))
    if (random.chance(0.05)) day.at(atMs + 5 * MINUTE_MS, () => view(atMs + 5 * MINUTE_MS))
    if (random.chance(0.15)) day.at(atMs - 20 * MINUTE_MS, () => doSomething({ node, person, movieId: random.pick(movieIds), random }))
    // An administrator, or a time server, sets the clock back during a film.
    if (random.chance(0.01)) day.at(atMs + 7 * MINUTE_MS + 1, async () => node.clock.setNow(node.clock.now() - 3 * MINUTE_MS))
    // A film starts while the clock runs ahead and ends after it was corrected; a short film then ends before its start.
    if (random.chance(0.02)) {
      day.at(atMs - 1, async () => day.runAhead(4 * MINUTE_MS))
      day.at(atMs + random.pick([15_001, 100_001, 600_001]), async () => day.runAhead(0))
    }
  }
  const { times, work } = onTheWay ?? { times: 0, work: async () => {} }
  for (let n = 1; n <= times; n++) day.at(FROM + ((TO - FROM - 86_400_000) * n) / times, () => work(node))
  await day.live()
  node.clock.setNow(Math.max(node.clock.now(), TO))
  await node.clock.advance(150_000)
  await node.seen()
  return { node, people, movieIds, libraryIds, lived: await cluster.log.head(), clients }
}

/** On the drives of a node. */
export function putMovies({ mediaFiles }: Pick<NodeFixture, 'mediaFiles'>): void {
  for (let n = 0; n < FILMS; n++) mediaFiles.put(`/${n % 3 === 0 ? 'kids' : 'films'}/Film ${n} (${1950 + n}).mkv`)
}

/** Like a scan that has found a description beside the film. */
async function describe(node: NodeFixture, movieId: MovieId, n: number): Promise<void> {
  const genres = ['Drama', 'War', 'Comedy', 'Crime', 'Family', 'Travel'].filter((_, place) => (n + place) % 3 !== 0)
  const cast = [0, 1, 2].map((place) => ({ name: `Actor ${(n * 7 + place * 5) % 23}`, character: null }))
  const facts = factsOf(`Film ${n}`, 1950 + n, { genres, cast })
  const event = { type: 'MovieIdentified', data: { movieId, source: 'nfo', confidence: 1, facts } } as const
  const author = { actor: 'system', command: 'scan' }
  await node.commandHandler.execute({ stream: movieStream(movieId), decider: movie }, () => [event], author)
}

function beginningOf(n: number, viewings: number, random: Random): number {
  if (n % 10 === 0) return Date.parse(random.pick(ODD_NIGHTS)) + random.below(3 * 60) * MINUTE_MS
  return FROM + Math.floor(((TO - FROM - 86_400_000) * (n + random.below(1000) / 1000)) / viewings)
}

interface Day {
  at(atMs: number, work: () => Promise<unknown>): void
  /** From now on the clock runs ahead by this much. */
  runAhead(ms: number): void
  /** Runs all actions in order, each at its time. */
  live(): Promise<void>
}

function createDay({ clock }: NodeFixture): Day {
  const planned: { readonly atMs: number; readonly work: () => Promise<unknown> }[] = []
  let aheadOfTimeMs = 0
  return {
    runAhead(ms) {
      clock.setNow(clock.now() - aheadOfTimeMs + ms)
      aheadOfTimeMs = ms
    },
    at(atMs, work) {
      let [low, high] = [0, planned.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((planned[middle]?.atMs ?? 0) > atMs) low = middle + 1
        else high = middle
      }
      planned.splice(low, 0, { atMs, work })
    },
    async live() {
      for (let next = planned.pop(); next; next = planned.pop()) {
        const aheadMs = next.atMs + aheadOfTimeMs - clock.now()
        // Timers need no finer steps, which take most of a test's time: abandoned sessions end after two minutes.
        if (aheadMs > 5 * MINUTE_MS) await clock.advance(150_000)
        if (aheadMs > 0) clock.setNow(next.atMs + aheadOfTimeMs)
        await next.work()
      }
    },
  }
}

interface Showing {
  readonly node: NodeFixture
  readonly day: Day
  readonly person: Person
  readonly movieId: string
  readonly startMs: number
  readonly random: Random
  readonly clients: Map<string, string>
}

async function playMovie({ node, day, person, movieId, startMs, random, clients }: Showing): Promise<void> {
  const { playback } = node
  // Last week's login has expired.
  const { caller } = await node.login(person.caller.userId)
  const name = random.pick(CLIENTS)
  const client = { name, version: '1.0', device: `${name} device`, deviceId: null }
  const startPositionMs = random.chance(0.3) ? random.below(600_000) : 0
  const started = await playback.start(caller, { movieId, client, startPositionMs }, ORIGIN)
  // The user may not see the film, or has reached the limit of streams.
  if (isRefusal(started)) return
  const { id, durationMs } = started.session
  clients.set(id, name)
  const last = random.pick([1, 5, 20, 60, 120, 300])
  const end = random.below(10)
  const rate = random.pick([1, 1, 1, 1, 1.5, 2, 0.5])
  let positionMs = startPositionMs
  let pausedBeats = 0
  let sequence = 0

  async function beat(n: number): Promise<void> {
    if (pausedBeats > 0) pausedBeats--
    else positionMs = Math.min(durationMs, positionMs + BEAT_MS * rate)
    const lie = random.chance(0.005)
    const told = {
      positionMs: lie ? Math.min(durationMs, random.below(durationMs)) : Math.floor(positionMs),
      playState: pausedBeats > 0 ? ('paused' as const) : ('playing' as const),
      rate: random.chance(0.005) ? 0.1 : rate,
      sequence: random.chance(0.01) ? Math.max(0, sequence - 3) : ++sequence,
    }
    if (!random.chance(0.03)) await playback.heartbeat(caller, id, told, ORIGIN)
    if (random.chance(0.03)) await playback.heartbeat(caller, id, told, ORIGIN)
    if (random.chance(0.01)) {
      positionMs = random.below(durationMs)
      await playback.seek(caller, id, positionMs, ORIGIN)
    }
    if (random.chance(0.01)) pausedBeats = random.below(40)
    const isOver = n >= last || positionMs >= durationMs
    if (!isOver) day.at(startMs + (n + 1) * BEAT_MS + random.below(900), () => beat(n + 1))
    else if (end < 7) await playback.end(caller, id, ORIGIN)
    else if (end === 7) await playback.terminate(caller, id, { message: null, origin: ORIGIN })
    // Otherwise the player has crashed.
  }
  day.at(startMs + BEAT_MS, () => beat(1))
}

async function doSomething({ node, person, movieId, random }: Pick<Showing, 'node' | 'person' | 'movieId' | 'random'>) {
  const { movieMarks, history, historyImports } = node
  const { caller } = await node.login(person.caller.userId)
  const asking = { caller, operation: 'GET /v1/history', origin: ORIGIN }
  switch (random.below(5)) {
    case 0:
      return movieMarks.markWatched(caller, movieId, new Date(node.clock.now() - random.below(72 * 60) * MINUTE_MS).toISOString(), ORIGIN)
    case 1:
      return movieMarks.markUnwatched(caller, movieId, ORIGIN)
    case 2:
      return movieMarks.setWatchlisted(caller, movieId, random.chance(0.7), ORIGIN)
    case 3: {
      const { items } = await history.list(asking, { userId: caller.userId }, { limit: 20 })
      return items.length > 0 && history.hide(caller, random.pick(items).id, ORIGIN)
    }
    default: {
      const nobody = { tmdb: null, imdb: null, watchedMs: 0, positionMs: null, plays: 1 }
      const watchedAt = new Date(node.clock.now() - random.below(200 * 24) * 3_600_000).toISOString()
      const n = random.below(FILMS)
      const items = [{ ...nobody, title: `Film ${n}`, year: 1950 + n, watchedAt }]
      const author = { actor: 'cli', command: 'importHistory' }
      const { importId } = allowed(await historyImports.take(caller, { source: 'plex', importId: null, dryRun: false, items }, author))
      return importId !== null && random.chance(0.2) && historyImports.undo(caller.userId, importId, author)
    }
  }
}

/** All events of a log, in batches. */
export async function* everything(log: EventLog): AsyncGenerator<readonly StoredEvent[]> {
  const head = await log.head()
  let last: Position = START
  for await (const batch of last < head ? log.follow(START, new AbortController().signal) : []) {
    yield batch
    last = batch.at(-1)?.position ?? last
    if (last >= head) return
  }
}
