import { join } from 'node:path'
import t, { type Test } from 'tap'
import { audit } from '../../../projections/views/audit.ts'
import { views } from '../../../projections/views/all.ts'
import { Fenced, runProjector, specOf } from '../../../projections/projector/projector.ts'
import { collectionOf, type AnyView } from '../../../projections/views/view.ts'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createSqliteReadStore } from '../../../src/adapters/sqlite/read-store.ts'
import { createReadYourWrites } from '../../../src/app/consistency/read-your-writes.ts'
import { progressCollectionOf } from '../../../src/app/consistency/stored-progress.ts'
import type { JsonObject, StoredEvent } from '../../../src/events/envelope.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { Commit, ReadStore } from '../../../src/ports/read-store.ts'
import type { Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { createRandom } from '../../fixtures/random.ts'
import { fold } from '../../fixtures/fold.ts'
import { appendTo } from '../../fixtures/ledger.ts'
import { randomEvents } from './random-events.ts'
import { createStory } from '../../fixtures/story.ts'
import { until } from '../../fixtures/until.ts'

const folder = t.testdir()
let files = 0
const fail = (): void => void t.fail('A view could not fold an event')

t.test('on a store in memory', async (t) => onStore(t, createMemoryReadStore))
t.test('on a store in a SQLite file', async (t) => {
  onStore(t, () => createSqliteReadStore({ file: join(folder, `store-${files++}.sqlite`) }))
})

interface Projecting {
  /** Settles when the projector has passed the position. */
  waitFor(position: Position): Promise<void>
  /** Stops it; returns its error, if any. */
  stop(): Promise<unknown>
}

interface Setting {
  readonly log: EventLog
  readonly store: ReadStore
}

function project(
  { log, store }: Setting,
  { epoch = 1, views: chosen = views }: { epoch?: number; views?: readonly AnyView[] } = {},
): Projecting {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const readYourWrites = createReadYourWrites({ bus, clock, store, collections: chosen.map(collectionOf), own: [] })
  const stopping = new AbortController()
  const group = chosen.map((view) => ({ view, epoch }))
  const running = runProjector({ log, store, bus, clock, views: group, unfoldable: fail }, stopping.signal).catch((error: unknown) => error)
  return {
    waitFor: (position) => readYourWrites.waitFor(position),
    async stop() {
      stopping.abort()
      const thrown = await running
      readYourWrites.close()
      await bus.close()
      return thrown
    },
  }
}

async function documentsIn(store: ReadStore, view: { readonly name: string; readonly version: number }) {
  const { documents } = await store.find(collectionOf(view), { limit: 1000 })
  return new Map(documents.map(({ id, body }) => [id, body]))
}

/** A view that counts the heartbeats of each session, and ignores other events. */
const counting: AnyView = {
  name: 'heartbeats',
  version: 1,
  fields: {},
  indexes: [],
  handles: {
    PlaybackHeartbeat: ({ data }) => [{ id: data.sessionId, fold: (document) => ({ beats: Number(document?.['beats'] ?? 0) + 1 }) }],
    PlaybackEnded: ({ data }) => [{ id: data.sessionId, fold: (document) => (document ? null : undefined) }],
  },
}
const session = { sessionId: named<'session'>('evening'), userId: named<'user'>('ann'), movieId: named<'movie'>('film') }
const film = { fileId: named<'file'>('file'), durationMs: 3_600_000 }
const beat: Happened = {
  type: 'PlaybackHeartbeat',
  data: { ...session, ...film, positionMs: 1, playState: 'playing', rate: 1, sequence: null },
}
const ended: Happened = { type: 'PlaybackEnded', data: { ...session, ...film, reason: 'client', positionMs: 1, told: true } }
const irrelevant: Happened = { type: 'LibraryCameOnline', data: { libraryId: named('films') } }
const beats = (count: number): readonly Happened[] => Array.from({ length: count }, () => beat)

/** A commit of the group's position, or the one at the start that claims the views. */
const isOwn = ({ collection, from, to }: Commit): boolean => collection.startsWith('progress_') || from === to

/** The store, with a record of the commits to views. */
function watching(store: ReadStore): { readonly store: ReadStore; readonly commits: Commit[] } {
  const commits: Commit[] = []
  const commit: ReadStore['commit'] = (...made) => {
    commits.push(...made.filter((one) => !isOwn(one)))
    return store.commit(...made)
  }
  return { store: { ...store, commit }, commits }
}

function onStore(t: Test, makeStore: () => ReadStore): void {
  const test = (title: string, run: (t: Test, setting: Setting & { readonly append: ReturnType<typeof createStory> }) => Promise<void>) => {
    t.test(title, async (t) => {
      const setting = { log: createMemoryEventLog(), store: makeStore() }
      t.teardown(() => setting.store.close())
      await run(t, { ...setting, append: createStory(setting.log) })
    })
  }

  t.test('documents are those of a fold from zero, however the events came in batches and the projector restarted', async (t) => {
    for (const seed of [1, 2, 3]) {
      const random = createRandom(seed)
      const told: Happened[] = []
      const setting = { log: createMemoryEventLog(), store: makeStore() }
      const tell = createStory(setting.log)
      for (let stretch = 0; stretch < 4; stretch++) {
        const projector = project(setting, { epoch: stretch + 1 })
        for (let n = 0; n < 6; n++) {
          const events = randomEvents(random, 1 + random.below(40))
          told.push(...events)
          const position = await tell(events)
          if (random.chance(0.5)) await projector.waitFor(position)
        }
        t.equal(await projector.stop(), undefined)
      }
      const projector = project(setting, { epoch: 9 })
      await projector.waitFor(await setting.log.head())
      for (const view of views.filter(({ append }) => !append)) {
        const expected = new Map([...fold(view, ...told)].sort(([a], [b]) => (a < b ? -1 : 1)))
        t.strictSame(await documentsIn(setting.store, view), plain(expected), `seed ${seed}: ${view.name}`)
      }
      const ledger = new Map<string, JsonObject>()
      const events: StoredEvent[] = []
      for await (const event of setting.log.read('story-of_a_test')) events.push(event)
      await appendTo(ledger, audit as unknown as AnyView, { events })
      const isLasting = ([id]: readonly [string, unknown]) => !id.startsWith('edge:')
      const appended = new Map([...(await documentsIn(setting.store, audit as unknown as AnyView))].filter(isLasting))
      t.strictSame(appended, plain(new Map([...ledger].filter(isLasting).sort(([a], [b]) => (a < b ? -1 : 1)))), `seed ${seed}: audit`)
      await projector.stop()
      await setting.store.close()
    }
  })

  test('a document is loaded and written once a batch, with the position of its last event', async (t, { append, log, store }) => {
    const last = await append(beats(300))
    const watched = watching(store)
    const projector = project({ log, store: watched.store }, { views: [counting] })
    await projector.waitFor(last)
    t.match(watched.commits, [{ from: START, to: last, puts: [{ id: session.sessionId, at: last, body: { beats: 300 } }], removes: [] }])
    t.equal(watched.commits.length, 1)
    await projector.stop()
  })

  test('a store that bounds its commits is given no more events at once', async (t, { append, log, store }) => {
    const last = await append(beats(300))
    const watched = watching({ ...store, eventsPerCommit: 120 })
    const projector = project({ log, store: watched.store }, { views: [counting] })
    await projector.waitFor(last)
    const counts = watched.commits.map(({ puts }) => puts[0]?.body['beats'])
    t.strictSame(counts, [120, 240, 300])
    await projector.stop()
  })

  test('what came and went within one batch leaves nothing, what went later is removed', async (t, { append, ...setting }) => {
    await append([beat, ended])
    const projector = project(setting, { views: [counting] })
    await projector.waitFor(await append([irrelevant]))
    t.equal((await documentsIn(setting.store, counting)).size, 0)
    await projector.waitFor(await append([beat]))
    t.equal((await documentsIn(setting.store, counting)).size, 1)
    await projector.waitFor(await append([ended]))
    t.equal((await documentsIn(setting.store, counting)).size, 0)
    await projector.waitFor(await append([beat]))
    t.match((await documentsIn(setting.store, counting)).get(session.sessionId), { beats: 1 }, 'and starts again when it comes again')
    await projector.stop()
  })

  test('what follows from the rest of a document is derived once a batch, however many events it has', async (t, {
    append,
    log,
    store,
  }) => {
    let derivations = 0
    const derive = (document: JsonObject): JsonObject => {
      derivations++
      return { ...document, twice: Number(document['beats']) * 2 }
    }
    const projector = project({ log, store }, { views: [{ ...counting, derive }] })
    await projector.waitFor(await append(beats(300)))
    t.match((await documentsIn(store, counting)).get(session.sessionId), { beats: 300, twice: 600 })
    t.ok(derivations < 10, String(derivations))
    await projector.stop()
  })

  test('all that a batch changes is stored in one step, and pages of the past are taken together', async (t, { append, log, store }) => {
    const last = await append(beats(900))
    let steps = 0
    const commit: ReadStore['commit'] = (...commits) => {
      const touched = commits.filter((one) => !isOwn(one)).length
      if (touched > 0) steps++
      t.ok(touched === 0 || touched === 2)
      return store.commit(...commits)
    }
    const projector = project({ log, store: { ...store, commit } }, { views: [counting, { ...counting, name: 'others' }] })
    await projector.waitFor(last)
    t.equal(steps, 1)
    await projector.stop()
  })

  test('pages that are appended while an earlier one is stored are taken together, too', async (t, { append, log, store }) => {
    const first = Promise.withResolvers<void>()
    const counts: number[] = []
    const commit: ReadStore['commit'] = async (...commits) => {
      const beats = commits.find((one) => !isOwn(one))?.puts[0]?.body['beats']
      if (beats !== undefined) counts.push(Number(beats))
      if (counts.length === 1) await first.promise
      return store.commit(...commits)
    }
    const projector = project({ log, store: { ...store, commit } }, { views: [counting] })
    await append([beat])
    await until(() => counts.length === 1)
    const last = await append(beats(900))
    first.resolve()
    await projector.waitFor(last)
    t.strictSame(counts, [1, 901])
    await projector.stop()
  })

  test('a projector that restarts goes on after its checkpoint and folds nothing twice', async (t, { append, ...setting }) => {
    const first = project(setting, { views: [counting] })
    await first.waitFor(await append(beats(5)))
    await first.stop()
    t.equal(await setting.store.checkpoint(collectionOf(counting)), toPosition(5))
    const followed: Position[] = []
    const follow: EventLog['follow'] = (after, signal) => {
      followed.push(after)
      return setting.log.follow(after, signal)
    }
    const second = project({ ...setting, log: { ...setting.log, follow } }, { views: [counting], epoch: 2 })
    await second.waitFor(await append(beats(2)))
    t.strictSame(followed, [toPosition(5)])
    t.match((await documentsIn(setting.store, counting)).get(session.sessionId), { beats: 7 })
    await second.stop()
  })

  test('a document that is ahead of the checkpoint is not folded again', async (t, { append, log, store }) => {
    const collection = collectionOf(counting)
    const last = await append(beats(3))
    await store.open([specOf(counting)])
    const body: JsonObject = { beats: 2 }
    await store.commit({
      collection,
      epoch: 1,
      from: START,
      to: toPosition(1),
      puts: [{ id: session.sessionId, at: toPosition(2), body }],
      removes: [],
    })
    const projector = project({ log, store }, { views: [counting] })
    await projector.waitFor(last)
    t.match((await documentsIn(store, counting)).get(session.sessionId), { beats: 3 })
    await projector.stop()
  })

  test('a view that lags behind catches up without the others folding anything twice', async (t, { append, ...setting }) => {
    const first = project(setting, { views: [counting] })
    await first.waitFor(await append(beats(4)))
    await first.stop()
    const other: AnyView = { ...counting, name: 'others' }
    const both = project(setting, { views: [counting, other], epoch: 2 })
    await both.waitFor(await append(beats(1)))
    for (const view of [counting, other]) t.match((await documentsIn(setting.store, view)).get(session.sessionId), { beats: 5 }, view.name)
    await both.stop()
  })

  test('a projector whose progress another has dropped at the take-over learns that, and gets no TypeError', async (t, {
    append,
    ...setting
  }) => {
    const old = project(setting, { views: [counting], epoch: 1 })
    await old.waitFor(await append(beats(1)))
    await setting.store.drop(progressCollectionOf([specOf(counting)]))
    await append(beats(1))
    await new Promise((resolve) => setImmediate(resolve))
    t.type(await old.stop(), Fenced)
  })

  test('a projector that was replaced is fenced off and changes nothing more', async (t, { append, ...setting }) => {
    const old = project(setting, { views: [counting], epoch: 1 })
    await old.waitFor(await append(beats(1)))
    const collection = collectionOf(counting)
    const from = await setting.store.checkpoint(collection)
    const body: JsonObject = { beats: 40 }
    await setting.store.commit({ collection, epoch: 2, from, to: from, puts: [{ id: session.sessionId, at: from, body }], removes: [] })
    await append(beats(1))
    await new Promise((resolve) => setImmediate(resolve))
    t.type(await old.stop(), Fenced)
    t.match((await documentsIn(setting.store, counting)).get(session.sessionId), { beats: 40 })
    t.equal(await setting.store.checkpoint(collection), from)
  })

  test('events that do not concern a view are passed at once, and stored as a checkpoint only now and then', async (t, {
    append,
    log,
    store,
  }) => {
    const watched = watching(store)
    const projector = project({ log, store: watched.store }, { views: [counting] })
    await projector.waitFor(await append(Array.from({ length: 900 }, () => irrelevant)))
    t.equal(watched.commits.length, 0)
    for (let n = 0; n < 5; n++) await projector.waitFor(await append(Array.from({ length: 900 }, () => irrelevant)))
    t.equal(watched.commits.length, 1)
    t.ok((await store.checkpoint(collectionOf(counting))) >= toPosition(5000))
    await projector.stop()
  })

  test('events that this version does not know are passed', async (t, { append, log, store }) => {
    const projector = project({ log, store }, { views: [counting] })
    await append(beats(1))
    const metadata = { v: '1', at: '2026-01-02T12:00:00.000Z', actor: 'system', prev: '', hash: '' }
    const { position = START } = await log.append('future-x', 'absent', [
      { id: '00000000-0000-4000-8000-00000000ffff', type: 'MovieSangASong', data: {}, metadata },
    ])
    await projector.waitFor(position)
    t.match((await documentsIn(store, counting)).get(session.sessionId), { beats: 1 })
    t.equal(await projector.stop(), undefined)
  })
}

const plain = (documents: ReadonlyMap<string, JsonObject>): ReadonlyMap<string, JsonObject> =>
  new Map(JSON.parse(JSON.stringify([...documents])) as [string, JsonObject][])
