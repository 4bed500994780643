import t, { type Test } from 'tap'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { foldAsOf, type Whose } from '../../../src/app/read-models/as-of-fold.ts'
import { PAST_VIEWS } from '../../../src/app/read-models/past-views.ts'
import { keepSnapshots, writeSnapshots } from '../../../src/app/read-models/snapshot-writer.ts'
import { blocksOf, createSnapshots, FAN, SNAPSHOTS } from '../../../src/app/read-models/snapshots.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { ReadStore, Sum } from '../../../src/ports/read-store.ts'
import { collectionOf, type AnyView } from '../../../projections/views/view.ts'
import type { Position } from '../../../src/events/position.ts'
import { appendMovies } from '../../bench/movies.ts'
import { positionsOf } from '../../fixtures/log-positions.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'
import { createRandom } from '../../fixtures/random.ts'

const clock = createSystemClock()
const STAYS = new AbortController().signal
/** So short that higher levels are reached. */
const STRETCH = 2
const ROUNDS = 10
const NONE = createSnapshots(createMemoryReadStore())

/** So many that a block of the third level has most of them. */
const MANY = 130

/** Films that come and go, and users who watch, mark and list them. */
async function lively(t: Test, count = 60): Promise<{ readonly node: NodeFixture; readonly users: readonly Whose[] }> {
  const node = await openNodeFixture(t)
  const libraryIds = [await node.newLibrary('/media/films')]
  const films = await appendMovies(node.cluster.log, createTestIds({ series: 'e' }), { count, libraryIds })
  await node.seen()
  const callers = [(await node.person()).caller, (await node.person()).caller]
  const random = createRandom(7)
  for (let step = 0; step < 120; step++) {
    const caller = random.pick(callers)
    const { movieId } = random.pick(films)
    await node.clock.advance(1_000)
    const doing = random.below(4)
    if (doing === 0) await node.movieMarks.markWatched(caller, movieId, undefined, ORIGIN)
    if (doing === 1) await node.movieMarks.setWatchlisted(caller, movieId, random.chance(0.5), ORIGIN)
    if (doing === 2) await node.movieMarks.markUnwatched(caller, movieId, ORIGIN)
    if (doing === 3) await node.movieCorrections.edit(caller, movieId, { title: `Title ${step}` }, ORIGIN)
  }
  return { node, users: callers.map(({ userId }) => userId) }
}

/** Settles when all stretches have a snapshot: each commit waits for a turn of the event loop. */
async function allWritten({ clock, events }: NodeFixture, store: ReadStore): Promise<void> {
  const stretches = Math.floor((await events()).length / STRETCH)
  for (let turn = 0; turn < 10_000 && (await createSnapshots(store).ends()).length < stretches; turn++) await clock.advance(1)
}

async function contentsAt(log: EventLog, snapshots: typeof NONE, until: Position, whose: Whose) {
  const folded = await foldAsOf({ log, snapshots, store: createMemoryReadStore(), whose, removed: new Set(), until }, STAYS)
  const { last, lastMs, store } = folded
  // First, while no field has been read.
  const queried = await Promise.all([queriedFrom(store), queriedFrom(store)])
  const pages = await Promise.all(PAST_VIEWS.map((view) => store.find(collectionOf(view), { limit: 1000 })))
  const documents = pages.map(({ documents }) => documents.map(({ id, body }) => ({ id, body })))
  const single = await Promise.all(PAST_VIEWS.map((view, place) => singleFrom(store, view, documents[place] ?? [])))
  return { last, lastMs, queried, documents, single }
}

/** The answers to one query of each kind. */
async function queriedFrom(store: ReadStore) {
  const [films, own, viewings] = PAST_VIEWS.map(collectionOf) as [string, string, string]
  const byTitle = { sort: { field: 'sortTitle', direction: 'asc' }, limit: 7 } as const
  const first = await store.find(films, { ...byTitle, only: ['card', 'sortTitle'] })
  return {
    first,
    second: first.next && (await store.find(films, { ...byTitle, after: first.next, only: ['sortTitle', 'year'] })),
    edited: await store.find(films, { where: [{ field: 'words', op: 'tokens', words: ['title'] }], limit: 50 }),
    newest: await store.keys(films, { sort: { field: 'addedAt', direction: 'desc' }, scan: 1000 }),
    available: await store.count(films, [{ field: 'available', op: 'eq', value: true }]),
    tallied: await store.tally(films, 'tallies', { prefix: '', limit: 1000 }),
    watched: await store.count(own, [{ field: 'watched', op: 'eq', value: true }]),
    sums: sorted(await store.sum(viewings, { by: ['userId', 'movieId'], of: 'watchedMs' })),
  }
}

const sorted = (sums: readonly Sum[]) => sums.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** Every document read by its id, alone, with others, and in part. */
async function singleFrom(store: ReadStore, view: AnyView, documents: readonly { readonly id: string }[]) {
  const [name, field] = [collectionOf(view), Object.keys(view.fields)[0] ?? '']
  const ids = documents.map(({ id }) => id).toReversed()
  const [one = 'none'] = ids
  return [await store.getMany(name, [...ids, 'none']), await store.get(name, one), await store.get(name, one, [field])]
}

/** The log, and the start position of each read of it. */
function counted(log: EventLog) {
  const begun: string[] = []
  const follow: EventLog['follow'] = (after, signal) => {
    begun.push(after)
    return log.follow(after, signal)
  }
  return { log: { ...log, follow }, begun }
}

t.test('a fold that begins with a snapshot gives what the whole fold gives', async (t) => {
  const { node, users } = await lively(t, MANY)
  const store = createMemoryReadStore()
  await writeSnapshots({ log: node.cluster.log, store, clock, epoch: 1, stretch: STRETCH }, STAYS)
  const snapshots = createSnapshots(store)
  const ends = await snapshots.ends()
  t.ok(ends.length > FAN * FAN, `${ends.length} stretches`)
  const { log, begun } = counted(node.cluster.log)
  const random = createRandom(11)
  const positions = await positionsOf(node.cluster.log)
  for (let round = 0; round < ROUNDS; round++) {
    // The last ones have most of the films in one block, which has columns.
    const position = random.pick(round % 2 === 0 ? positions : positions.slice(STRETCH * FAN * FAN))
    for (const whose of [...users, 'everybody'] as const) {
      begun.length = 0
      const quick = await contentsAt(log, snapshots, position, whose)
      const startedAt = begun.join(' ')
      t.strictSame(quick, await contentsAt(log, NONE, position, whose), `${position} ${whose}, from ${startedAt}`)
      const index = positions.indexOf(startedAt as Position)
      t.equal(quick.last, position)
      const behind = positions.indexOf(position) - index
      t.ok(startedAt === '' || behind < STRETCH, `${behind} events read`)
    }
  }
})

t.test('documents of a fold whose snapshots are dropped are unavailable, and the next request folds again', async (t) => {
  const { node } = await lively(t, MANY)
  const store = createMemoryReadStore()
  await writeSnapshots({ log: node.cluster.log, store, clock, epoch: 1, stretch: STRETCH }, STAYS)
  const until = await node.cluster.log.head()
  const folding = {
    log: node.cluster.log,
    snapshots: createSnapshots(store),
    whose: 'everybody',
    removed: new Set<string>(),
    until,
  } as const
  const folded = await foldAsOf({ ...folding, store: createMemoryReadStore() }, STAYS)
  await store.drop(SNAPSHOTS.name)
  const byTitle = { sort: { field: 'sortTitle', direction: 'asc' }, limit: 7 } as const
  t.equal(folded.isGone(), false)
  await t.rejects(folded.store.find(collectionOf(PAST_VIEWS[0]!), byTitle), { code: 'engine-away' })
  t.equal(folded.isGone(), true)
})

t.test('snapshots that are made as the log grows are those that are made at once', async (t) => {
  const { node } = await lively(t)
  const { log } = node.cluster
  const atOnce = createMemoryReadStore()
  await writeSnapshots({ log, store: atOnce, clock, epoch: 1, stretch: STRETCH }, STAYS)
  const bitByBit = createMemoryReadStore()
  for (const position of (await positionsOf(log)).filter((_, index) => index % 20 === 0)) {
    await writeSnapshots({ log: upTo(log, position), store: bitByBit, clock, epoch: 1, stretch: STRETCH }, STAYS)
  }
  await writeSnapshots({ log, store: bitByBit, clock, epoch: 1, stretch: STRETCH }, STAYS)
  t.strictSame(await all(bitByBit), await all(atOnce))
  t.strictSame(await bitByBit.checkpoint(SNAPSHOTS.name), (await createSnapshots(atOnce).ends()).at(-1)?.position)
})

t.test('after a crash between two writes it goes on as if there had been none', async (t) => {
  const { node } = await lively(t)
  const { log } = node.cluster
  const whole = createMemoryReadStore()
  await writeSnapshots({ log, store: whole, clock, epoch: 1, stretch: STRETCH }, STAYS)
  const store = createMemoryReadStore()
  let commits = 0
  for (const crashAt of [1, 2, 3, 10, 33, 50]) {
    commits = 0
    const failing: ReadStore = {
      ...store,
      async commit(...all) {
        if (++commits === crashAt) throw new Error('killed')
        return store.commit(...all)
      },
    }
    await t.rejects(writeSnapshots({ log, store: failing, clock, epoch: 1, stretch: STRETCH }, STAYS), { message: 'killed' })
  }
  await writeSnapshots({ log, store, clock, epoch: 2, stretch: STRETCH }, STAYS)
  t.strictSame(await all(store), await all(whole))
})

t.test('a node that has lost its lease writes nothing more', async (t) => {
  const { node } = await lively(t)
  const { log } = node.cluster
  const store = createMemoryReadStore()
  await writeSnapshots({ log: upTo(log, await log.head()), store, clock, epoch: 2, stretch: 50 }, STAYS)
  const before = await all(store)
  await t.rejects(writeSnapshots({ log, store, clock, epoch: 1, stretch: STRETCH }, STAYS), { message: /Another node/ })
  t.strictSame(await all(store), before)
})

t.test('an administrator has the snapshots rebuilt at will', async (t) => {
  const { node } = await lively(t)
  const { caller } = await node.person({ role: 'admin' })
  const { store, log } = node.cluster
  await store.drop(SNAPSHOTS.name)
  await writeSnapshots({ log, store, clock, epoch: 1, stretch: STRETCH }, STAYS)
  t.ok((await createSnapshots(store).ends()).length > 0)
  const asked = allowed(await node.projections.rebuild('snapshots', caller, ORIGIN))
  t.match(asked, { name: 'snapshots', state: 'catching-up', rebuild: { progress: 0 } })
  t.strictSame(await createSnapshots(store).ends(), [])
  t.match((await node.events()).at(-1), { type: 'RebuildRequested', data: { projection: 'snapshots' } })
})

t.test('snapshots that are gone are made again, also while the log does not grow', async (t) => {
  const { node } = await lively(t)
  const store = createMemoryReadStore()
  const stop = new AbortController()
  const deps = { log: node.cluster.log, store, clock: node.clock, epoch: 1, stretch: STRETCH }
  const kept = t.rejects(keepSnapshots(deps, stop.signal))
  await allWritten(node, store)
  const before = await all(store)
  t.ok(before.length > 0)
  await store.drop(SNAPSHOTS.name)
  await node.clock.advance(120_000)
  await allWritten(node, store)
  t.strictSame(await all(store), before)
  stop.abort()
  await kept
})

t.test('a log that has not grown is not read again', async (t) => {
  const { node } = await lively(t)
  const store = createMemoryReadStore()
  const { log, begun } = counted(node.cluster.log)
  const stop = new AbortController()
  const kept = t.rejects(keepSnapshots({ log, store, clock: node.clock, epoch: 1 }, stop.signal))
  for (let n = 0; n < 3; n++) await node.clock.advance(600_000)
  t.equal(begun.length, 1)
  stop.abort()
  await kept
})

t.test('snapshots of other versions of the views are dropped', async (t) => {
  const node = await openNodeFixture(t)
  const store = createMemoryReadStore()
  await store.open([
    { name: 'snapshots_g0_1', fields: {}, indexes: [] },
    { name: 'movies_g1', fields: {}, indexes: [] },
  ])
  await writeSnapshots({ log: node.cluster.log, store, clock, epoch: 1 }, STAYS)
  t.strictSame((await store.collections()).toSorted(), ['movies_g1', SNAPSHOTS.name].toSorted())
})

t.test('a few blocks make up any number of stretches, each of them once', async (t) => {
  for (const stretches of [0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 4_095, 262_144 * 2 + 1]) {
    const blocks = blocksOf(stretches).toReversed()
    let next = 0
    for (const { level, index } of blocks) {
      t.equal(index * FAN ** level, next)
      next += FAN ** level
    }
    t.equal(next, stretches)
    t.ok(blocks.length <= 7 * 7)
  }
})

const upTo = (log: EventLog, position: Position): EventLog => ({
  ...log,
  head: async () => position,
  async *follow(after, signal) {
    for await (const batch of log.follow(after, signal)) {
      const within = batch.filter((stored) => stored.position <= position)
      if (within.length > 0) yield within
      if (within.length < batch.length || within.at(-1)?.position === position) return
    }
  },
})

const all = async (store: ReadStore) => {
  const { documents } = await store.find(SNAPSHOTS.name, { limit: 1000 })
  return documents.map(({ id, body }) => ({ id, body }))
}
