import sharp from 'sharp'
import t from 'tap'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { openNodeFixture } from '../../fixtures/node-fixture.ts'

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
