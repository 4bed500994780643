import t from 'tap'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { appendMovies } from '../../bench/movies.ts'
import { openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

async function furnished(t: Parameters<typeof openNodeFixture>[0]) {
  const node = await openNodeFixture(t)
  const libraryIds = [await node.newLibrary('/media/films'), await node.newLibrary('/media/others')]
  const { caller } = await node.person()
  const [film] = await appendMovies(node.cluster.log, createTestIds({ series: 'e' }), { count: 1, libraryIds })
  if (!film) throw new Error('no film')
  await node.seen()
  const movie = await node.readModels.movies.get(film.movieId)
  return { node, caller, id: film.movieId, durationMs: movie?.durationMs ?? 0 }
}

t.test('a resume point that is set is there at once, in the summary and on the list, and old ones are kept: #17561', async (t) => {
  const { node, caller, id, durationMs } = await furnished(t)
  for (const positionMs of [600_000, 900_500]) {
    await node.clock.advance(1000)
    const updatedAt = new Date(node.clock.now()).toISOString()
    t.strictSame(await node.movieMarks.setResumePoint(caller, id, positionMs, ORIGIN), { positionMs, updatedAt })
  }
  t.match(await node.movies.get(caller, id), { own: { resume: { positionMs: 900_500 } } })
  t.match(await node.playback.continueWatching(caller, { limit: 9 }), { items: [{ own: { resume: { positionMs: 900_500 } } }] })
  const history = await node.movieMarks.resumeHistory(caller, id, { limit: 9 })
  t.match(history, { items: [{ positionMs: 900_500, sessionId: null }, { positionMs: 600_000 }], next: null })
  t.match(await node.movieMarks.setResumePoint(caller, id, durationMs + 1000, ORIGIN), { positionMs: durationMs }, 'clamped')
  t.match(await node.movieMarks.setResumePoint(caller, id, durationMs + 1001, ORIGIN), { refusal: 'invalid', path: 'position' })
})

t.test('a resume point that is forgotten is gone, one that is dismissed is only off the list', async (t) => {
  const { node, caller, id } = await furnished(t)
  await node.movieMarks.setResumePoint(caller, id, 600_000, ORIGIN)
  await node.playback.dismiss(caller, id, ORIGIN)
  t.match(await node.movies.get(caller, id), { own: { resume: { positionMs: 600_000 } } })
  await node.movieMarks.clearResumePoint(caller, id, ORIGIN)
  t.match(await node.movies.get(caller, id), { own: { resume: null } })
  const before = (await node.events()).length
  t.equal(await node.movieMarks.clearResumePoint(caller, id, ORIGIN), undefined)
  t.equal((await node.events()).length, before, 'forgetting it twice is one event')
})

t.test('the watchlist is the user’s own, and keeps its time', async (t) => {
  const { node, caller, id } = await furnished(t)
  const other = (await node.person()).caller
  const first = await node.movieMarks.setWatchlisted(caller, id, true, ORIGIN)
  await node.clock.advance(5000)
  t.strictSame(await node.movieMarks.setWatchlisted(caller, id, true, ORIGIN), first)
  t.match(await node.movies.get(caller, id), { own: { watchlistAt: isRefusal(first) ? '' : first.addedAt } })
  t.match(await node.movies.get(other, id), { own: null })
  t.strictSame(await node.movieMarks.setWatchlisted(caller, id, false, ORIGIN), { addedAt: null })
  t.match(await node.movies.get(caller, id), { own: { watchlistAt: null } })
})

t.test('marks on movies that the caller does not see are refused as unknown: #7669', async (t) => {
  const { node, id } = await furnished(t)
  const stranger = (await node.person({ libraryAccess: 'selected', libraryIds: [] })).caller
  const before = (await node.events()).length
  for (const answer of [
    await node.movieMarks.markWatched(stranger, id, undefined, ORIGIN),
    await node.movieMarks.markUnwatched(stranger, id, ORIGIN),
    await node.movieMarks.setResumePoint(stranger, id, 1, ORIGIN),
    await node.movieMarks.clearResumePoint(stranger, id, ORIGIN),
    await node.movieMarks.resumeHistory(stranger, id, { limit: 1 }),
    await node.movieMarks.setWatchlisted(stranger, id, true, ORIGIN),
  ]) {
    t.match(answer, { refusal: 'not-found', message: 'There is no such movie' })
  }
  t.equal((await node.events()).length, before)
})
