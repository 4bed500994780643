import sharp from 'sharp'
import t from 'tap'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { allowed, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

const FOLDER = '/films/Metropolis (1927)'

t.test(
  'images of a scanned film are found by their ids, and where they are broken a neutral one of their shape stands for them',
  async (t) => {
    const node = await openNodeFixture(t)
    node.mediaFiles.put(`${FOLDER}/Metropolis (1927).mkv`)
    for (const name of ['poster.jpg', 'fanart.jpg']) node.mediaFiles.put(`${FOLDER}/${name}`, { content: 'no image' })
    await node.scan(await node.newLibrary('/films'))
    await node.seen()
    const { card } = await node.movieNamed('Metropolis')
    for (const [id, shape] of [
      [card.poster, '320x480'],
      [card.backdrop, '320x180'],
    ] as const) {
      const by = { caller: null, signal: () => AbortSignal.timeout(60_000) }
      const image = await node.images.get(id ?? '', { width: 300, fit: 'cover', form: 'image/webp' }, by)
      if (isRefusal(image)) throw new Error(image.message)
      t.match(image, { isPublic: true, isPlaceholder: true })
      const { width, height } = await sharp(image.bytes).metadata()
      t.equal(`${width}x${height}`, shape)
    }
  },
)

t.test('a film without a poster shows a frame of the file that is there after its file was replaced', async (t) => {
  const node = await openNodeFixture(t)
  const [webm, mkv] = [`${FOLDER}/Metropolis (1927).webm`, `${FOLDER}/Metropolis (1927).mkv`]
  node.mediaFiles.put(webm)
  const libraryId = await node.newLibrary('/films')

  async function posterAfterScan() {
    await node.scan(libraryId)
    await node.seen()
    const { card } = await node.movieNamed('Metropolis')
    const image = await node.readModels.images.get(card.poster ?? '')
    return { id: card.poster, path: image?.source === 'file' ? image.path : undefined }
  }

  const first = await posterAfterScan()
  t.equal(first.path, webm)
  node.mediaFiles.remove(webm)
  node.mediaFiles.put(mkv)
  const second = await posterAfterScan()
  t.equal(second.path, mkv, 'another file in one scan')
  node.mediaFiles.put(mkv, { content: 'another cut' })
  const third = await posterAfterScan()
  t.equal(third.path, mkv)
  t.not(third.id, second.id, 'other content under the same name')
  node.mediaFiles.put(webm)
  t.strictSame(await posterAfterScan(), third, 'the new file is there while the old one still is')
  node.mediaFiles.remove(mkv)
  t.equal((await posterAfterScan()).path, webm, 'the old one goes after a scan has found the new one')
})

t.test('a still of a file below a folder that is taken out of the library gives way to one of another file', async (t) => {
  const node = await openNodeFixture(t)
  const admin = await node.person({ role: 'admin' })
  for (const root of ['/a', '/b']) node.mediaFiles.put(`${root}/Metropolis (1927).mkv`)
  const libraryId = await node.newLibrary('/a', '/b')
  await node.scan(libraryId)
  const posterPath = async () => {
    const image = await node.readModels.images.get((await node.movieNamed('Metropolis')).card.poster ?? '')
    return image?.source === 'file' ? image.path : undefined
  }
  t.equal(await posterPath(), '/a/Metropolis (1927).mkv')
  allowed(await node.libraries.change(admin.caller, libraryId, { roots: ['/b'] }, ORIGIN))
  await node.clock.settle()
  await node.seen()
  t.equal(await posterPath(), '/b/Metropolis (1927).mkv')
})
