import sharp from 'sharp'
import t from 'tap'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { openHouse } from '../../fixtures/house.ts'

const FOLDER = '/films/Metropolis (1927)'

t.test(
  'pictures of a scanned film are found by their ids, and where they are broken a neutral one of their shape stands for them',
  async (t) => {
    const house = await openHouse(t)
    house.films.put(`${FOLDER}/Metropolis (1927).mkv`)
    for (const name of ['poster.jpg', 'fanart.jpg']) house.films.put(`${FOLDER}/${name}`, { content: 'no picture' })
    await house.scan(await house.newLibrary('/films'))
    await house.seen()
    const { card } = await house.movieNamed('Metropolis')
    for (const [id, shape] of [
      [card.poster, '320x480'],
      [card.backdrop, '320x180'],
    ] as const) {
      const by = { caller: null, signal: () => AbortSignal.timeout(60_000) }
      const picture = await house.pictures.get(id ?? '', { width: 300, fit: 'cover', form: 'image/webp' }, by)
      if (isRefusal(picture)) throw new Error(picture.message)
      t.match(picture, { isPublic: true, isPlaceholder: true })
      const { width, height } = await sharp(picture.bytes).metadata()
      t.equal(`${width}x${height}`, shape)
    }
  },
)
