import t from 'tap'
import type { Media } from '../../../src/ports/media.ts'
import { createCluster, openNodeFixture, type Cluster } from '../../fixtures/node-fixture.ts'

const FILMS = ['/films/Alien (1979).mkv', '/films/Metropolis (1927).mkv', '/films/Nosferatu (1922).mkv']

/** The shared films, none of which has an index yet. */
function withoutIndexes({ mediaFiles }: Cluster) {
  const made: string[] = []
  const madeAtProbe: number[] = []
  const media: Media = {
    ...mediaFiles,
    parts: async () => undefined,
    hasIndex: async () => false,
    index: async (path, ...rest) => {
      made.push(path)
      return mediaFiles.index(path, ...rest)
    },
    probe: async (...asked) => {
      madeAtProbe.push(made.length)
      return mediaFiles.probe(...asked)
    },
  }
  return { media, made, madeAtProbe }
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve))
}

t.test('the films of a scan get their indexes when it has ended, and those still without one after the next scan of anybody', async (t) => {
  const cluster = createCluster()
  for (const path of FILMS) cluster.mediaFiles.put(path, {})
  const first = withoutIndexes(cluster)
  const fixture = await openNodeFixture(t, { cluster, media: first.media })
  const libraryId = await fixture.newLibrary('/films')
  t.match(await fixture.scan(libraryId), { state: 'completed' })
  await until(() => first.made.length === FILMS.length)
  t.strictSame(first.made.toSorted(), FILMS)
  t.strictSame(first.madeAtProbe, [0, 0, 0], 'the scan did not wait for them')
  await fixture.stop()

  const second = withoutIndexes(cluster)
  const next = await openNodeFixture(t, { cluster, media: second.media, node: 'two' })
  await next.seen()
  t.match(await next.scan(libraryId), { state: 'completed' })
  await until(() => second.made.length === FILMS.length)
  t.strictSame(second.made.toSorted(), FILMS, 'as after a crash')
  t.strictSame(second.madeAtProbe, [], 'though nothing was read again')
})
