/** Roots of a library below one another. */
import t, { type Test } from 'tap'
import { allowed, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

async function setUp(t: Test, paths: readonly string[], roots: readonly string[]) {
  const node = await openNodeFixture(t)
  const admin = await node.person({ role: 'admin' })
  for (const path of paths) node.mediaFiles.put(path)
  const libraryId = await node.newLibrary(...roots)
  t.match(await node.scan(libraryId), { state: 'completed', counts: { added: paths.length } })
  const before = (await node.events()).length
  return {
    node,
    changeRoots: async (roots: readonly string[]) => {
      allowed(await node.libraries.change(admin.caller, libraryId, { roots }, ORIGIN))
      await node.clock.settle()
      await node.seen()
    },
    movieEvents: async () => (await node.events()).slice(before).filter(({ stream }) => stream.startsWith('movie-')),
    shown: async () => {
      const found: string[] = []
      for await (const { available, details } of node.readModels.movies.walk({})) if (available) found.push(details.title)
      return found.sort()
    },
  }
}

t.test('films that another root still holds stay when a root is taken out of the library', async (t) => {
  const films = ['/films/Alien (1979).mkv', '/films/Kids/Brazil (1985).mkv', '/more/Casablanca (1942).mkv']
  for (const roots of [
    ['/films', '/films/Kids', '/more'],
    ['/films/Kids', '/films', '/more'],
  ]) {
    const { changeRoots, shown, movieEvents } = await setUp(t, films, roots)
    await changeRoots(['/films', '/more'])
    t.strictSame(await movieEvents(), [])
    await changeRoots(['/more', '/films/Kids'])
    t.strictSame(await shown(), ['Brazil', 'Casablanca'])
    await changeRoots(['/more'])
    t.strictSame(await shown(), ['Casablanca'])
  }
})

t.test('a root that is taken out during a scan leaves its films to the root around it', async (t) => {
  const { node, changeRoots, shown } = await setUp(t, ['/films/Kids/Alien (1979).mkv'], ['/films', '/films/Kids'])
  // So young that it is read at the end of the scan.
  node.mediaFiles.put('/films/Kids/Brazil (1985).mkv', { modifiedAtMs: node.clock.now() })
  const [libraryId = ''] = [...node.access.libraries.keys()]
  const admin = await node.person({ role: 'admin' })
  const { id } = allowed(await node.scans.start(admin.caller, libraryId, { mode: 'incremental', paths: null }, ORIGIN))
  await changeRoots(['/films'])
  t.match(await node.scanned(id), { state: 'completed', counts: { added: 1, missing: 0 } })
  t.strictSame(await shown(), ['Alien', 'Brazil'])
})
