import t, { type Test } from 'tap'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { appendMovies } from '../../bench/movies.ts'
import { mediaFile } from '../../fixtures/media-descriptions.ts'
import { allowed, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

const BLANK = { watched: false, watchedAt: null, positionMs: 0 }

async function furnished(t: Test) {
  const node = await openNodeFixture(t)
  const libraryIds = [await node.newLibrary('/media/films'), await node.newLibrary('/media/others')]
  const { caller } = await node.person()
  const films = await appendMovies(node.cluster.log, createTestIds({ series: 'e' }), { count: 3, libraryIds })
  await node.seen()
  const [first = '', second = '', third = ''] = films.map(({ movieId }) => movieId)
  return { node, caller, first, second, third, now: () => new Date(node.clock.now()).toISOString() }
}

t.test('many movies are marked at once, and the answer says how each was', async (t) => {
  const { node, caller, first, second, third, now } = await furnished(t)
  await node.movieMarks.setResumePoint(caller, second, 600_000, ORIGIN)
  const changed = await node.movieMarks.markMany(
    caller,
    [
      { movieId: first, watched: true, watchedAt: '2020-01-02T03:04:05.000Z' },
      { movieId: second, watched: true },
      { movieId: third, watched: false, positionMs: 900_000 },
    ],
    ORIGIN,
  )
  t.strictSame(changed, [
    { movieId: first, before: BLANK, after: { watched: true, watchedAt: '2020-01-02T03:04:05.000Z', positionMs: 0 } },
    { movieId: second, before: { ...BLANK, positionMs: 600_000 }, after: { watched: true, watchedAt: now(), positionMs: 0 } },
    { movieId: third, before: BLANK, after: { ...BLANK, positionMs: 900_000 } },
  ])
  t.match(await node.movies.get(caller, third), { own: { resume: { positionMs: 900_000 } } }, 'the next read shows it')
})

t.test('what was before, sent back, undoes it: the times and positions are as they were', async (t) => {
  const { node, caller, first, second } = await furnished(t)
  await node.movieMarks.markWatched(caller, first, '2021-05-05T05:05:05.000Z', ORIGIN)
  await node.movieMarks.setResumePoint(caller, first, 700_000, ORIGIN)
  await node.movieMarks.setResumePoint(caller, second, 800_000, ORIGIN)
  const wanted = [
    { movieId: first, watched: false, positionMs: 0 },
    { movieId: second, watched: true },
  ]
  const changed = await node.movieMarks.markMany(caller, wanted, ORIGIN)
  if (isRefusal(changed)) throw new Error(changed.message)
  await node.clock.advance(60_000)
  const back = changed.map(({ movieId, before }) => ({ movieId, ...before, watchedAt: before.watchedAt ?? undefined }))
  const undone = await node.movieMarks.markMany(caller, back, ORIGIN)
  t.strictSame(
    isRefusal(undone) ? undone : undone.map(({ after }) => after),
    changed.map(({ before }) => before),
  )
  t.match(changed[0]?.before, { watched: true, watchedAt: '2021-05-05T05:05:05.000Z', positionMs: 700_000 })
})

t.test('nothing is changed if one of them is refused', async (t) => {
  const { node, caller, first, second } = await furnished(t)
  const stranger = (await node.person({ libraryAccess: 'selected', libraryIds: [] })).caller
  const movie = await node.readModels.movies.get(first)
  const beyond = (movie?.durationMs ?? 0) + 1001
  const events = (await node.events()).length
  const fine = { movieId: first, watched: true }
  const refused = [
    { answer: await node.movieMarks.markMany(stranger, [fine], ORIGIN), as: { refusal: 'not-found', message: 'There is no such movie' } },
    {
      answer: await node.movieMarks.markMany(caller, [fine, { movieId: 'no-such-movie-in-here', watched: true }], ORIGIN),
      as: { refusal: 'not-found' },
    },
    { answer: await node.movieMarks.markMany(caller, [fine, fine], ORIGIN), as: { refusal: 'invalid', path: 'items.1.movieId' } },
    {
      answer: await node.movieMarks.markMany(
        caller,
        [fine, { movieId: second, watched: true, watchedAt: '2999-01-01T00:00:00.000Z' }],
        ORIGIN,
      ),
      as: { refusal: 'invalid', path: 'items.1.watchedAt' },
    },
    {
      answer: await node.movieMarks.markMany(caller, [{ movieId: first, watched: false, positionMs: beyond }], ORIGIN),
      as: { refusal: 'invalid', path: 'items.0.position' },
    },
  ]
  for (const { answer, as } of refused) t.match(answer, as)
  t.equal((await node.events()).length, events)
})

t.test(
  'nothing is changed if a position is beyond the version that it is set in, once the mark has cleared the old resume point',
  async (t) => {
    const node = await openNodeFixture(t)
    const put = (path: string, durationMs: number) => node.mediaFiles.put(path, { probe: mediaFile({ durationMs }) })
    put('/films/Brazil (1985)/Brazil (1985) - a.mkv', 3_600_000)
    put('/films/Brazil (1985)/Brazil (1985) - b.mkv', 7_200_000)
    put('/films/Alien (1979)/Alien (1979).mkv', 7_200_000)
    await node.scan(await node.newLibrary('/films'))
    const [brazil, alien] = [await node.movieNamed('Brazil'), await node.movieNamed('Alien')]
    const { caller } = await node.person()
    const fileId = brazil.files.find(({ durationMs }) => durationMs === 7_200_000)?.id ?? ''
    const { session } = allowed(await node.playback.start(caller, { movieId: brazil.id, fileId }, ORIGIN))
    allowed(await node.playback.heartbeat(caller, session.id, { positionMs: 1_000_000 }, ORIGIN))
    allowed(await node.playback.end(caller, session.id, ORIGIN))
    const events = (await node.events()).length
    const mark = (watched: boolean) => [
      { movieId: alien.id, watched: true },
      { movieId: brazil.id, watched, positionMs: 5_000_000 },
    ]
    t.match(await node.movieMarks.markMany(caller, mark(true), ORIGIN), { refusal: 'invalid', path: 'items.1.position' })
    t.equal((await node.events()).length, events)
    const changed = allowed(await node.movieMarks.markMany(caller, mark(false), ORIGIN))
    t.match(changed[1], { after: { watched: false, positionMs: 5_000_000 } }, 'it is within the version of the resume point that stays')
  },
)
