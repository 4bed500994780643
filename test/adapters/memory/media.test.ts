import t from 'tap'
import { createMemoryMedia } from '../../../src/adapters/memory/media.ts'
import type { ListedFolder, Media } from '../../../src/ports/media.ts'
import { NotPlayable } from '../../../src/ports/media.ts'

const signal = new AbortController().signal

async function list(media: Media, root: string, onError: (path: string, message: string) => void = () => {}): Promise<ListedFolder[]> {
  const folders: ListedFolder[] = []
  for await (const folder of media.list(root, { signal, onError })) folders.push(folder)
  return folders
}

t.test('folders come parents first, files by name, hidden ones and those of other roots left out', async (t) => {
  const paths = [
    '/films/b/2.mkv',
    '/films/b/1.mkv',
    '/films/b-side/x.mkv',
    '/films/root.mkv',
    '/films/.x/a.mkv',
    '/films/b/.y',
    '/filmsets/z.mkv',
  ]
  const media = createMemoryMedia(Object.fromEntries(paths.map((path) => [path, {}])))
  const listed = await list(media, '/films')
  t.strictSame(
    listed.map(({ path, files }) => [path, ...files.map(({ name }) => name)]),
    [
      ['/films', 'root.mkv'],
      ['/films/b', '1.mkv', '2.mkv'],
      ['/films/b-side', 'x.mkv'],
    ],
  )
})

t.test('a moved file keeps its inode, its stamp and its fingerprint; a replaced one does not keep its fingerprint', async (t) => {
  const media = createMemoryMedia({ '/films/a.mkv': { content: 'a film' } })
  const [stamp, fingerprint] = [await media.stamp('/films/a.mkv'), (await media.fingerprint('/films/a.mkv')).current]
  media.move('/films/a.mkv', '/films/new/a.mkv')
  t.equal(await media.stamp('/films/a.mkv'), undefined)
  t.strictSame(await media.stamp('/films/new/a.mkv'), stamp)
  t.equal((await media.fingerprint('/films/new/a.mkv')).current, fingerprint)
  media.put('/films/new/a.mkv', { content: 'another film' })
  t.not((await media.fingerprint('/films/new/a.mkv')).current, fingerprint)
})

t.test('a root without files is missing and cannot be listed, unless it is declared present', async (t) => {
  const media = createMemoryMedia()
  t.strictSame(await media.health('/films'), { available: false, reason: 'missing' })
  await t.rejects(list(media, '/films'))
  media.setHealth('/films', { available: true, device: 7, empty: true })
  t.strictSame(await media.health('/films'), { available: true, device: 7, identity: '7', empty: true })
  t.strictSame(await list(media, '/films'), [])
})

t.test('a folder that cannot be read is a problem, with all below it', async (t) => {
  const media = createMemoryMedia({ '/films/a/deep/1.mkv': {}, '/films/b/2.mkv': {} })
  media.setProblem('/films/a', 'Permission denied')
  const problems: string[] = []
  const listed = await list(media, '/films', (path, message) => problems.push(`${path}: ${message}`))
  t.strictSame(
    listed.map(({ path }) => path),
    ['/films/b'],
  )
  t.strictSame(problems, ['/films/a: Permission denied'])
  media.setProblem('/films/a', '')
  t.equal((await list(media, '/films')).length, 2)
})

t.test('a probe gives a film, or says why there is none, and is counted', async (t) => {
  const media = createMemoryMedia({ '/films/a.mkv': {}, '/films/broken.mkv': { probe: 'The file is cut off' } })
  t.ok((await media.probe('/films/a.mkv', signal)).durationMs > 0)
  t.ok((await media.index('/films/a.mkv', 'x', signal)).keyframesMs.length > 0)
  await t.rejects(media.probe('/films/broken.mkv', signal), { message: 'The file is cut off' })
  await t.rejects(media.probe('/films/away.mkv', signal), NotPlayable)
  t.strictSame(
    [...media.probes],
    [
      ['/films/a.mkv', 1],
      ['/films/broken.mkv', 1],
    ],
  )
})

t.test('small files are read whole, larger ones and missing ones not', async (t) => {
  const media = createMemoryMedia({ '/films/movie.nfo': { content: '<movie/>' } })
  t.equal(new TextDecoder().decode(await media.readSmall('/films/movie.nfo', 8)), '<movie/>')
  t.equal(await media.readSmall('/films/movie.nfo', 7), undefined)
  t.equal(await media.readSmall('/films/away.nfo', 7), undefined)
})
