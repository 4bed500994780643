/** Sums over finished viewings stay cached while more viewings finish, and equal those that are computed again. */
import t from 'tap'
import { collectionOf } from '../../../projections/views/view.ts'
import { viewings as view, type ViewingDocument } from '../../../projections/views/viewings.ts'
import { specOf } from '../../../projections/projector/projector.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createPastViewings, createSettledViewings, OVER } from '../../../src/app/history/settled-viewings.ts'
import { monthOfDay } from '../../../src/domain/history/calendar.ts'
import { collection } from '../../../src/app/read-models/read-models.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'
import type { JsonObject } from '../../../src/events/envelope.ts'
import { TooManyGroups, type Filter, type Sum, type Sums } from '../../../src/ports/read-store.ts'
import type { AnyView } from '../../../projections/views/view.ts'
import { foldInto, recorded } from '../../fixtures/fold.ts'
import { iso, NOON, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { createRandom, type Random } from '../../fixtures/random.ts'

const OF = 'watchedMs'
const HOUR_MS = 3_600_000
const neverIdle = () => false
const ALL: Sums = { where: [{ field: 'hidden', op: 'eq', value: false }], of: OF }
const file = { fileId: named<'file'>('1080p'), durationMs: 9_000_000 }

/** The view in a store, which counts what is read of it. */
async function openFixture() {
  const store = createMemoryReadStore()
  const spec = specOf(view as unknown as AnyView)
  await store.open([spec])
  const documents = new Map<string, ViewingDocument>()
  const read = collection(store, view)
  const asked = { sums: 0 }
  let last: Position = START
  let happened = 0
  let lag = 0
  return {
    asked,
    viewings: {
      ...read,
      position: async () => toPosition(Number(await read.position()) - lag),
      sum: async (sums: Sums) => {
        asked.sums++
        return read.sum(sums)
      },
    },
    /** From now on the store says that it is so many events behind. */
    fallBehind: (events: number) => void (lag = events),
    happen: async (...events: readonly Happened[]): Promise<void> => {
      const before = new Map(documents)
      for (const event of events) foldInto(documents, view, recorded(event, happened++))
      const to = toPosition(happened)
      const changed = [...documents].filter(([id, body]) => before.get(id) !== body)
      const puts = changed.map(([id, body]) => ({ id, at: to, body: body as unknown as JsonObject }))
      const removes = [...before.keys()].filter((id) => !documents.has(id)).map((id) => ({ id, at: to }))
      await store.commit({ collection: collectionOf(view), epoch: 1, from: last, to, puts, removes })
      last = to
    },
  }
}

const people = ['ann', 'ben', 'eva'].map((name) => named<'user'>(name))
const movies = ['metropolis', 'heat', 'brazil'].map((name) => named<'movie'>(name))
const of = (session: number) => ({
  sessionId: named<'session'>(`session-${session}-`),
  userId: people[session % 3]!,
  movieId: movies[session % 2]!,
})

const starts = (session: number, atMs = NOON): Happened => ({
  type: 'PlaybackStarted',
  atMs,
  data: {
    ...of(session),
    ...file,
    loginId: named<'login'>('tv'),
    libraryId: named<'library'>('films'),
    title: 'A film',
    year: 1927,
    positionMs: 0,
    client: null,
    method: 'direct',
    reasons: [],
    idleSeconds: 120,
  },
})
const beats = (session: number, atMs = NOON + 10_000): Happened => ({
  type: 'PlaybackHeartbeat',
  atMs,
  data: { ...of(session), ...file, positionMs: 10_000, playState: 'playing', rate: 1, sequence: null },
})
const ends = (session: number, atMs = NOON + 20_000): Happened => ({
  type: 'PlaybackEnded',
  atMs,
  data: { ...of(session), ...file, reason: 'client', positionMs: 10_000, told: true },
})
const completes = (session: number): Happened => ({ type: 'MovieCompleted', data: { ...of(session), completedAt: iso(NOON) } })
const hides = (session: number): Happened => ({
  type: 'HistoryHidden',
  data: { userId: of(session).userId, viewingId: of(session).sessionId },
})

/** Groups without their order and parts. */
function grouped(sums: readonly Sum[]): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, readonly number[]>()
  for (const { bucket, keys, count, sum } of sums) {
    const [counted = 0, total = 0] = groups.get(JSON.stringify([bucket, keys])) ?? []
    groups.set(JSON.stringify([bucket, keys]), [counted + count, total + sum])
  }
  return new Map([...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

t.test('a viewing that finishes is added to cached sums; heartbeats change nothing that is cached', async (t) => {
  const { happen, viewings, asked } = await openFixture()
  const settled = createSettledViewings(viewings, neverIdle)
  await happen(starts(1), beats(1), ends(1))
  t.strictSame(grouped(await settled.sum(ALL)), new Map([['[null,[]]', [1, 10_000]]]))
  await happen(starts(2))
  t.strictSame(grouped(await settled.sum(ALL)), new Map([['[null,[]]', [2, 10_000]]]), 'one in progress counts')
  await happen(beats(2), completes(2))
  t.strictSame(grouped(await settled.sum(ALL)), new Map([['[null,[]]', [2, 20_000]]]))
  await happen(ends(2))
  t.strictSame(grouped(await settled.sum(ALL)), new Map([['[null,[]]', [2, 20_000]]]), 'and once when it has finished')
  t.equal((await settled.sum({ ...ALL, where: [{ field: 'source', op: 'eq', value: 'manual' }] })).length, 0, 'as filters say')
  t.equal(asked.sums, 2, 'once for each question')
})

t.test('a viewing that is hidden leaves cached sums', async (t) => {
  const { happen, viewings, asked } = await openFixture()
  const settled = createSettledViewings(viewings, neverIdle)
  await happen(starts(1), beats(1), ends(1), starts(2), beats(2), ends(2))
  t.strictSame(grouped(await settled.sum(ALL)), new Map([['[null,[]]', [2, 20_000]]]))
  await happen(hides(1))
  t.strictSame(grouped(await settled.sum(ALL)), new Map([['[null,[]]', [1, 10_000]]]))
  t.equal(asked.sums, 2)
})

t.test('more viewings than are added one by one become part of what is cached', async (t) => {
  const { happen, viewings, asked } = await openFixture()
  const settled = createSettledViewings(viewings, neverIdle)
  const query = { ...ALL, by: ['userId'], bucket: { field: 'startedMinute', offset: 0, width: 1440 }, bucketOf: monthOfDay }
  for (let session = 0; session < 200; session++) {
    await happen(starts(session), beats(session), ends(session))
    if (session % 50 > 2)
      t.equal(
        (await settled.sum(query)).reduce((sum, { count }) => sum + count, 0),
        session + 1,
      )
  }
  t.strictSame(
    [...grouped(await settled.sum(query)).values()],
    [
      [67, 670_000],
      [67, 670_000],
      [66, 660_000],
    ],
  )
  t.equal(asked.sums, 1)
})

t.test('more changes than the view names make cached sums invalid', async (t) => {
  const { happen, viewings, asked } = await openFixture()
  const settled = createSettledViewings(viewings, neverIdle)
  await settled.sum(ALL)
  await happen(...Array.from({ length: 100 }, (_, session) => [starts(session), ends(session)]).flat())
  t.strictSame(grouped(await settled.sum(ALL)), new Map([['[null,[]]', [100, 0]]]))
  t.equal(asked.sums, 2)
})

t.test('a cached sum that is older than the changes that are remembered is computed again', async (t) => {
  const { happen, viewings, asked } = await openFixture()
  const settled = createSettledViewings(viewings, neverIdle)
  const other = { ...ALL, by: ['userId'] }
  await settled.sum(ALL)
  for (let n = 0; n < 600; n += 20) {
    await happen(...Array.from({ length: 20 }, (_, session) => [starts(n + session), ends(n + session)]).flat())
    await settled.sum(other)
  }
  t.equal(asked.sums, 2)
  t.strictSame(grouped(await settled.sum(ALL)), new Map([['[null,[]]', [600, 0]]]))
})

t.test('nothing is cached of a store that shows a change before the viewings that have changed', async (t) => {
  const { happen, viewings, asked, fallBehind } = await openFixture()
  const settled = createSettledViewings(viewings, neverIdle)
  await happen(starts(1), beats(1), ends(1))
  fallBehind(1)
  await settled.sum(ALL)
  fallBehind(0)
  await settled.sum(ALL)
  t.equal(asked.sums, 2)
  await settled.sum(ALL)
  t.equal(asked.sums, 2)
})

t.test('a viewing that finishes while an answer is computed is counted once', async (t) => {
  const fixture = await openFixture()
  await fixture.happen(starts(1), beats(1), starts(2))
  let finish: Happened | undefined = ends(1)
  const find: typeof fixture.viewings.find = async (query) => {
    const event = finish
    finish = undefined
    // Between the looks at finished viewings and at those in progress.
    if (event) await fixture.happen(event)
    return fixture.viewings.find(query)
  }
  const settled = createSettledViewings({ ...fixture.viewings, find }, neverIdle)
  t.strictSame(grouped(await settled.sum(ALL)), new Map([['[null,[]]', [2, 10_000]]]))
  finish = ends(2)
  t.strictSame(grouped(await settled.sum(ALL)), new Map([['[null,[]]', [2, 10_000]]]))
})

/** Whatever may happen to a session, or beside it. */
function something(random: Random, n: number, over: Set<number>): readonly Happened[] {
  const [session, atMs] = [Math.max(0, n - random.below(20)), NOON + n * 600_000]
  const beat = over.has(session) ? [] : [beats(session, atMs)]
  const viewingId = named<'viewing'>(`told-${random.chance(0.1) ? random.below(30) : n}-`)
  const mark = { userId: people[random.below(3)]!, movieId: movies[random.below(3)]!, libraryId: named<'library'>('films') }
  const importId = named<'import'>('trakt')
  const told = { ...mark, title: 'A film', year: 1927, watchedAt: iso(atMs - 90 * HOUR_MS), watchedMs: 5_000, left: null }
  const imported = { ...told, viewingId, importId, source: 'trakt', externalId: viewingId } as unknown as EventData<'WatchImported'>
  const undone = { ...mark, importId, viewingIds: [viewingId] } as unknown as EventData<'WatchImportUndone'>
  const happened = random.pick<readonly Happened[]>([
    [starts(n, atMs)],
    [starts(n, atMs), beats(n, atMs + 9_000), ends(n, atMs + 30_000)],
    [starts(n, atMs), ends(n, atMs), completes(n)],
    beat,
    [...beat, completes(session)],
    [ends(session, atMs)],
    [starts(n, atMs), ends(n, atMs), ends(n, atMs + 1_000)],
    ...(random.chance(0.1) ? [[hides(session)]] : []),
    [{ type: 'MovieMarkedWatched', data: { ...mark, title: 'A film', year: 1927, watchedAt: iso(atMs) } }],
    [{ type: 'WatchImported', data: imported }],
    ...(random.chance(0.1) ? [[{ type: 'WatchImportUndone', data: undone } as const]] : []),
  ])
  for (const { type, data } of happened) if (type === 'PlaybackEnded') over.add(Number(data.sessionId.split('-')[1]))
  return happened
}
type EventData<Type extends Happened['type']> = Extract<Happened, { readonly type: Type }>['data']

t.test('whatever happens, sums equal those that are computed again', async (t) => {
  const within = (hours: number): readonly Filter[] => [
    { field: 'startedAt', op: 'gte', value: iso(NOON - hours * HOUR_MS) },
    { field: 'startedAt', op: 'lt', value: iso(NOON + hours * HOUR_MS) },
  ]
  const day = { field: 'startedMinute', offset: 60, width: 1440 }
  const queries = [
    ALL,
    { ...ALL, by: ['userId', 'movieId', 'completed'] },
    { ...ALL, where: [...(ALL.where ?? []), ...within(40)], bucket: { ...day, cycle: 7 } },
    { ...ALL, where: [...(ALL.where ?? []), { field: 'completed', op: 'eq', value: true } as const], by: ['movieId'], bucket: day },
    { ...ALL, where: [...(ALL.where ?? []), OVER], by: ['movieId'], bucket: { field: 'endPercent', offset: 0, width: 5 } },
    { ...ALL, bucket: day, bucketOf: monthOfDay },
  ]
  for (let seed = 1; seed <= 10; seed++) {
    const { happen, viewings, asked } = await openFixture()
    const random = createRandom(seed)
    const settled = createSettledViewings(viewings, neverIdle)
    const again = createPastViewings(viewings, neverIdle)
    const over = new Set<number>()
    let computed = 0
    for (let n = 0; n < 150; n++) {
      await happen(...something(random, n, over))
      if (random.chance(0.3)) continue
      const query = random.pick(queries)
      const before = asked.sums
      const sums = grouped(await settled.sum(query))
      computed += asked.sums - before
      t.strictSame(sums, grouped(await again.sum(query)), `seed ${seed}, step ${n}`)
    }
    t.ok(computed < 90, `${computed} were computed again`)
  }
})

/** A store that gives `most` groups at once, of which each hour has one. */
const hourly = (most: number) => ({
  get: async () => undefined,
  getMany: async () => [],
  position: async () => START,
  find: async () => ({ items: [], next: null }),
  async sum({ where = [] }: Sums): Promise<readonly Sum[]> {
    const bound = (op: string) => Date.parse(Object(where.find((filter) => filter.field === 'startedAt' && filter.op === op)).value)
    const first = Math.ceil((bound('gte') - NOON) / HOUR_MS)
    const hours = Math.max(0, Math.ceil((bound('lt') - NOON) / HOUR_MS) - first)
    if (hours > most) throw new TooManyGroups('viewings')
    return Array.from({ length: hours }, (_, hour) => ({ bucket: null, keys: [first + hour], count: 1, sum: 1 }))
  },
})

const hours = (count: number): Sums => ({
  where: [
    { field: 'startedAt', op: 'gte', value: iso(NOON) },
    { field: 'startedAt', op: 'lt', value: iso(NOON + count * HOUR_MS) },
  ],
  by: ['startedAt'],
  of: OF,
})

t.test('more groups than a query gives come in parts of the time, each once', async (t) => {
  for (const settled of [createSettledViewings(hourly(100), neverIdle), createPastViewings(hourly(100), neverIdle)]) {
    const groups = await settled.sum(hours(1_000))
    t.strictSame(
      groups.map(({ keys }) => keys[0]),
      Array.from({ length: 1_000 }, (_, hour) => hour),
    )
  }
})

t.test('what cannot be parted is refused', async (t) => {
  const settled = createSettledViewings(hourly(0), neverIdle)
  await t.rejects(settled.sum(hours(1)), { code: 'too-many-groups' })
})
