import t from 'tap'
import { isRefusal } from '../../src/domain/refusal.ts'
import { toSeq } from '../../src/events/position.ts'
import { createTestIds } from '../../src/adapters/memory/ids.ts'
import { appendFilms } from '../bench/films.ts'
import { openHouse, ORIGIN } from './house.ts'

const TITLES = { sort: 'title', order: 'asc', limit: 100 } as const

async function furnished(t: Parameters<typeof openHouse>[0]) {
  const house = await openHouse(t)
  const libraryIds = [await house.newLibrary('/media/films'), await house.newLibrary('/media/others')]
  const { caller } = await house.person()
  const films = await appendFilms(house.town.log, createTestIds({ series: 'e' }), { count: 3, libraryIds })
  await house.seen()
  return { house, caller, id: films[0]?.movieId ?? '' }
}

t.test('a list of the past shows what was, with the caller’s own marks of then', async (t) => {
  const { house, caller, id } = await furnished(t)
  const other = (await house.person()).caller
  await house.movieMarks.markWatched(other, id, undefined, ORIGIN)
  const seq = toSeq(await house.town.log.head())
  await house.movieMarks.markWatched(caller, id, undefined, ORIGIN)
  const count = async (asOf: string, watched: boolean) => {
    const past = await house.past.at(caller.userId, asOf)
    if (isRefusal(past)) return past
    return { seq: past.seq, films: (await house.movies.list(caller, { ...TITLES, watched }, past.documents)).items.length }
  }
  t.strictSame(await count(`seq:${seq}`, true), { seq, films: 0 }, 'what others have watched is not the caller’s')
  t.strictSame(await count(`seq:${seq}`, false), { seq, films: 3 })
  const head = toSeq(await house.town.log.head())
  t.strictSame(await count(`seq:${head}`, true), { seq: head, films: 1 })
  t.strictSame(await count('seq:0', false), { seq: '0', films: 0 })
})

t.test('a time means the last event before it or at it', async (t) => {
  const { house, caller, id } = await furnished(t)
  await house.clock.advance(10_000)
  const before = new Date(house.clock.now()).toISOString()
  await house.clock.advance(10_000)
  await house.movieMarks.setWatchlisted(caller, id, true, ORIGIN)
  const listed = async (asOf: string) => {
    const past = await house.past.at(caller.userId, asOf)
    return isRefusal(past) ? past : (await house.movies.list(caller, { ...TITLES, watchlist: true }, past.documents)).items.length
  }
  // The films were added by the machine's own clock, which may be ahead of the test's.
  t.equal(typeof (await listed(before)), 'number')
  t.match(await listed(new Date(house.clock.now() + 1).toISOString()), { refusal: 'invalid', path: 'asOf' })
  t.match(await listed('seq:999999'), { refusal: 'invalid', path: 'asOf' })
  for (const asOf of ['yesterday', 'seq:', 'seq:-1', 'seq:01', '2026-01-02']) t.match(await listed(asOf), { refusal: 'invalid' }, asOf)
})

t.test('one look into the past at a time: the next is told to come again', async (t) => {
  const { house, caller } = await furnished(t)
  const answers = await Promise.all([1, 2, 3].map(() => house.past.at(caller.userId, 'seq:5')))
  t.equal(answers.filter((answer) => !isRefusal(answer)).length, 1)
  t.match(
    answers.filter(isRefusal).map(({ refusal, retryAfterSeconds }) => [refusal, retryAfterSeconds]),
    [
      ['unavailable', 5],
      ['unavailable', 5],
    ],
  )
  t.notOk(isRefusal(await house.past.at(caller.userId, 'seq:5')), 'afterwards it is free again')
})

t.test('rights are judged as of now, never as of then', async (t) => {
  const { house, caller } = await furnished(t)
  const past = await house.past.at(caller.userId, `seq:${toSeq(await house.town.log.head())}`)
  if (isRefusal(past)) throw new Error(past.message)
  const revoked = { ...caller, libraryAccess: 'selected', libraryIds: [] } as const
  t.equal((await house.movies.list(caller, TITLES, past.documents)).items.length, 3)
  t.equal((await house.movies.list(revoked, TITLES, past.documents)).items.length, 0)
})
