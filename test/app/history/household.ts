import type { Test } from 'tap'
import { openNodeFixture } from '../../fixtures/node-fixture.ts'

/** Two libraries with a film each, and users of whom one, the child, sees only the second library. */
export async function household(t: Test, options: Parameters<typeof openNodeFixture>[1] = {}) {
  const node = await openNodeFixture(t, options)
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  node.mediaFiles.put('/kids/Ponyo (2008) {tmdb-12429}.mkv')
  const [films, kids] = [await node.newLibrary('/films'), await node.newLibrary('/kids')]
  for (const library of [films, kids]) await node.scan(library)
  const [brazil, ponyo] = [await node.movieNamed('Brazil'), await node.movieNamed('Ponyo')]
  const admin = await node.person({ role: 'admin' })
  const ann = await node.person()
  const child = await node.person({ libraryAccess: 'selected', libraryIds: [kids] })
  return { node, films, kids, brazil, ponyo, admin, ann, child }
}
