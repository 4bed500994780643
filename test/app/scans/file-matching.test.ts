/** Assignment of files to movies, in cases that are easily got wrong. */
import t, { type Test } from 'tap'
import type { MemoryFile } from '../../../src/adapters/memory/media.ts'
import { allowed, openNodeFixture } from '../../fixtures/node-fixture.ts'
import { scannedFilms } from '../../fixtures/scanned-films.ts'

t.test('two files of the same size and time that have swapped places are still distinguished', async (t) => {
  const { node, scan, movies } = await scannedFilms(t, {
    '/films/A (2001).mkv': { content: 'aaaa' },
    '/films/B (2002).mkv': { content: 'bbbb' },
  })
  const [a, b] = await movies()
  node.mediaFiles.move('/films/A (2001).mkv', '/films/aside')
  node.mediaFiles.move('/films/B (2002).mkv', '/films/A (2001).mkv')
  node.mediaFiles.move('/films/aside', '/films/B (2002).mkv')
  t.match(await scan(), { counts: { moved: 2, missing: 0, added: 0 } })
  t.strictSame(
    (await movies()).map(({ id, there }) => [id, ...there]),
    [
      [b?.id, 'A (2001).mkv'],
      [a?.id, 'B (2002).mkv'],
    ],
  )
})

t.test('a file that was moved, and one that is new in its place, are two', async (t) => {
  for (const first of ['A (2001)', 'Z (2001)']) {
    const { node, scan, movies } = await scannedFilms(t, { [`/films/${first}.mkv`]: { content: 'old' } })
    const [before] = await movies()
    node.mediaFiles.move(`/films/${first}.mkv`, '/films/M (2010).mkv')
    node.mediaFiles.put(`/films/${first}.mkv`, { content: 'another film' })
    t.match(await scan(), { counts: { moved: 1, added: 1, missing: 0 } }, first)
    t.strictSame((await movies()).find(({ id }) => id === before?.id)?.there, ['M (2010).mkv'])
  }
})

t.test('a file that is moved over another one: its movie goes on, the other one is missing', async (t) => {
  const { node, scan, movies } = await scannedFilms(t, { '/films/A (2001).mkv': {}, '/films/B (2002).mkv': {} })
  const [a, b] = await movies()
  node.mediaFiles.move('/films/B (2002).mkv', '/films/A (2001).mkv')
  t.match(await scan(), { counts: { moved: 1, missing: 1, added: 0 } })
  const after = await movies()
  t.strictSame(after.find(({ id }) => id === b?.id)?.there, ['A (2001).mkv'])
  t.strictSame(after.find(({ id }) => id === a?.id)?.there, [])
})

/** Two movies with the same content. */
const TWINS = { '/films/A (2001).mkv': { content: 'same' }, '/films/B (2002).mkv': { content: 'same' } }

t.test('of two movies with the same content, the one whose file was moved goes on, not the one whose file was deleted', async (t) => {
  const { node, scan, movies } = await scannedFilms(t, TWINS)
  const [a, b] = await movies()
  node.mediaFiles.move('/films/B (2002).mkv', '/films/C (2003).mkv')
  node.mediaFiles.remove('/films/A (2001).mkv')
  t.match(await scan(), { counts: { moved: 1, missing: 1, added: 0 } })
  const after = await movies()
  t.strictSame(after.find(({ id }) => id === b?.id)?.there, ['C (2003).mkv'])
  t.strictSame(after.find(({ id }) => id === a?.id)?.there, [])
})

t.test('of two movies with the same content, the one of the same file name goes on in a folder that was copied', async (t) => {
  const { node, scan, movies } = await scannedFilms(t, TWINS)
  const [a, b] = await movies()
  for (const path of Object.keys(TWINS)) node.mediaFiles.remove(path)
  node.mediaFiles.put('/films/copied/B (2002).mkv', { content: 'same' })
  t.match(await scan(), { counts: { moved: 1, missing: 1, added: 0 } })
  const after = await movies()
  t.strictSame(after.find(({ id }) => id === b?.id)?.there, ['copied/B (2002).mkv'])
  t.strictSame(after.find(({ id }) => id === a?.id)?.there, [])
})

t.test('a file that is only touched is the same, and its copy under another title is another movie', async (t) => {
  const { node, scan, movies } = await scannedFilms(t, { '/films/B (2002).mkv': { content: 'b' } })
  const [b] = await movies()
  node.mediaFiles.put('/films/B (2002).mkv', { content: 'b', modifiedAtMs: 1_768_000_000_000 - 900_000_000 })
  node.mediaFiles.put('/films/A (2001).mkv', { content: 'b' })
  t.match(await scan(), { counts: { added: 1, moved: 0, missing: 0 } })
  t.strictSame((await movies()).find(({ id }) => id === b?.id)?.there, ['B (2002).mkv'])
  t.equal(node.mediaFiles.probes.get('/films/B (2002).mkv'), 1, 'content that is known is not probed again')
  t.equal(node.mediaFiles.probes.get('/films/A (2001).mkv'), undefined)
})

const LATER_MS = 1_767_100_000_000

t.test('a download that was completed in place is another content of the same movie', async (t) => {
  const { node, scan, movies } = await scannedFilms(t, { '/films/A (2001).mkv': { content: 'edges\nzeros' } })
  const before = await movies()
  const [file] = await node.readModels.filesOf(await node.movieNamed('A'))
  node.mediaFiles.put('/films/A (2001).mkv', { content: 'edges\nfilms', modifiedAtMs: LATER_MS })
  t.match(await scan(), { counts: { updated: 1, added: 0, missing: 0 } })
  t.strictSame(await movies(), before)
  const [now] = await node.readModels.filesOf(await node.movieNamed('A'))
  t.equal(now?.id, file?.id)
  t.not(now?.fingerprint, file?.fingerprint)
  t.equal(node.mediaFiles.probes.get('/films/A (2001).mkv'), 2)
})

/** Films that an earlier version has scanned. */
async function setUpFormer(t: Test, films: Readonly<Record<string, MemoryFile>>) {
  const node = await openNodeFixture(t)
  for (const [path, file] of Object.entries(films)) node.mediaFiles.put(path, file)
  const libraryId = await node.newLibrary('/films')
  const fingerprint = node.mediaFiles.fingerprint.bind(node.mediaFiles)
  const media = node.mediaFiles as { fingerprint: typeof fingerprint }
  media.fingerprint = async (path) => {
    const { former } = await fingerprint(path)
    return { current: former, former }
  }
  await node.scan(libraryId)
  media.fingerprint = fingerprint
  async function fingerprints(): Promise<readonly string[]> {
    const found: string[] = []
    for await (const { fingerprint } of node.readModels.files.walk({})) found.push(fingerprint)
    return found.toSorted()
  }
  return { node, scan: (request: Parameters<typeof node.scan>[1] = {}) => node.scan(libraryId, request), fingerprints }
}

t.test('films that an earlier version has scanned keep their fingerprint when they are touched, moved or swapped', async (t) => {
  const { node, scan, fingerprints } = await setUpFormer(t, {
    '/films/A (2001).mkv': { content: 'a' },
    '/films/B (2002).mkv': { content: 'b' },
  })
  const before = await fingerprints()
  node.mediaFiles.put('/films/A (2001).mkv', { content: 'a', modifiedAtMs: LATER_MS })
  t.match(await scan(), { counts: { added: 0, missing: 0 } })
  t.equal(node.mediaFiles.probes.get('/films/A (2001).mkv'), 1)
  node.mediaFiles.move('/films/A (2001).mkv', '/films/there/A (2001).mkv')
  t.match(await scan(), { counts: { moved: 1, added: 0, missing: 0 } })
  t.strictSame(await fingerprints(), before)
  for (const mode of ['incremental', 'full'] as const) {
    node.mediaFiles.move('/films/there/A (2001).mkv', '/films/aside')
    node.mediaFiles.move('/films/B (2002).mkv', '/films/there/A (2001).mkv')
    node.mediaFiles.move('/films/aside', '/films/B (2002).mkv')
    t.match(await scan({ mode }), { counts: { moved: 2, missing: 0, added: 0 } }, mode)
    t.strictSame(await fingerprints(), before, mode)
  }
})

t.test('a full scan reads again what was written since an earlier version has scanned it, if only its middle may differ', async (t) => {
  const { node, scan, fingerprints } = await setUpFormer(t, { '/films/A (2001).mkv': { content: 'edges\nzeros' } })
  const before = await fingerprints()
  t.match(await scan({ mode: 'full' }), { counts: { unchanged: 1 } })
  t.strictSame(await fingerprints(), before, 'it was not written')
  node.mediaFiles.put('/films/A (2001).mkv', { content: 'edges\nfilms', modifiedAtMs: LATER_MS })
  t.match(await scan({ mode: 'full' }), { counts: { updated: 1, added: 0, missing: 0 } })
  t.not((await fingerprints())[0], before[0])
})

t.test('a version that is renamed to another title leaves the movie where another one stays', async (t) => {
  const { node, scan, movies } = await scannedFilms(t, { '/films/A (2001) - HD.mkv': {}, '/films/A (2001) - 4K.mkv': {} })
  const [a] = await movies()
  t.equal((await movies()).length, 1)
  node.mediaFiles.move('/films/A (2001) - 4K.mkv', '/films/B (2002).mkv')
  t.match(await scan(), { counts: { added: 1, missing: 1 } })
  const [first, second] = await movies()
  t.match(first, { id: a?.id, title: 'A', there: ['A (2001) - HD.mkv'] })
  t.match(second, { title: 'B', there: ['B (2002).mkv'] })
})

t.test('all versions of a movie that are renamed together stay one movie, and the same', async (t) => {
  const { node, scan, movies } = await scannedFilms(t, { '/films/A (2001)/A HD.mkv': {}, '/films/A (2001)/A 4K.mkv': {} })
  const [a] = await movies()
  for (const name of ['HD', '4K']) node.mediaFiles.move(`/films/A (2001)/A ${name}.mkv`, `/films/B (2002)/B ${name}.mkv`)
  t.match(await scan(), { counts: { moved: 2, added: 0, missing: 0 } })
  t.match(await movies(), [{ id: a?.id, title: 'B', there: ['B (2002)/B 4K.mkv', 'B (2002)/B HD.mkv'] }])
})

t.test('a file that is replaced by one that cannot be played is missing, and back when it can', async (t) => {
  const { node, scan, movies } = await scannedFilms(t, { '/films/A (2001).mkv': {} })
  const [a] = await movies()
  node.mediaFiles.put('/films/A (2001).mkv', { content: 'half a file', probe: 'It is damaged' })
  t.match(await scan(), { counts: { missing: 1, errors: 1 }, errors: [{ file: 'A (2001).mkv', message: 'It is damaged' }] })
  t.match(await movies(), [{ id: a?.id, there: [] }])
  node.mediaFiles.put('/films/A (2001).mkv', { content: 'a whole file' })
  t.match(await scan(), { counts: { restored: 1, added: 0, errors: 0 } })
  t.match(await movies(), [{ id: a?.id, there: ['A (2001).mkv'] }])
})

t.test('a film that cannot be probed just now, but has not changed, stays', async (t) => {
  const { node, scan, movies } = await scannedFilms(t, { '/films/A (2001).mkv': { content: 'a' } })
  node.mediaFiles.put('/films/A (2001).mkv', { content: 'a', probe: 'It takes too long' })
  t.match(await scan({ mode: 'full' }), { counts: { missing: 0, errors: 1 } })
  t.match(await movies(), [{ there: ['A (2001).mkv'] }])
})

t.test(
  'a file that goes on being written is left to the next scan although its size stays, as of one that was reserved at once',
  async (t) => {
    const { node, libraryId, movies } = await scannedFilms(t, { '/films/A (2001).mkv': { content: 'a' } })
    const write = () => node.mediaFiles.put('/films/B (2002).mkv', { content: 'b', sizeBytes: 9e9, modifiedAtMs: node.clock.now() })
    write()
    const asked = { mode: 'incremental', paths: null, trigger: 'start', startedBy: null } as const
    const scanId = allowed(await node.scans.request(libraryId, asked, { actor: 'system', command: 'test' }))
    for (let n = 0; n < 80; n++) {
      write()
      await node.clock.advance(100)
    }
    const errors = [{ file: 'B (2002).mkv', message: 'It is still being written' }]
    t.match(await node.scanned(scanId), { state: 'completed', counts: { added: 0, errors: 1 }, errors })
    t.match(await movies(), [{ title: 'A' }])
  },
)

t.test('a file that goes on growing is left to the next scan, and what is known of it stays', async (t) => {
  const { node, libraryId, scan, movies } = await scannedFilms(t, { '/films/A (2001).mkv': { content: 'a' } })
  const grow = (text: string): void => {
    for (const name of ['A (2001)', 'B (2002)'])
      node.mediaFiles.put(`/films/${name}.mkv`, { content: text, modifiedAtMs: node.clock.now() })
  }
  grow('x')
  const asked = { mode: 'incremental', paths: null, trigger: 'start', startedBy: null } as const
  const scanId = allowed(await node.scans.request(libraryId, asked, { actor: 'system', command: 'test' }))
  for (let n = 0; n < 80; n++) {
    grow('x'.repeat(n))
    await node.clock.advance(100)
  }
  t.match(await node.scanned(scanId), { state: 'completed', counts: { added: 0, missing: 0, errors: 2 } })
  t.match(await movies(), [{ title: 'A', there: ['A (2001).mkv'] }])
  node.clock.setNow(node.clock.now() + 60_000)
  t.match(await scan(), { counts: { added: 1, updated: 1, errors: 0 } })
})

const nfo = (title: string) => ({ content: `<movie><title>${title}</title><year>2001</year></movie>` })

t.test('a version whose new .nfo says that it is another film leaves its movie', async (t) => {
  const { node, scan, movies } = await scannedFilms(t, {
    '/films/A (2001).mkv': { content: 'a' },
    '/films/other/A (2001).mkv': { content: 'b' },
  })
  const [joined, ...others] = await movies()
  t.strictSame([joined?.there, others], [['A (2001).mkv', 'other/A (2001).mkv'], []])
  node.mediaFiles.put('/films/other/A (2001).nfo', nfo('B'))
  t.match(await scan(), { counts: { added: 1, missing: 1, unchanged: 1 } })
  const parted = await movies()
  t.match(parted, [
    { id: joined?.id, title: 'A', there: ['A (2001).mkv'] },
    { title: 'B', there: ['other/A (2001).mkv'] },
  ])
  t.match(await scan({ mode: 'full' }), { counts: { unchanged: 2, added: 0, missing: 0 } })
  t.strictSame(await movies(), parted)
})

t.test('versions that get .nfo files of the same film stay together', async (t) => {
  const { node, scan, movies } = await scannedFilms(t, {
    '/films/A (2001).mkv': { content: 'a' },
    '/films/other/A (2001).mkv': { content: 'b' },
  })
  const [joined] = await movies()
  node.mediaFiles.put('/films/A (2001).nfo', nfo('The A'))
  node.mediaFiles.put('/films/other/A (2001).nfo', nfo('The A'))
  t.match(await scan(), { counts: { added: 0, missing: 0, updated: 2 } })
  t.match(await movies(), [{ id: joined?.id, title: 'The A', there: joined?.there }])
})

t.test('two films that were taken for one leave each other when each gets its own .nfo', async (t) => {
  const { node, scan, movies } = await scannedFilms(t, {
    '/films/A (2001).mkv': { content: 'a' },
    '/films/other/A (2001).mkv': { content: 'b' },
  })
  node.mediaFiles.put('/films/A (2001).nfo', nfo('X'))
  node.mediaFiles.put('/films/other/A (2001).nfo', nfo('Y'))
  await scan()
  t.match(await movies(), [
    { title: 'X', there: ['A (2001).mkv'] },
    { title: 'Y', there: ['other/A (2001).mkv'] },
  ])
})
