import t from 'tap'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { appendFilms } from '../../bench/films.ts'
import { openHouse, ORIGIN } from '../../fixtures/house.ts'

async function furnished(t: Parameters<typeof openHouse>[0]) {
  const house = await openHouse(t)
  const libraryIds = [await house.newLibrary('/media/films'), await house.newLibrary('/media/others')]
  const { caller } = await house.person()
  const [film] = await appendFilms(house.town.log, createTestIds({ series: 'e' }), { count: 1, libraryIds })
  if (!film) throw new Error('no film')
  await house.seen()
  const movie = await house.documents.movies.get(film.movieId)
  return { house, caller, id: film.movieId, durationMs: movie?.durationMs ?? 0 }
}

t.test('a resume point that is set is there at once, in the summary and on the list, and old ones are kept: #17561', async (t) => {
  const { house, caller, id, durationMs } = await furnished(t)
  for (const positionMs of [600_000, 900_500]) {
    await house.clock.advance(1000)
    const updatedAt = new Date(house.clock.now()).toISOString()
    t.strictSame(await house.movieMarks.setResumePoint(caller, id, positionMs, ORIGIN), { positionMs, updatedAt })
  }
  t.match(await house.movies.get(caller, id), { own: { resume: { positionMs: 900_500 } } })
  t.match(await house.playback.continueWatching(caller, { limit: 9 }), { items: [{ own: { resume: { positionMs: 900_500 } } }] })
  const history = await house.movieMarks.resumeHistory(caller, id, { limit: 9 })
  t.match(history, { items: [{ positionMs: 900_500, sessionId: null }, { positionMs: 600_000 }], next: null })
  t.match(await house.movieMarks.setResumePoint(caller, id, durationMs + 1000, ORIGIN), { positionMs: durationMs }, 'clamped')
  t.match(await house.movieMarks.setResumePoint(caller, id, durationMs + 1001, ORIGIN), { refusal: 'invalid', path: 'position' })
})

t.test('a resume point that is forgotten is gone, one that is dismissed is only off the list', async (t) => {
  const { house, caller, id } = await furnished(t)
  await house.movieMarks.setResumePoint(caller, id, 600_000, ORIGIN)
  await house.playback.dismiss(caller, id, ORIGIN)
  t.match(await house.movies.get(caller, id), { own: { resume: { positionMs: 600_000 } } })
  await house.movieMarks.clearResumePoint(caller, id, ORIGIN)
  t.match(await house.movies.get(caller, id), { own: { resume: null } })
  const before = (await house.events()).length
  t.equal(await house.movieMarks.clearResumePoint(caller, id, ORIGIN), undefined)
  t.equal((await house.events()).length, before, 'forgetting it twice is one event')
})

t.test('the watchlist is the user’s own, and keeps its time', async (t) => {
  const { house, caller, id } = await furnished(t)
  const other = (await house.person()).caller
  const first = await house.movieMarks.setWatchlisted(caller, id, true, ORIGIN)
  await house.clock.advance(5000)
  t.strictSame(await house.movieMarks.setWatchlisted(caller, id, true, ORIGIN), first)
  t.match(await house.movies.get(caller, id), { own: { watchlistAt: isRefusal(first) ? '' : first.addedAt } })
  t.match(await house.movies.get(other, id), { own: null })
  t.strictSame(await house.movieMarks.setWatchlisted(caller, id, false, ORIGIN), { addedAt: null })
  t.match(await house.movies.get(caller, id), { own: { watchlistAt: null } })
})

t.test('marks on movies that the caller does not see are refused as unknown: #7669', async (t) => {
  const { house, id } = await furnished(t)
  const stranger = (await house.person({ libraryAccess: 'selected', libraryIds: [] })).caller
  const before = (await house.events()).length
  for (const answer of [
    await house.movieMarks.markWatched(stranger, id, undefined, ORIGIN),
    await house.movieMarks.markUnwatched(stranger, id, ORIGIN),
    await house.movieMarks.setResumePoint(stranger, id, 1, ORIGIN),
    await house.movieMarks.clearResumePoint(stranger, id, ORIGIN),
    await house.movieMarks.resumeHistory(stranger, id, { limit: 1 }),
    await house.movieMarks.setWatchlisted(stranger, id, true, ORIGIN),
  ]) {
    t.match(answer, { refusal: 'not-found', message: 'There is no such movie' })
  }
  t.equal((await house.events()).length, before)
})
