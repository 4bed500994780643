import t from 'tap'
import type { JsonObject } from '../../../src/events/envelope.ts'
import type { UserId } from '../../../src/vocabulary/id.ts'
import { allowed, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

t.test('the export states each mark on a film: watched, resume point, watchlist', async (t) => {
  const node = await openNodeFixture(t)
  for (const title of ['Alien', 'Brazil']) node.mediaFiles.put(`/films/${title} (1985).mkv`)
  await node.scan(await node.newLibrary('/films'))
  const ann = await node.person()
  const [{ id: alien }, { id: brazil }] = [await node.movieNamed('Alien'), await node.movieNamed('Brazil')]
  const { addedAt } = allowed(await node.movieMarks.setWatchlisted(ann.caller, alien, true, ORIGIN))
  allowed(await node.movieMarks.setResumePoint(ann.caller, brazil, 600_000, ORIGIN))
  const lines: JsonObject[] = []
  for await (const line of node.exportData(ann.caller.userId)) if (line['type'] === 'movie') lines.push(line)
  t.ok(addedAt)
  t.match(
    lines.toSorted((a) => (a['movieId'] === alien ? -1 : 1)),
    [
      { movieId: alien, watched: false, watchlistAt: addedAt, resume: null },
      { movieId: brazil, watched: false, watchlistAt: null, resume: { position: 600 } },
    ],
  )
})

t.test('the export has the marks of its user, none of anybody else', async (t) => {
  const node = await openNodeFixture(t)
  node.mediaFiles.put('/films/Alien (1979).mkv')
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  await node.scan(await node.newLibrary('/films'))
  const people = [await node.person(), await node.person()]
  const [{ id: alien }, { id: brazil }] = [await node.movieNamed('Alien'), await node.movieNamed('Brazil')]
  for (const [n, movieId] of [alien, brazil].entries()) {
    for (const { caller } of people.slice(n)) allowed(await node.movieMarks.markWatched(caller, movieId, undefined, ORIGIN))
  }
  const marked = async (userId: UserId) => {
    const ids: unknown[] = []
    for await (const line of node.exportData(userId)) if (line['type'] === 'movie') ids.push(line['movieId'])
    return ids
  }
  const [first, second] = await Promise.all(people.map(({ caller }) => marked(caller.userId)))
  t.strictSame(first, [alien])
  t.strictSame(new Set(second), new Set([alien, brazil]))
})
