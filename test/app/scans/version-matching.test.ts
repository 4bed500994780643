/** Which files are versions of one movie, in cases that are easily got wrong. */
import t from 'tap'
import { scannedFilms } from '../../fixtures/scanned-films.ts'

type Films = Awaited<ReturnType<typeof scannedFilms>>

const PLAIN = '/films/Pinocchio (2022)/Pinocchio.mkv'
const FIRST = '/films/Pinocchio (2022) {tmdb-532639}/Pinocchio.mkv'
const SECOND = '/films/Pinocchio (2022) {tmdb-555604}/Pinocchio.mkv'
const below = (path: string) => path.slice('/films/'.length)

/** The files of each movie, by its id at TMDB. */
async function byTmdb({ node, movies }: Films): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {}
  for (const { id, there } of await movies()) {
    const movie = await node.readModels.movies.get(id)
    if (there.length > 0) found[movie?.details.externalIds.tmdb ?? 'none'] = there
  }
  return found
}

t.test('films of the same title with different explicit ids are different films, and one without an id joins the first', async (t) => {
  const films = await scannedFilms(t, { [PLAIN]: {}, [FIRST]: {}, [SECOND]: {} })
  const expected = { 532639: [below(FIRST), below(PLAIN)], 555604: [below(SECOND)] }
  t.strictSame(await byTmdb(films), expected)
  t.match(await films.scan({ mode: 'full' }), { counts: { unchanged: 3 } })
  t.strictSame(await byTmdb(films), expected)
})

t.test('two films with different ids are not joined by a known one without an id', async (t) => {
  const films = await scannedFilms(t, { [PLAIN]: {} })
  films.node.mediaFiles.put(FIRST)
  films.node.mediaFiles.put(SECOND)
  await films.scan()
  t.strictSame(await byTmdb(films), { 532639: [below(FIRST), below(PLAIN)], 555604: [below(SECOND)] })
})

for (const [renamed, added] of [
  [FIRST, SECOND],
  [SECOND, FIRST],
] as const) {
  t.test(`a film that is renamed to ${below(renamed)} while ${below(added)} comes stays the same movie, alone`, async (t) => {
    const films = await scannedFilms(t, { [PLAIN]: {} })
    const [before] = await films.movies()
    films.node.mediaFiles.move(PLAIN, renamed)
    films.node.mediaFiles.put(added)
    t.match(await films.scan(), { counts: { moved: 1, added: 1, missing: 0 } })
    const after = await films.movies()
    t.equal(after.length, 2)
    t.strictSame(after.find(({ id }) => id === before?.id)?.there, [below(renamed)])
  })
}

t.test('the id of a version that was not read again still counts', async (t) => {
  const films = await scannedFilms(t, { [FIRST]: {}, [PLAIN]: { content: 'a' } })
  films.node.mediaFiles.put(PLAIN, { content: 'a', modifiedAtMs: 1_767_100_000_000 })
  films.node.mediaFiles.put(SECOND)
  await films.scan()
  t.strictSame(await byTmdb(films), { 532639: [below(FIRST), below(PLAIN)], 555604: [below(SECOND)] })
})

t.test('a version leaves its movie when it is renamed to another id than that of a version that stays', async (t) => {
  const films = await scannedFilms(t, { [PLAIN]: {}, [FIRST]: {} })
  t.equal((await films.movies()).length, 1)
  films.node.mediaFiles.move(PLAIN, SECOND)
  await films.scan()
  t.strictSame(await byTmdb(films), { 532639: [below(FIRST)], 555604: [below(SECOND)] })
})

t.test('an id that is corrected does not part the versions of a movie', async (t) => {
  const films = await scannedFilms(t, { [PLAIN]: {}, [FIRST]: {} })
  films.node.mediaFiles.move(FIRST, SECOND)
  await films.scan()
  t.strictSame(await byTmdb(films), { 555604: [below(SECOND), below(PLAIN)] })
})

t.test('a copy with the former id stays apart from the film whose id is corrected at the same time', async (t) => {
  const films = await scannedFilms(t, { [FIRST]: { content: 'a' } })
  const [before] = await films.movies()
  const copy = '/films/A copy (2022) {tmdb-532639}/Pinocchio.mkv'
  films.node.mediaFiles.move(FIRST, SECOND)
  films.node.mediaFiles.put(copy, { content: 'b' })
  await films.scan()
  t.strictSame(await byTmdb(films), { 532639: [below(copy)], 555604: [below(SECOND)] })
  t.strictSame((await films.movies()).find(({ id }) => id === before?.id)?.there, [below(SECOND)])
})
