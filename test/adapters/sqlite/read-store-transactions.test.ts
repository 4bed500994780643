import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createSqliteReadStore } from '../../../src/adapters/sqlite/read-store.ts'
import { createStates } from '../../../src/adapters/sqlite/read-store-states.ts'
import { createTransactions } from '../../../src/adapters/sqlite/read-store-transactions.ts'
import { createStatements } from '../../../src/adapters/sqlite/statements.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'
import type { Commit, ReadStore } from '../../../src/ports/read-store.ts'
import { MOVIES, randomMovies } from '../../fixtures/sample-documents.ts'
import { createRandom } from '../../fixtures/random.ts'

const folder = t.testdir()
let files = 0
const newFile = (): string => join(folder, `store-${files++}.sqlite`)
const OTHERS = { ...MOVIES, name: 'others_g1' }
const films = randomMovies(7, 60)

const commitOf = (collection: string, from: number, to: number, puts: Commit['puts'] = [], removes: Commit['removes'] = []): Commit => ({
  collection,
  epoch: 1,
  from: from === 0 ? START : toPosition(from),
  to: to === 0 ? START : toPosition(to),
  puts,
  removes,
})

async function openStore(file: string, clock = createTestClock()): Promise<ReadStore> {
  const store = createSqliteReadStore({ file, clock })
  await store.open([MOVIES, OTHERS])
  await store.buildIndexes([MOVIES.name, OTHERS.name])
  return store
}

/** A store whose disk has the free bytes that `disk` says at each moment. */
async function openOnDisk(t: Test, disk: { free: number }) {
  const [file, clock] = [newFile(), createTestClock()]
  const first = await openStore(file)
  await first.close()
  const store = createSqliteReadStore({ file, clock, freeBytes: () => disk.free })
  t.teardown(() => store.close())
  return { file, clock, store }
}

const EMPTY_DISK = 1e9

/** What a crash of the process would leave now. */
function crashed(file: string): string {
  const copy = newFile()
  for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end)
  return copy
}

async function positionsIn(file: string): Promise<readonly Position[]> {
  const store = createSqliteReadStore({ file })
  const positions = [await store.checkpoint(MOVIES.name), await store.checkpoint(OTHERS.name)]
  await store.close()
  return positions
}

t.test('commits are visible at once, and on disk together a moment later', async (t) => {
  const [file, clock] = [newFile(), createTestClock()]
  const store = await openStore(file, clock)
  t.teardown(() => store.close())
  t.equal(await store.commit(commitOf(MOVIES.name, 0, 1, films.slice(0, 2)), commitOf(OTHERS.name, 0, 1)), 'applied')
  t.equal(await store.commit(commitOf(MOVIES.name, 1, 2, films.slice(2, 3))), 'applied')
  t.equal(await store.count(MOVIES.name, []), 3)
  t.equal(await store.checkpoint(MOVIES.name), toPosition(2))
  t.strictSame(await positionsIn(crashed(file)), [START, START])
  await clock.advance(1_000)
  const left = crashed(file)
  t.strictSame(await positionsIn(left), [toPosition(2), toPosition(1)])
  const again = createSqliteReadStore({ file: left })
  t.equal(await again.count(MOVIES.name, []), 3)
  await again.close()
})

t.test('a commit of many documents is on disk at once, with all before it', async (t) => {
  const [file, clock] = [newFile(), createTestClock()]
  const store = await openStore(file, clock)
  t.teardown(() => store.close())
  t.equal(await store.commit(commitOf(OTHERS.name, 0, 1, films.slice(0, 1))), 'applied')
  t.strictSame(await positionsIn(crashed(file)), [START, START])
  const many = randomMovies(9, 3000)
  t.equal(await store.commit(commitOf(MOVIES.name, 0, 1, many)), 'applied')
  const left = crashed(file)
  t.strictSame(await positionsIn(left), [toPosition(1), toPosition(1)])
  const again = createSqliteReadStore({ file: left })
  t.equal(await again.count(MOVIES.name, []), many.length)
  await again.close()
})

t.test(
  'whenever the process crashes, the file holds some earlier commit and nothing of later ones, and the rest can be made again',
  async (t) => {
    for (const seed of [1, 2, 3, 4]) {
      const random = createRandom(seed)
      const [file, clock] = [newFile(), createTestClock()]
      const store = await openStore(file, clock)
      /** The ids in the collection at each position. */
      const then: string[][] = [[]]
      const commits: Commit[] = []
      for (let n = 0; n < 30; n++) {
        const ids = new Set(then[n])
        const puts = films.filter(() => random.chance(0.1))
        const removes = films.filter(({ id }) => ids.has(id) && random.chance(0.1)).map(({ id, at }) => ({ id, at }))
        for (const { id } of removes) ids.delete(id)
        for (const { id } of puts) ids.add(id)
        then.push([...ids].toSorted())
        commits.push(commitOf(MOVIES.name, n, n + 1, puts, removes))
        t.equal(await store.commit(commits[n] as Commit), 'applied')
        if (random.chance(0.2)) await clock.advance(1_000)
        if (!random.chance(0.3)) continue
        const again = createSqliteReadStore({ file: crashed(file), clock })
        const idsNow = async () => (await again.find(MOVIES.name, { limit: 1000 })).documents.map(({ id }) => id).toSorted()
        const reached = Number(await again.checkpoint(MOVIES.name))
        t.ok(reached <= n + 1)
        t.strictSame(await idsNow(), then[reached])
        for (const commit of commits.slice(reached)) t.equal(await again.commit(commit), 'applied')
        t.strictSame(await idsNow(), then[n + 1])
        await again.close()
      }
      await store.close()
      t.strictSame(await positionsIn(file), [toPosition(30), START], 'a close leaves nothing out')
    }
  },
)

t.test(
  'a commit that moves no checkpoint cannot be made again from the log: it is on disk at its return, with all before it',
  async (t) => {
    const file = newFile()
    const store = await openStore(file)
    t.teardown(() => store.close())
    await store.commit(commitOf(MOVIES.name, 0, 1, films.slice(0, 1)))
    await store.commit(commitOf(OTHERS.name, 0, 0, films.slice(0, 1)))
    const again = createSqliteReadStore({ file: crashed(file) })
    t.equal(await again.checkpoint(MOVIES.name), toPosition(1))
    t.equal(await again.count(OTHERS.name, []), 1)
    await again.close()
  },
)

t.test('rows that another connection has changed are read again', async (t) => {
  const file = newFile()
  const [store, other] = [createSqliteReadStore({ file }), createSqliteReadStore({ file })]
  t.teardown(() => Promise.all([store.close(), other.close()]))
  await store.open([MOVIES])
  await store.buildIndexes([MOVIES.name])
  const film = (year: number): Commit['puts'] => [{ id: 'a', at: START, body: { year } }]
  const yearIn = async (one: ReadStore) => (await one.getMany(MOVIES.name, ['a']))[0]?.body['year']
  const isThere = async (one: ReadStore) => (await one.get(MOVIES.name, 'a')) !== undefined
  for (const one of [store, other]) t.strictSame([await yearIn(one), await isThere(one)], [undefined, false])
  for (let n = 0; n < 6; n++) {
    await (n % 2 === 0 ? store : other).commit(commitOf(MOVIES.name, n, n + 1, film(n)))
    t.strictSame([await yearIn(store), await yearIn(other), await yearIn(store)], [n, n, n])
    t.strictSame([await isThere(store), await isThere(other)], [true, true])
    const found = await store.find(MOVIES.name, { where: [{ field: 'year', op: 'eq', value: n }], limit: 2 })
    t.equal(found.documents.length, 1)
  }
})

t.test('a commit that fails undoes those that are not on disk, and they can be made again', async (t) => {
  const [file, clock] = [newFile(), createTestClock()]
  const store = await openStore(file, clock)
  t.teardown(() => store.close())
  await store.commit(commitOf(MOVIES.name, 0, 1, films.slice(0, 1)))
  await clock.advance(1_000)
  await store.commit(commitOf(MOVIES.name, 1, 2, films.slice(1, 2)), commitOf(OTHERS.name, 0, 2))
  const [, , third] = films
  t.equal(await store.get(MOVIES.name, third?.id ?? ''), undefined)
  const wrong = [...films.slice(2, 4), { id: 'wrong', at: START, body: { year: 'no number' } }]
  await t.rejects(store.commit(commitOf(MOVIES.name, 2, 3, wrong)), TypeError)
  t.equal(await store.count(MOVIES.name, []), 1)
  t.equal(await store.checkpoint(MOVIES.name), toPosition(1))
  t.match(store.lost?.(MOVIES.name), TypeError, 'less is shown than before')
  t.match(store.lost?.(OTHERS.name), TypeError)
  await t.rejects(store.commit(commitOf(OTHERS.name, 2, 3)), TypeError, 'who goes on where the commits were hears why they are gone')
  t.equal(await store.get(MOVIES.name, third?.id ?? ''), undefined)
  t.equal(await store.commit(commitOf(MOVIES.name, 1, 3, films.slice(1, 4)), commitOf(OTHERS.name, 0, 3)), 'applied')
  t.match(await store.get(MOVIES.name, third?.id ?? ''), { id: third?.id })
  t.equal(store.lost?.(MOVIES.name), undefined)
  t.equal(store.lost?.(OTHERS.name), undefined)
  await clock.advance(1_000)
  t.strictSame(await positionsIn(crashed(file)), [toPosition(3), toPosition(3)])
  t.equal(await store.count(MOVIES.name, []), 4)
})

t.test('while the disk is full, reads go on with all commits, and these are on disk once there is room', async (t) => {
  const disk = { free: EMPTY_DISK }
  const { file, clock, store } = await openOnDisk(t, disk)
  await store.commit(commitOf(MOVIES.name, 0, 1, films.slice(0, 1)))
  disk.free = 1_000_000
  await clock.advance(1_000)
  await store.commit(commitOf(MOVIES.name, 1, 2, films.slice(1, 3)))
  await clock.advance(10_000)
  t.equal(await store.count(MOVIES.name, []), 3, 'a collection that nobody has read yet')
  t.equal(await store.count(OTHERS.name, []), 0)
  t.equal(store.lost?.(MOVIES.name), undefined)
  t.strictSame(await positionsIn(crashed(file)), [START, START], 'nothing was written')
  await t.rejects(store.commit(commitOf(OTHERS.name, 0, 0, films.slice(0, 1))), { code: 'disk-full' }, 'what has to be on disk')
  disk.free = EMPTY_DISK
  await clock.advance(1_000)
  t.strictSame(await positionsIn(crashed(file)), [toPosition(2), START])
  t.equal(await store.count(MOVIES.name, []), 3)
})

t.test('a full disk holds up no more than one transaction may hold', async (t) => {
  const disk = { free: EMPTY_DISK }
  const { file, store } = await openOnDisk(t, disk)
  disk.free = 0
  const many = randomMovies(9, 2500)
  t.equal(await store.commit(commitOf(MOVIES.name, 0, 1, many)), 'applied')
  await t.rejects(store.commit(commitOf(MOVIES.name, 1, 2, films)), { code: 'disk-full' })
  t.equal(await store.count(MOVIES.name, []), many.length)
  t.equal(await store.checkpoint(MOVIES.name), toPosition(1), 'it can be made again')
  disk.free = EMPTY_DISK
  t.equal(await store.commit(commitOf(MOVIES.name, 1, 2, films)), 'applied')
  t.equal((await positionsIn(crashed(file)))[0], toPosition(1))
})

t.test('while room is scarce, transactions are put on disk before they need too much of it', async (t) => {
  const { file, store } = await openOnDisk(t, { free: 4e6 })
  await store.commit(commitOf(MOVIES.name, 0, 1, randomMovies(9, 300)))
  t.equal((await positionsIn(crashed(file)))[0], START)
  await store.commit(commitOf(MOVIES.name, 1, 2, randomMovies(10, 200)))
  t.equal((await positionsIn(crashed(file)))[0], toPosition(2))
})

t.test('texts of lists are those of the documents, also after a commit that failed', async (t) => {
  const clock = createTestClock()
  const store = createSqliteReadStore({ file: newFile(), clock })
  t.teardown(() => store.close())
  const carded = { ...MOVIES, fields: { ...MOVIES.fields, card: 'json' } } as const
  await store.open([carded])
  const film = (card: string, year: number | string) => ({ id: 'film', at: START, body: { title: 'A', year, card: { title: card } } })
  const texts = async () => {
    const list = { sort: { field: 'title', direction: 'asc' }, only: ['card', 'title'], unparsed: 'card', limit: 9 } as const
    return (await store.find(MOVIES.name, list)).documents.map(({ body }) => body['card'])
  }
  await store.commit(commitOf(MOVIES.name, 0, 1, [film('first', 1)]))
  // Until texts in memory are found to help.
  for (let times = 0; times < 9; times++) t.strictSame(await texts(), ['{"title":"first"}'])
  const wrong = { id: 'wrong', at: START, body: { year: 'no number' } }
  await clock.advance(1_000)
  await t.rejects(store.commit(commitOf(MOVIES.name, 1, 2, [film('second', 1), wrong])), TypeError)
  t.strictSame(await texts(), ['{"title":"first"}'])
  await store.commit(commitOf(MOVIES.name, 1, 2, [film('third', 1)]))
  t.strictSame(await texts(), ['{"title":"third"}'])
  await store.commit(commitOf(MOVIES.name, 2, 3, [], [{ id: 'film', at: START }]))
  t.strictSame(await texts(), [])
})

/** A transaction whose end fails while a row has no parent. */
function failing(file: string, clock = createTestClock()) {
  const db = new DatabaseSync(file)
  db.exec(`
    create table "$collections" (name text primary key, spec text, checkpoint text, epoch integer, indexed integer);
    insert into "$collections" values ('films', '', '${START}', 0, 0);
    create table parents (id integer primary key);
    create table children (parent integer references parents (id) deferrable initially deferred);
  `)
  const states = createStates(createStatements(db))
  const ends = { ending: states.store, ended: states.stored, undone: states.undo, lost: states.lose }
  const transactions = createTransactions({ db, clock, noRoom: () => undefined, begun: () => {}, ...ends })
  const step = (write: () => void) => transactions.soon({ weight: 1, check: () => undefined, write })
  const reach = (to: number) => step(() => states.set('films', { checkpoint: toPosition(to), epoch: 1, indexed: false }))
  return { db, clock, states, step, reach }
}

t.test('a transaction that cannot be put on disk is lost as a whole, and what it held is owed until it is made again', async (t) => {
  const { db, clock, states, step, reach } = failing(newFile())
  t.teardown(() => db.close())
  reach(1)
  step(() => db.exec('insert into children values (7)'))
  reach(3)
  t.equal(states.lost('films'), undefined)
  await clock.advance(1_000)
  t.match(states.lost('films'), { message: /FOREIGN KEY/ })
  t.equal(states.of('films').checkpoint, START)
  t.equal(db.prepare('select count(*) as n from children').get()?.['n'], 0)
  reach(2)
  t.match(states.lost('films'), { message: /FOREIGN KEY/ }, 'more was shown')
  reach(3)
  t.equal(states.lost('films'), undefined)
  await clock.advance(1_000)
  t.equal(db.prepare('select checkpoint from "$collections"').get()?.['checkpoint'], toPosition(3))
})
