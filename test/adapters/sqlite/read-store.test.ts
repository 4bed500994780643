import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import type { Fragment } from '../../../src/adapters/sqlite/read-store-filters.ts'
import { candidatesOf, countOf, sourcesOf, walkOf } from '../../../src/adapters/sqlite/read-store-find.ts'
import { createSqliteEventLog } from '../../../src/adapters/sqlite/event-log.ts'
import { createSqliteReadStore } from '../../../src/adapters/sqlite/read-store.ts'
import { indexingOf } from '../../../src/adapters/sqlite/read-store-schema.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { START, toPosition } from '../../../src/events/position.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'
import { expectedIds, MOVIES, randomMovies, randomQuery } from '../../fixtures/sample-documents.ts'
import { createRandom } from '../../fixtures/random.ts'
import { RANKED } from '../../ports/read-store-indexes-contract.ts'

const folder = t.testdir()
let files = 0
const newFile = (): string => join(folder, `store-${files++}.sqlite`)

/** A store with 100 films, at position 100. */
async function filledStore(file: string): Promise<ReadStore> {
  const store = createSqliteReadStore({ file })
  await store.open([MOVIES])
  await store.commit({ collection: MOVIES.name, epoch: 1, from: START, to: toPosition(100), puts: randomMovies(1, 100), removes: [] })
  await store.buildIndexes([MOVIES.name])
  return store
}

/** Those of equal values by id may be. */
const SORTS = /TEMP B-TREE(?! FOR LAST TERM)/

t.test('every walk is a search along an index without a sort of all, and candidates are sought, never scanned', async (t) => {
  const file = newFile()
  await (await filledStore(file)).close()
  const db = new DatabaseSync(file)
  t.teardown(() => db.close())
  const planOf = ({ sql, values }: Fragment): string[] =>
    db
      .prepare(`explain query plan ${sql}`)
      .all(...values)
      .map(({ detail }) => String(detail))
  // Without a sort and a cursor the walk starts at the first id.
  const isScan = (step: string): boolean => /^SCAN (c|t|"?films)/.test(step) && step !== 'SCAN t USING COVERING INDEX films_g1:'
  const random = createRandom(5)
  for (let round = 0; round < 300; round++) {
    const drawn = randomQuery(random)
    const query = random.chance(0.5) ? drawn : { ...drawn, after: { value: drawn.sort ? 1 : null, id: 'f' } }
    const { page, keys, end } = walkOf(MOVIES, query)
    for (const step of [page, keys, end].flatMap(planOf)) {
      if (isScan(step) || SORTS.test(step)) t.fail(step, { query, plan: planOf(page) })
    }
    for (const source of sourcesOf(MOVIES, query)) {
      for (const step of [countOf(source, 10), ...Object.values(candidatesOf(MOVIES, query, source))].flatMap(planOf)) {
        if (isScan(step)) t.fail(step, { query })
      }
    }
  }
  t.pass('all plans')
})

t.test('one index of a unique field serves both directions, and indexes of sparse fields leave out what lacks them', async (t) => {
  const file = newFile()
  const store = createSqliteReadStore({ file })
  await store.open([RANKED])
  await store.buildIndexes([RANKED.name])
  await store.close()
  const db = new DatabaseSync(file)
  t.teardown(() => db.close())
  const made = db.prepare("select sql from sqlite_schema where type = 'index' and sql like '%f_rank%'").all()
  t.equal(made.length, RANKED.indexes.length)
  t.equal(made.filter(({ sql }) => String(sql).endsWith('is not null')).length, 3)
  const wheres = [[], [{ field: 'listed', op: 'eq', value: true }], [{ field: 'library', op: 'eq', value: 'one' }]] as const
  for (const direction of ['asc', 'desc'] as const) {
    for (const where of wheres) {
      for (const after of [undefined, { value: 7, id: 'a' }]) {
        const { page } = walkOf(RANKED, { where, sort: { field: 'rank', direction }, limit: 20, ...(after ? { after } : {}) })
        const plan = db.prepare(`explain query plan ${page.sql}`).all(...page.values)
        t.notMatch(plan.map(({ detail }) => detail).join(), 'TEMP B-TREE', JSON.stringify({ direction, where, after }))
      }
    }
  }
})

t.test('the bounds of a field name candidates together, unless they bound the walk itself', async (t) => {
  const file = newFile()
  await (await filledStore(file)).close()
  const db = new DatabaseSync(file)
  t.teardown(() => db.close())
  const where = [
    { field: 'rating', op: 'gte', value: 5 },
    { field: 'rating', op: 'lt', value: 6 },
  ] as const
  const [source, ...more] = sourcesOf(MOVIES, { where, sort: { field: 'title', direction: 'asc' }, limit: 20 })
  t.strictSame(more, [])
  const plan = db.prepare(`explain query plan ${source?.sql}`).all(...(source?.values ?? []))
  t.match(plan, [{ detail: 'SEARCH t USING COVERING INDEX films_g1:rating (f_rating>? AND f_rating<?)' }])
  t.strictSame(sourcesOf(MOVIES, { where, sort: { field: 'rating', direction: 'asc' }, limit: 20 }), [])
})

t.test('no limit is one that SQLite looks at when it plans: it would plan again with each query', (t) => {
  const random = createRandom(11)
  for (let round = 0; round < 100; round++) {
    const query = randomQuery(random)
    const walk = Object.values(walkOf(MOVIES, query))
    const candidates = sourcesOf(MOVIES, query).flatMap((source) => [
      ...Object.values(candidatesOf(MOVIES, query, source)),
      countOf(source, 10),
    ])
    for (const { sql } of [...walk, ...candidates]) t.notMatch(sql, /(?:limit|offset) \?/)
  }
  t.end()
})

t.test('words are found along their index', async (t) => {
  const file = newFile()
  await (await filledStore(file)).close()
  const db = new DatabaseSync(file)
  t.teardown(() => db.close())
  const [source] = sourcesOf(MOVIES, { where: [{ field: 'words', op: 'tokens', words: ['mat'] }], limit: 20 })
  const plan = db.prepare(`explain query plan ${source?.sql}`).all(...(source?.values ?? []))
  t.strictSame(
    plan.map(({ detail }) => detail),
    ['SEARCH films_g1.words USING PRIMARY KEY (value>? AND value<?)'],
  )
})

t.test('indexes that a crash has left half made are completed, by a query or by the next commit', async (t) => {
  for (const made of [1, 5, indexingOf(MOVIES).length - 1]) {
    for (const next of ['query', 'commit'] as const) {
      const file = newFile()
      const films = randomMovies(1, 100)
      const store = createSqliteReadStore({ file })
      await store.open([MOVIES])
      await store.commit({ collection: MOVIES.name, epoch: 1, from: START, to: toPosition(1), puts: films, removes: [] })
      await store.close()
      const db = new DatabaseSync(file)
      for (const statement of indexingOf(MOVIES).slice(0, made)) db.exec(statement)
      db.exec(`update "$collections" set indexed = ${made}`)
      db.close()
      const again = createSqliteReadStore({ file })
      t.teardown(() => again.close())
      const removes = films.slice(50).map(({ id, at }) => ({ id, at }))
      if (next === 'commit') {
        await again.commit({ collection: MOVIES.name, epoch: 1, from: toPosition(1), to: toPosition(2), puts: [], removes })
      }
      const left = next === 'commit' ? films.slice(0, 50) : films
      const random = createRandom(made)
      for (let n = 0; n < 20; n++) {
        const query = { ...randomQuery(random), limit: 1000, scan: 1000 }
        const { documents } = await again.find(MOVIES.name, query)
        t.strictSame(
          documents.map(({ id }) => id),
          expectedIds(left, query),
          `${made} ${next}`,
        )
      }
    }
  }
})

t.test('a store that is opened again has its documents, its checkpoint and its fence', async (t) => {
  const file = newFile()
  const first = await filledStore(file)
  const query = { sort: { field: 'title', direction: 'desc' }, limit: 1000 } as const
  const before = await first.find(MOVIES.name, query)
  await first.close()
  const second = createSqliteReadStore({ file })
  t.teardown(() => second.close())
  t.strictSame(await second.find(MOVIES.name, query), before)
  await second.open([MOVIES])
  t.equal(await second.checkpoint(MOVIES.name), toPosition(100))
  const commit = { collection: MOVIES.name, from: toPosition(100), to: toPosition(101), puts: [], removes: [] }
  t.equal(await second.commit({ ...commit, epoch: 0 }), 'fenced')
  t.equal(await second.commit({ ...commit, epoch: 1 }), 'applied')
})

t.test('a file that was deleted, cut, overwritten or written by an older version is begun again', async (t) => {
  const spoil: readonly ((file: string) => void)[] = [
    (file) => rmSync(file),
    (file) => writeFileSync(file, readFileSync(file).subarray(0, 700)),
    (file) => writeFileSync(file, 'not a database at all '.repeat(500)),
    (file) => writeFileSync(file, Buffer.alloc(8192, 0xff)),
    (file) => new DatabaseSync(file).exec('pragma user_version = 1'),
  ]
  for (const [index, spoilt] of spoil.entries()) {
    const file = newFile()
    await (await filledStore(file)).close()
    spoilt(file)
    const store = createSqliteReadStore({ file })
    await store.open([MOVIES])
    t.equal(await store.checkpoint(MOVIES.name), START, String(index))
    t.equal(await store.count(MOVIES.name, []), 0)
    await store.close()
  }
})

t.test('a file of a newer version is refused and left alone', async (t) => {
  const file = newFile()
  await (await filledStore(file)).close()
  const db = new DatabaseSync(file)
  db.exec('pragma user_version = 99')
  db.close()
  const before = readFileSync(file)
  t.throws(() => createSqliteReadStore({ file }), { message: /was written by a newer version of Marquee: its format is 99/ })
  t.strictSame(readFileSync(file), before)
})

t.test('damage that shows while the store is read is marked, and the file begun again at the next start', async (t) => {
  const file = newFile()
  await (await filledStore(file)).close()
  const bytes = readFileSync(file)
  // Everything after the first pages, which hold the schema.
  writeFileSync(file, Buffer.concat([bytes.subarray(0, 16_384), Buffer.alloc(bytes.length - 16_384, 0xff)]))
  const damaged = createSqliteReadStore({ file })
  await t.rejects(Promise.all(randomMovies(1, 100).map(({ id }) => damaged.get(MOVIES.name, id))))
  await damaged.close()
  const store = createSqliteReadStore({ file })
  t.teardown(() => store.close())
  t.strictSame(await store.collections(), [])
  t.notOk(existsSync(`${file}-damaged`))
  const aside = readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}-damaged-`))
  t.equal(aside.length, 1, 'what was damaged is kept under its name and the time')
  t.match(aside[0], /-damaged-\d{8}T\d{6}Z$/)
})

t.test('a database of something else is left alone, the event log above all', async (t) => {
  const file = newFile()
  const log = createSqliteEventLog({ file, clock: createSystemClock() })
  await log.close()
  const before = readFileSync(file)
  t.throws(() => createSqliteReadStore({ file }), { message: /foreign/ })
  t.strictSame(readFileSync(file), before)
})

t.test('a closed store leaves one file', async (t) => {
  const file = newFile()
  await (await filledStore(file)).close()
  const left = readdirSync(folder).filter((name) => join(folder, name).startsWith(file))
  t.strictSame(left, [file.slice(folder.length + 1)])
})

t.test('texts with half a character, or a zero, come back as they were put', async (t) => {
  const store = createSqliteReadStore({ file: newFile() })
  t.teardown(() => store.close())
  await store.open([MOVIES])
  const puts = [{ id: 'a', at: START, body: { title: 'half a \ud83c', note: 'a\0b', genres: ['\ud83c', '\0'], watched: true } }]
  await store.commit({ collection: MOVIES.name, epoch: 1, from: START, to: toPosition(1), puts, removes: [] })
  t.strictSame(await store.getMany(MOVIES.name, ['a']), puts)
  t.strictSame(await store.get(MOVIES.name, 'a'), puts[0])
})

t.test('what a column holds is stored once', async (t) => {
  const file = newFile()
  await (await filledStore(file)).close()
  const db = new DatabaseSync(file)
  t.teardown(() => db.close())
  const rows = db.prepare('select f_title, f_watched, f_words, body from films_g1').all()
  t.equal(rows.length, 100)
  for (const { f_title: title, f_watched: watched, f_words: words, body } of rows) {
    const members = JSON.parse(String(body)) as Record<string, unknown>
    for (const [name, value] of Object.entries({ title, watched, words })) t.ok(value === null || !(name in members))
    t.ok('more' in members)
  }
})
