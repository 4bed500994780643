/**
 * A house: one node of Marquee on engines in memory and a clock that stands still, with people, films and sessions. Several
 * nodes share a town: log, read models, vault, bus, leases, films and the time.
 */
import { createMemoryTextReader } from '../../src/adapters/memory/text-reader.ts'
import { textReading } from '../../src/app/derived-media/text-reading.ts'
import type { Test } from 'tap'
import { startBackground, type Background } from '../../src/wiring/background.ts'
import { createServices, type Services } from '../../src/wiring/services.ts'
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createTestClock, type TestClock } from '../../src/adapters/memory/clock.ts'
import { createMemoryCounters } from '../../src/adapters/memory/counters.ts'
import { createMemoryFilmTexts } from '../../src/adapters/memory/film-texts.ts'
import { createMemoryLoudness } from '../../src/adapters/memory/loudness.ts'
import { createMemoryEventLog } from '../../src/adapters/memory/event-log.ts'
import { createTestIds } from '../../src/adapters/memory/ids.ts'
import { createLeaseTable, createMemoryLeases, type MemoryLeases } from '../../src/adapters/memory/leases.ts'
import { createMemoryMedia, type MemoryMedia } from '../../src/adapters/memory/media.ts'
import { createMemoryOutcomes } from '../../src/adapters/memory/outcomes.ts'
import { createMemoryPictureStore } from '../../src/adapters/memory/picture-store.ts'
import { createSharpPictures } from '../../src/adapters/sharp/sharp-pictures.ts'
import { createMemoryTrickplayMaker, createMemoryTrickplayStore } from '../../src/adapters/memory/trickplay.ts'
import { createMemoryScrypt } from '../../src/adapters/memory/scrypt.ts'
import { createMemorySegmentStore } from '../../src/adapters/memory/segment-store.ts'
import { createMemoryReadStore } from '../../src/adapters/memory/read-store.ts'
import { createMemoryVault } from '../../src/adapters/memory/vault.ts'
import { createMemoryWatcher } from '../../src/adapters/memory/watcher.ts'
import type { ScanDocument } from '../../projections/views/scans.ts'
import type { MovieDocument } from '../../projections/views/movie-document.ts'
import { createSealer } from '../../src/app/commands/sealer.ts'
import type { Account, Caller } from '../../src/app/access/caller.ts'
import type { OfferedStreams } from '../../src/app/playback/offered-streams.ts'
import type { ScanRequest } from '../../src/app/scans/scans.ts'
import { isRefusal, type Refusal } from '../../src/domain/refusal.ts'
import { register, user } from '../../src/domain/accounts/user.ts'
import { decode } from '../../src/events/codec.ts'
import type { LibraryId, ScanId, UserId } from '../../src/vocabulary/id.ts'
import { START } from '../../src/events/position.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'
import { userStream } from '../../src/events/streams.ts'
import type { Engine } from '../../src/ports/engine.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import type { Ids } from '../../src/ports/ids.ts'
import type { Media } from '../../src/ports/media.ts'
import type { OnlineMetadata } from '../../src/ports/online-metadata.ts'
import type { Stills } from '../../src/ports/stills.ts'
import type { TrickplayStore } from '../../src/ports/trickplay-store.ts'
import type { Loudness } from '../../src/ports/loudness.ts'
import type { Scrypt } from '../../src/ports/scrypt.ts'

export const ORIGIN = { requestId: 'request-1', address: '192.0.2.1', client: 'test' }
export const SECRETS = ['the secret of this test, long enough', 'the one before it, which verifies only'] as const
/** Of passwords in tests. */
export const CHEAP = { logN: 4, r: 1, p: 1 } as const
const SYSTEM = { actor: 'system', command: 'test' }

export type Town = ReturnType<typeof createTown>

export function createTown(changed: { readonly log?: EventLog; readonly media?: Media; readonly startMs?: number } = {}) {
  const clock = createTestClock(changed.startMs === undefined ? {} : { startMs: changed.startMs })
  return {
    clock,
    log: createMemoryEventLog(),
    store: createMemoryReadStore(),
    openScratchStore: createMemoryReadStore,
    vault: createMemoryVault(),
    bus: createLocalBus({ clock }),
    table: createLeaseTable(),
    counters: createMemoryCounters({ clock }),
    films: createMemoryMedia(),
    watcher: createMemoryWatcher(),
    ...changed,
  }
}

export interface Person {
  readonly caller: Caller
  readonly token: string
}

export interface House extends Services {
  readonly town: Town
  readonly clock: TestClock
  readonly films: MemoryMedia
  readonly leases: MemoryLeases
  /** What went wrong in the background. */
  readonly problems: readonly unknown[]
  readonly readiness: Background['readiness']
  /** An account with a login, made without hashing a password. */
  readonly person: (account?: Partial<Pick<Account, 'role' | 'libraryAccess' | 'libraryIds' | 'maxConcurrentStreams'>>) => Promise<Person>
  readonly login: (userId: UserId) => Promise<Person>
  readonly newLibrary: (...paths: readonly string[]) => Promise<LibraryId>
  /** Requests a scan and lets time pass until it has ended. */
  readonly scan: (libraryId: LibraryId, request?: Partial<ScanRequest>) => Promise<ScanDocument>
  readonly scanned: (scanId: ScanId) => Promise<ScanDocument>
  readonly movieNamed: (title: string) => Promise<MovieDocument>
  /** What the log holds. */
  readonly events: () => Promise<readonly RecordedEvent[]>
  /** Settles when everything in the log is visible. */
  readonly seen: () => Promise<void>
  readonly stop: () => Promise<void>
}

interface HouseOptions {
  readonly town?: Town
  readonly node?: string
  /** Where there are any, this node knows that others append too; to be opened before anything has happened. */
  readonly servers?: readonly Engine[]
  readonly media?: Media
  readonly width?: number
  readonly streams?: Partial<OfferedStreams>
  readonly online?: OnlineMetadata
  readonly stills?: Stills
  readonly trickplay?: TrickplayStore
  readonly loudness?: Loudness
  readonly scrypt?: Scrypt
}

let nodes = 0

export async function openHouse(
  t: Test,
  {
    town = createTown(),
    node = 'one',
    servers = [],
    media = town.films,
    width = 2,
    streams = {},
    online,
    stills = NO_STILLS,
    trickplay,
    loudness = createMemoryLoudness(),
    scrypt = createMemoryScrypt(),
  }: HouseOptions = {},
): Promise<House> {
  const { clock, log, store, vault, bus, counters, watcher } = town
  const leases = createMemoryLeases({ clock, table: town.table })
  const ids = createTestIds({ series: (nodes++ % 16).toString(16) })
  const engines = {
    log,
    store,
    openScratchStore: createMemoryReadStore,
    vault,
    scrypt,
    bus,
    leases,
    counters,
    outcomes: createMemoryOutcomes({ clock }),
    media,
    stills,
    online,
    pictures: createMemoryPictureStore(),
    pictureMaker: createSharpPictures(),
    segments: createMemorySegmentStore(),
    fonts: { of: async () => [] },
    texts: createMemoryFilmTexts(),
    reader: createMemoryTextReader(textReading),
    loudness,
    trickplay: trickplay ?? createMemoryTrickplayStore(),
    trickplayMaker: createMemoryTrickplayMaker(),
    watcher,
    clock,
    ids,
    servers,
    close: async () => {},
  }
  const problems: unknown[] = []
  const problem = (cause: unknown): void => void problems.push(cause)
  const services = createServices({
    engines,
    node,
    problem,
    streams: { ...NO_STREAMS, ...streams },
    idleSeconds: 120,
    mediaRoots: [],
    secrets: SECRETS,
    probeWidth: width,
    passwordCost: CHEAP,
    urls: () => ['http://127.0.0.1:8420'],
  })
  const background = await startBackground(engines, services, { projects: true, problem })
  if (servers.length > 0) await background.caughtUp()
  const { readiness } = background
  const house = { ...services, ...conveniences(services, town, ids), town, clock, films: town.films, leases, problems, readiness }
  let stopped = false
  async function stop(): Promise<void> {
    if (stopped) return
    stopped = true
    await services.scanRunner.close()
    await services.soundGain.close()
    await background.stop()
    await services.host.close()
    services.freshness.close()
    await leases.close()
  }
  t.teardown(stop)
  return { ...house, stop }
}

const NO_STILLS: Stills = { still: async () => undefined }

/** A streaming engine that offers nothing. */
const NO_STREAMS: OfferedStreams = {
  offer: async () => ({ decision: { method: 'remux', reasons: [], rejected: [] }, qualities: [], audio: [], subtitles: [], burnable: [] }),
  prewarm: () => {},
  problem: () => null,
  means: () => ({}),
  meansInstead: () => undefined,
  leave: () => {},
}

function conveniences(
  { access, commander, documents, freshness, libraries, scans, signIns }: Services,
  { clock, log, vault }: Town,
  ids: Ids,
) {
  const sealer = createSealer(vault)
  const seen = async (): Promise<void> => freshness.reach(await log.head())

  async function login(userId: UserId): Promise<Person> {
    const { token, loginId } = await signIns.open(userId, true, ORIGIN)
    const caller = access.callerByLogin(loginId)
    if (!caller) throw new Error('The login does not hold')
    return { caller, token }
  }

  async function scanned(scanId: ScanId): Promise<ScanDocument> {
    for (let patience = 0; patience < 5000; patience++) {
      const scan = await documents.scans.get(scanId)
      if (scan?.finishedAt) return scan
      await clock.advance(100)
      // A real disk takes its time.
      if (patience > 50) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    throw new Error('The scan does not end')
  }

  return {
    seen,
    login,
    scanned,

    async person(account: Parameters<House['person']>[0] = {}): Promise<Person> {
      const userId = ids.next<'user'>()
      const [email, name] = [await sealer.seal(userId, `${userId}@example.org`), await sealer.seal(userId, 'Somebody')]
      const rights = { role: 'user', libraryAccess: 'all', libraryIds: [], maxConcurrentStreams: null, ...account } as const
      const data = { userId, email, name, ...rights, passwordVersion: 1 }
      allowed(await commander.execute({ stream: userStream(userId), decider: user }, register(data), SYSTEM))
      await seen()
      return login(userId)
    },

    async newLibrary(...paths: readonly string[]): Promise<LibraryId> {
      return allowed(await libraries.createBy(SYSTEM, { name: paths.join(' and '), paths }))
    },

    async scan(libraryId: LibraryId, request: Partial<ScanRequest> = {}): Promise<ScanDocument> {
      const asked = { mode: 'incremental', paths: null, trigger: 'start', startedBy: null, ...request } as const
      return scanned(allowed(await scans.request(libraryId, asked, SYSTEM)))
    },

    async movieNamed(title: string): Promise<MovieDocument> {
      for await (const movie of documents.movies.walk({})) if (movie.details.title === title) return movie
      throw new Error(`There is no movie ${title}`)
    },

    events: () => eventsIn(log),
  }
}

/** Settles when a further node has caught up with the town: it asks the store, now and then, how far the views are. */
export async function opened({ clock, seen }: House): Promise<void> {
  const caughtUp = seen()
  await clock.advance(1000)
  await caughtUp
}

/** What the log holds. */
export async function eventsIn(log: EventLog): Promise<readonly RecordedEvent[]> {
  const head = await log.head()
  const events: RecordedEvent[] = []
  if (head === START) return events
  for await (const batch of log.follow(START, new AbortController().signal)) {
    events.push(...batch.map(decode).filter((event) => event !== undefined))
    if ((batch.at(-1)?.position ?? START) >= head) break
  }
  return events
}

/** What was not refused. */
export function allowed<Value>(value: Value | Refusal): Value {
  if (isRefusal(value)) throw new Error(`${value.refusal}: ${value.message}`)
  return value
}
