import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { createResponseCache } from '../../../src/adapters/tmdb/response-cache.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { TMDB_KEY } from '../../fakes/tmdb.ts'
import { MOVIES } from '../../fakes/tmdb-catalogue.ts'
import { never, openTmdb } from './open-tmdb.ts'

const DAY_MS = 86_400_000
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
const nameOf = (n: number): string => n.toString(16).padStart(64, '0')

t.test('what was asked once is not asked again within a week, over a restart', async (t) => {
  const { online, server, clock, reopen } = await openTmdb(t, { movies: MOVIES })
  const first = await online.movie({ imdb: 'tt2285752' }, 'de', never())
  t.equal(server.calls.length, 3)
  t.strictSame(await online.movie({ imdb: 'tt2285752' }, 'de', never()), first)
  const again = await reopen()
  clock.setNow(clock.now() + 7 * DAY_MS - 1)
  t.strictSame(await again.movie({ imdb: 'tt2285752' }, 'de', never()), first)
  t.equal(server.calls.length, 3)
  clock.setNow(clock.now() + 1)
  t.strictSame(await again.movie({ imdb: 'tt2285752' }, 'de', never()), first)
  t.equal(server.calls.length, 6)
})

t.test('another language and another server are asked for themselves', async (t) => {
  const { online, server, reopen } = await openTmdb(t, { movies: MOVIES })
  await online.movie({ tmdb: '10378' }, 'de', never())
  t.match(await online.movie({ tmdb: '10378' }, 'en', never()), { facts: { title: 'Big Buck Bunny' } })
  const other = await openTmdb(t, { movies: [{ id: 10378, title: 'Another' }] })
  const moved = await reopen({ url: other.server.url })
  t.match(await moved.movie({ tmdb: '10378' }, 'en', never()), { facts: { title: 'Another' } })
  t.equal(server.calls.length, 2)
})

t.test('films that are not found are not searched for again at each start, for a month', async (t) => {
  const { online, server, clock, reopen } = await openTmdb(t, { movies: MOVIES })
  const search = async (where: typeof online) => [
    await where.search({ title: 'No such film', year: null }, 'en', never()),
    (await where.search({ title: 'Sintel', year: null }, 'en', never())).length,
  ]
  t.strictSame(await search(online), [[], 1])
  clock.setNow(clock.now() + 30 * DAY_MS - 1)
  t.strictSame(await search(await reopen()), [[], 1])
  t.equal(server.calls.length, 2)
  clock.setNow(clock.now() + 1)
  await search(online)
  t.equal(server.calls.length, 4)
})

t.test('an id that was not there is asked for again after a day', async (t) => {
  const { online, server, clock } = await openTmdb(t, { movies: MOVIES })
  const askAll = async () => [await online.movie({ tmdb: '5' }, 'en', never()), await online.movie({ imdb: 'tt9999999' }, 'en', never())]
  t.strictSame(await askAll(), [undefined, undefined])
  clock.setNow(clock.now() + DAY_MS - 1)
  t.strictSame(await askAll(), [undefined, undefined])
  t.equal(server.calls.length, 2)
  clock.setNow(clock.now() + 1)
  await askAll()
  t.equal(server.calls.length, 4)
})

t.test('who asks for the same at the same time gets one answer', async (t) => {
  const { online, server } = await openTmdb(t, { movies: MOVIES })
  const stop = new AbortController()
  const [leaver, ...others] = [stop.signal, never(), never(), never()].map((signal) => online.movie({ tmdb: '45745' }, 'en', signal))
  stop.abort(new Error('Gone'))
  await t.rejects(Promise.resolve(leaver), { message: 'Gone' })
  for (const film of await Promise.all(others)) t.match(film, { facts: { title: 'Sintel' } })
  t.equal(server.calls.length, 1)
})

t.test('the key is in no file, and a new key finds what the old one has fetched', async (t) => {
  const { online, server, folder, reopen } = await openTmdb(t, { movies: MOVIES })
  await online.movie({ tmdb: '45745' }, 'en', never())
  const files = filesIn(join(folder, 'answers'))
  t.equal(files.length, 1)
  for (const file of files) {
    t.match(file, /\/[0-9a-f]{2}\/[0-9a-f]{64}\.json\.gz$/)
    t.notMatch(gunzipSync(readFileSync(file)).toString(), TMDB_KEY)
  }
  await (await reopen({ key: 'eyJ.another' })).movie({ tmdb: '45745' }, 'en', never())
  t.equal(server.calls.length, 1)
})

t.test('a file that is not what was written is as good as none', async (t) => {
  for (const wreck of [Buffer.from('{}'), Buffer.alloc(0)]) {
    const { online, server, folder, reopen } = await openTmdb(t, { movies: MOVIES })
    await online.movie({ tmdb: '45745' }, 'en', never())
    for (const file of filesIn(join(folder, 'answers'))) writeFileSync(file, wreck)
    t.match(await (await reopen()).movie({ tmdb: '45745' }, 'en', never()), { facts: { title: 'Sintel' } })
    t.equal(server.calls.length, 2)
  }
})

t.test('an answer that says it is of tomorrow does not stand forever', async (t) => {
  const { online, server, clock } = await openTmdb(t, { movies: MOVIES })
  await online.movie({ tmdb: '45745' }, 'en', never())
  clock.setNow(clock.now() - DAY_MS)
  await online.movie({ tmdb: '45745' }, 'en', never())
  t.equal(server.calls.length, 2)
})

t.test('an unwritable folder is reported once, and answers are still returned', async (t) => {
  const { online, server, folder, problems } = await openTmdb(t, { movies: MOVIES })
  writeFileSync(join(folder, 'answers'), 'no folder')
  t.match(await online.movie({ tmdb: '45745' }, 'en', never()), { facts: { title: 'Sintel' } })
  await online.movie({ tmdb: '45745' }, 'en', never())
  await online.movie({ tmdb: '10378' }, 'en', never())
  t.equal(server.calls.length, 2, 'what cannot be written is held in memory')
  t.equal(problems.length, 1)
  t.match(problems[0], /^Answers of the provider of online metadata are kept in memory only: /)
})

t.test('the oldest answers go', async (t) => {
  const folder = t.testdir()
  const clock = createTestClock({ startMs: Date.now() })
  const problems: Error[] = []
  const open = () => createResponseCache({ folder, clock, answersMax: 40, onError: (cause) => void problems.push(cause) })
  const answers = open()
  for (let n = 0; n < 70; n++) {
    await answers.put(nameOf(n), { n })
    const file = filesIn(folder).find((path) => path.includes(nameOf(n)))
    const at = Date.now() / 1000 - 10_000 + n
    if (file) utimesSync(file, at, at)
  }
  const left = filesIn(folder)
  t.ok(left.length <= 40 && left.length > 35, `${left.length} are left`)
  const reopened = open()
  t.match(await reopened.get(nameOf(69)), { answer: { n: 69 } })
  t.equal(await reopened.get(nameOf(0)), undefined)
  t.strictSame(problems, [])
})

t.test('what a crash has left is removed once it is old, and what is being written stays', async (t) => {
  const folder = t.testdir({ ab: { 'old.part': 'x', 'new.part': 'x' }, other: { 'of.others': 'x' } })
  const clock = createTestClock({ startMs: Date.now() })
  const old = Date.now() / 1000 - 2 * 3600
  utimesSync(join(folder, 'ab', 'old.part'), old, old)
  await createResponseCache({ folder, clock, onError: (cause) => t.error(cause) }).put(nameOf(1), 1)
  t.strictSame(
    filesIn(folder).map((path) => path.slice(folder.length + 1)),
    [`00/${nameOf(1)}.json.gz`, 'ab/new.part', 'other/of.others'],
  )
})
