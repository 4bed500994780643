/** A household for tests of the audit. */
import { allowed, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'
import { named } from '../../fixtures/names.ts'

/** Two users, a library, marks, sessions: some hundred events over a day. */
export async function household(t: Parameters<typeof openNodeFixture>[0]) {
  const node = await openNodeFixture(t)
  const [admin, ann] = [await node.person({ role: 'admin' }), await node.person()]
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  const library = await node.newLibrary('/films')
  await node.scan(library)
  const movie = await node.movieNamed('Brazil')
  for (const { caller } of [admin, ann, ann]) {
    node.clock.setNow(node.clock.now() + 3_600_000)
    allowed(await node.movieMarks.markWatched(caller, movie.id, undefined, { ...ORIGIN, requestId: named(`r${caller.userId.slice(1)}`) }))
    allowed(await node.movieMarks.markUnwatched(caller, movie.id, ORIGIN))
  }
  await node.seen()
  return { node, admin, ann, library, movie }
}
