import t from 'tap'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { toSeq, type Position } from '../../../src/events/position.ts'
import { createSnapshots } from '../../../src/app/read-models/snapshots.ts'
import { createAsOf, type AsOfDependencies } from '../../../src/app/read-models/as-of.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { appendMovies } from '../../bench/movies.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

/** The signal of a client that stays connected. */
const STAYS = new AbortController().signal
const NONE_REMOVED = { viewings: { async *walk() {} } as never }
const YEAR_MS = 31_536_000_000
const TITLES = { sort: 'title', order: 'asc', limit: 100 } as const

async function furnished(t: Parameters<typeof openNodeFixture>[0]) {
  const node = await openNodeFixture(t)
  const libraryIds = [await node.newLibrary('/media/films'), await node.newLibrary('/media/others')]
  const { caller } = await node.person()
  const films = await appendMovies(node.cluster.log, createTestIds({ series: 'e' }), { count: 3, libraryIds })
  await node.seen()
  return { node, caller, id: films[0]?.movieId ?? '' }
}

t.test('a list of the past shows what was, with the caller’s own marks of then', async (t) => {
  const { node, caller, id } = await furnished(t)
  const other = (await node.person()).caller
  await node.movieMarks.markWatched(other, id, undefined, ORIGIN)
  const seq = toSeq(await node.cluster.log.head())
  await node.movieMarks.markWatched(caller, id, undefined, ORIGIN)
  const count = async (asOf: string, watched: boolean) => {
    const past = await node.past.at(caller.userId, asOf, STAYS)
    if (isRefusal(past)) return past
    return { seq: past.seq, films: (await node.movies.list(caller, { ...TITLES, watched }, past.readModels)).items.length }
  }
  t.strictSame(await count(`seq:${seq}`, true), { seq, films: 0 }, 'what others have watched is not the caller’s')
  t.strictSame(await count(`seq:${seq}`, false), { seq, films: 3 })
  const head = toSeq(await node.cluster.log.head())
  t.strictSame(await count(`seq:${head}`, true), { seq: head, films: 1 })
  t.strictSame(await count('seq:0', false), { seq: '0', films: 0 })
})

t.test('a time means the last event before it or at it', async (t) => {
  const { node, caller, id } = await furnished(t)
  await node.clock.advance(10_000)
  const before = new Date(node.clock.now()).toISOString()
  await node.clock.advance(10_000)
  await node.movieMarks.setWatchlisted(caller, id, true, ORIGIN)
  const listed = async (asOf: string) => {
    const past = await node.past.at(caller.userId, asOf, STAYS)
    return isRefusal(past) ? past : (await node.movies.list(caller, { ...TITLES, watchlist: true }, past.readModels)).items.length
  }
  // The films were added by the machine's own clock, which may be ahead of the test's.
  t.equal(typeof (await listed(before)), 'number')
  t.match(await listed(new Date(node.clock.now() + 1).toISOString()), { refusal: 'invalid', path: 'asOf' })
  t.match(await listed('seq:999999'), { refusal: 'invalid', path: 'asOf' })
  for (const asOf of [
    'yesterday',
    'seq:',
    'seq:-1',
    'seq:01',
    '2026-01-02',
    '2020-01-02T10:00',
    '2020-01-02T10:00:00',
    '2020-02-30T00:00:00Z',
  ])
    t.match(await listed(asOf), { refusal: 'invalid' }, asOf)
})

t.test('an event that a clock dated ahead hides nothing from a later one', async (t) => {
  const { node, caller, id } = await furnished(t)
  // The films were added by the machine's own clock, which may be ahead of the test's.
  const rightMs = Date.now() + 60_000
  node.clock.setNow(rightMs + YEAR_MS)
  await node.movieMarks.setWatchlisted(caller, id, true, ORIGIN)
  const ahead = toSeq(await node.cluster.log.head())
  node.clock.setNow(rightMs)
  const at = async (ms: number) => {
    const past = await node.past.at(caller.userId, new Date(ms).toISOString(), STAYS)
    if (isRefusal(past)) throw new Error(past.message)
    const { items } = await node.movies.list(caller, { ...TITLES, watched: true }, past.readModels)
    return { seq: past.seq, films: items.length }
  }
  const before = await at(rightMs)
  t.ok(Number(before.seq) < Number(ahead), 'nothing after it yet')
  await node.clock.advance(1000)
  await node.movieMarks.markWatched(caller, id, undefined, ORIGIN)
  const marked = toSeq(await node.cluster.log.head())
  t.strictSame(await at(rightMs + 1000), { seq: marked, films: 1 })
  t.strictSame(await at(rightMs + 2000).catch(({ message }: Error) => message), 'This time is in the future')
  t.strictSame(await at(rightMs), before, 'what was kept holds')
  const past = await node.past.at(caller.userId, `seq:${marked}`, STAYS)
  t.equal(isRefusal(past) || past.atMs, rightMs + 1000, 'the time of an event is its own')
})

t.test('one user’s questions about the past do not refuse another user’s, nor make them wait to the end', async (t) => {
  const { node, caller } = await furnished(t)
  const other = (await node.person()).caller
  const order: string[] = []
  const ask = async (who: typeof caller, name: string, seq: number): Promise<void> => {
    const answer = await node.past.at(who.userId, `seq:${seq}`, STAYS)
    order.push(isRefusal(answer) ? `${name} refused` : name)
  }
  const asked = Array.from({ length: 12 }, (_, n) => ask(caller, 'many', n))
  await ask(other, 'one', 5)
  await Promise.all(asked)
  t.strictSame(order.filter((name) => name === 'many refused').length, 3, 'one is folded and eight wait')
  t.ok(order.filter((name) => name !== 'many refused').indexOf('one') <= 2, order.join(', '))
})

t.test('the same question again, and its next page, fold nothing; the log going on makes it a new one only where it matters', async (t) => {
  const { node, caller, id } = await furnished(t)
  const { past, folds } = counted(node)
  const seq = `seq:${toSeq(await node.cluster.log.head())}`
  const now = (): string => new Date(node.clock.now()).toISOString()
  const at = async (asOf: string) => {
    const answer = await past.at(caller.userId, asOf, STAYS)
    if (isRefusal(answer)) throw new Error(answer.message)
    return answer
  }
  // The films were added by the machine's own clock, which may be ahead of the test's.
  node.clock.setNow(Date.now() + 60_000)
  await Promise.all([at(seq), at(seq), at(seq)])
  t.equal(folds(), 1, 'asked at once')
  await at(seq)
  const then = now()
  const first = await at(then)
  t.equal(folds(), 1, 'by the time it means the same')
  node.clock.setNow(node.clock.now() + 1000)
  await node.movieMarks.markWatched(caller, id, undefined, ORIGIN)
  t.equal((await at(seq)).seq, first.seq)
  t.equal(folds(), 1, 'a position stays what it was')
  await at(now())
  t.equal(folds(), 2)
  t.equal((await at(then)).seq, first.seq)
  t.ok(folds() <= 3)
  await node.clock.advance(600_000)
  const before = folds()
  await at(seq)
  t.equal(folds(), before + 1, 'after ten minutes it is not kept any more')
})

t.test('what is kept of one user is never given to another', async (t) => {
  const { node, caller, id } = await furnished(t)
  const other = (await node.person()).caller
  await node.movieMarks.markWatched(caller, id, undefined, ORIGIN)
  const seq = `seq:${toSeq(await node.cluster.log.head())}`
  for (const [who, films] of [
    [caller, 1],
    [other, 0],
  ] as const) {
    const past = await node.past.at(who.userId, seq, STAYS)
    if (isRefusal(past)) throw new Error(past.message)
    t.equal((await node.movies.list(who, { ...TITLES, watched: true }, past.readModels)).items.length, films)
  }
})

t.test('a viewing that was just removed is not shown, although as many others were removed when the answer was cached', async (t) => {
  const { node, caller } = await furnished(t)
  const removed = new Set<string>()
  for await (const { id } of node.readModels.movies.walk({})) await node.movieMarks.markWatched(caller, id, undefined, ORIGIN)
  const where = [{ field: 'hidden', op: 'eq', value: false }] as const
  const ids = (await node.readModels.viewings.find({ where, limit: 10 })).items.map((viewing) => viewing.id)
  t.equal(ids.length, 3)
  async function* walk() {
    for (const viewingId of removed) yield { id: viewingId }
  }
  const { past } = counted(node, { viewings: { walk } as never })
  const seq = `seq:${toSeq(await node.cluster.log.head())}`
  for (const viewingId of ids) {
    removed.clear()
    removed.add(viewingId)
    const { readModels } = allowed(await past.at(caller.userId, seq, STAYS))
    const { items } = await readModels.viewings.find({ where, limit: 10 })
    t.strictSame(new Set(items.map((viewing) => viewing.id)), new Set(ids.filter((other) => other !== viewingId)))
  }
})

t.test('a fold whose client has gone is given up, and the next in line has its turn', async (t) => {
  const { node, caller } = await furnished(t)
  const held = createHeldLog(node)
  const past = createAsOf({
    clock: node.clock,
    log: held.log,
    readModels: NONE_REMOVED,
    snapshots: createSnapshots(createMemoryReadStore()),
    openStore: createMemoryReadStore,
  })
  const gone = new AbortController()
  const given = past.at(caller.userId, 'seq:3', gone.signal)
  const refused = t.rejects(given, { message: 'gone' })
  await held.reading()
  const waiting = past.at(caller.userId, 'seq:4', STAYS)
  gone.abort(new Error('gone'))
  await refused
  held.letGo()
  t.match(await waiting, { seq: '4' })
})

t.test('who has had a minute of folding waits for five, and nobody else does', async (t) => {
  const { node, caller } = await furnished(t)
  const other = (await node.person()).caller
  const held = createHeldLog(node)
  const past = createAsOf({
    clock: node.clock,
    log: held.log,
    readModels: NONE_REMOVED,
    snapshots: createSnapshots(createMemoryReadStore()),
    openStore: createMemoryReadStore,
  })
  const slow = past.at(caller.userId, 'seq:3', STAYS)
  await held.reading()
  await node.clock.advance(60_000)
  t.match(await slow, { refusal: 'unavailable', retryAfterSeconds: 60 })
  held.letGo()
  t.match(await past.at(caller.userId, 'seq:3', STAYS), { refusal: 'too-many', retryAfterSeconds: 300 })
  t.match(await past.at(other.userId, 'seq:3', STAYS), { seq: '3' })
  await node.clock.advance(300_000)
  t.match(await past.at(caller.userId, 'seq:3', STAYS), { seq: '3' })
})

/** A query about the past that counts the folds. */
function counted({ clock, cluster: { log } }: NodeFixture, readModels: AsOfDependencies['readModels'] = NONE_REMOVED) {
  let folds = 0
  const openStore = () => {
    folds++
    return createMemoryReadStore()
  }
  return {
    past: createAsOf({
      clock,
      log,
      readModels,
      snapshots: createSnapshots(createMemoryReadStore()),
      openStore,
    }),
    folds: () => folds,
  }
}

/** A log that returns nothing until it is released. */
function createHeldLog({ cluster: { log } }: NodeFixture) {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function* follow(after: Position, signal: AbortSignal) {
    asked.resolve()
    const ended = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => ended.resolve())
    await Promise.race([released.promise, ended.promise])
    if (!signal.aborted) yield* log.follow(after, signal)
  }
  return { log: { ...log, follow }, reading: () => asked.promise, letGo: () => released.resolve() }
}

t.test('rights are judged as of now, never as of then', async (t) => {
  const { node, caller } = await furnished(t)
  const past = await node.past.at(caller.userId, `seq:${toSeq(await node.cluster.log.head())}`, STAYS)
  if (isRefusal(past)) throw new Error(past.message)
  const revoked = { ...caller, libraryAccess: 'selected', libraryIds: [] } as const
  t.equal((await node.movies.list(caller, TITLES, past.readModels)).items.length, 3)
  t.equal((await node.movies.list(revoked, TITLES, past.readModels)).items.length, 0)
})
