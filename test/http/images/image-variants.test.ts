import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createDiskImageStore } from '../../../src/adapters/filesystem/image-store.ts'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { createSharpImageMaker } from '../../../src/adapters/sharp/sharp-image-maker.ts'
import type { Access } from '../../../src/app/access/access.ts'
import type { ReadModels } from '../../../src/app/read-models/read-models.ts'
import { createImages } from '../../../src/app/images/images.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import { badImages, jpeg } from '../../fixtures/images.ts'
import { idOf, library, movie } from '../../fixtures/samples.ts'
import { serverOf, type Test } from '../http-server.ts'
import { addImageRoutes } from '../../../src/http/images/images-routes.ts'
import { createFakeServer } from '../../fixtures/fake-services/server.ts'
import { createFakeImages } from '../../fixtures/fake-services/images.ts'

const startServer = serverOf(addImageRoutes, () => ({ ...createFakeServer(), ...createFakeImages() }))

/** A logo in a translucent colour. */
const glass = await sharp({ create: { width: 800, height: 310, channels: 4, background: '#ffffff80' } })
  .png()
  .toBuffer()
const bad = await badImages()
const files = {
  poster: await jpeg(1000, 1500),
  logo: glass,
  half: bad['half a JPEG'] ?? Buffer.alloc(0),
  bomb: bad['a PNG of 144 million pixels in 150 kB'] ?? Buffer.alloc(0),
}
const urlOf = (name: keyof typeof files) => `/api/images/${idOf(name)}`
const CHROME = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

const image = (id: string, folder: string) => ({
  source: 'file',
  kind: id === idOf('bomb') ? 'backdrop' : 'poster',
  id,
  movieId: movie.id,
  path: join(folder, id.replace(/0+$/, '')),
})

/** A server over real images in a folder, with its cache in another one. */
async function serverOn(t: Test, folder: string) {
  for (const [name, bytes] of Object.entries(files)) if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), bytes)
  const clock = createTestClock()
  const cache = join(folder, 'cache')
  mkdirSync(cache, { recursive: true })
  const maker = createSharpImageMaker()
  let made = 0
  const store = createDiskImageStore({ clock, folder: cache, budgetBytes: 1e9, freeBytes: async () => 100e9, onError: () => {} })
  const images = createImages({
    clock,
    access: { libraries: new Map([[library.id, library]]), library: () => library } as unknown as Access,
    readModels: {
      images: { get: async (id: string) => image(id, folder) },
      movies: { get: async () => movie, getPart: async () => movie },
      filesOf: async () => [],
    } as unknown as ReadModels,
    media: createMedia({ start: mediaFfmpeg('ffmpeg'), clock, indexFolder: '/nowhere' }),
    stills: { still: async () => undefined },
    maker: { ...maker, make: (...args) => (made++, maker.make(...args)) },
    store,
  })
  const server = await startServer(t, { services: (services) => ({ ...services, images }) })
  return { ...server, made: () => made, close: () => store.close() }
}

t.test('what is asked for decides size and form', async (t) => {
  const server = await serverOn(t, t.testdir())
  for (const [name, query, accept, expected] of [
    ['poster', '', '*/*', { type: 'image/jpeg', size: '1000x1500' }],
    ['poster', '', CHROME, { type: 'image/webp', size: '1000x1500' }],
    ['poster', '?w=1', '', { type: 'image/jpeg', size: '96x144' }],
    ['poster', '?w=300', CHROME, { type: 'image/webp', size: '320x480' }],
    ['poster', '?h=300', CHROME, { type: 'image/webp', size: '213x320' }],
    ['poster', '?w=300&h=450', 'image/webp;q=0, */*', { type: 'image/jpeg', size: '320x480' }],
    ['poster', '?w=300&h=450&format=png', CHROME, { type: 'image/png', size: '320x480' }],
    ['poster', '?w=300&h=300', CHROME, { type: 'image/webp', size: '320x320' }],
    ['poster', '?w=300&h=300&fit=contain', CHROME, { type: 'image/webp', size: '213x320' }],
    ['poster', '?w=1280&h=720', CHROME, { type: 'image/webp', size: '1000x563' }],
    ['poster', '?w=3840&h=3840&fit=contain', CHROME, { type: 'image/webp', size: '1000x1500' }],
    ['poster', '?format=jpeg&q=1', CHROME, { type: 'image/jpeg', size: '1000x1500' }],
    ['logo', '?w=400', '*/*', { type: 'image/png', size: '480x186' }],
    ['logo', '?w=400', 'image/webp', { type: 'image/webp', size: '480x186' }],
    ['logo', '?w=400&format=jpeg', '*/*', { type: 'image/jpeg', size: '480x186' }],
    ['half', '?w=300&h=450', CHROME, { type: 'image/webp', size: '320x480' }],
    ['half', '?w=300', CHROME, { type: 'image/webp', size: '320x480' }],
    ['bomb', '?w=300', CHROME, { type: 'image/webp', size: '320x180' }],
    ['half', '?w=640&h=360', '*/*', { type: 'image/jpeg', size: '640x360' }],
  ] as const) {
    const what = `${name}${query} for ${accept}`
    const res = await server.anon('GET', urlOf(name) + query, { headers: { accept } })
    t.match(res, { status: 200, headers: { 'content-type': expected.type, 'content-length': String(res.bytes.length) } }, what)
    const { width, height, format } = await sharp(res.bytes).metadata()
    t.equal(`${width}x${height} image/${format}`, `${expected.size} ${expected.type}`, what)
    t.equal(res.headers['vary']?.split(', ').includes('Accept') ?? false, !query.includes('format'), `Vary of ${what}`)
  }
})

t.test('the tag is that of the variant, and opens it without its bytes', async (t) => {
  const server = await serverOn(t, t.testdir())
  const tags = new Map<string, string>()
  for (const query of ['?w=300', '?w=310', '?w=320', '?w=600', '?w=300&q=40', '?w=300&format=jpeg', '?w=300&v=1']) {
    const res = await server.anon('GET', urlOf('poster') + query, { headers: { accept: CHROME } })
    tags.set(query, res.headers['etag'] ?? '')
    const again = await server.anon('GET', urlOf('poster') + query, {
      headers: { accept: CHROME, 'if-none-match': res.headers['etag'] ?? '' },
    })
    t.match(
      again,
      { status: 304, text: '', headers: { etag: res.headers['etag'], vary: query.includes('format') ? undefined : /Accept/ } },
      query,
    )
  }
  const of = (query: string) => tags.get(query)
  t.match(of('?w=300'), /^"[\w-]{22}"$/)
  t.strictSame([of('?w=310'), of('?w=320'), of('?w=300&v=1')], [of('?w=300'), of('?w=300'), of('?w=300')])
  t.equal(new Set(tags.values()).size, 4)
})

t.test('two who race for a variant have it made once, and a restart keeps it', async (t) => {
  const folder = t.testdir()
  const before = await serverOn(t, folder)
  const answers = await Promise.all(Array.from({ length: 20 }, () => before.anon('GET', `${urlOf('poster')}?w=300`)))
  t.equal(new Set(answers.map(({ headers }) => headers['etag'])).size, 1)
  t.equal(before.made(), 1)
  await before.close()
  const after = await serverOn(t, folder)
  t.equal((await after.anon('GET', `${urlOf('poster')}?w=300`)).headers['etag'], answers[0]?.headers['etag'])
  t.equal(after.made(), 0)
  await after.close()
})

t.test('a broken or hostile image is 200 with a neutral one, which is kept for a minute only', async (t) => {
  const server = await serverOn(t, t.testdir())
  for (const name of ['half', 'bomb'] as const) {
    const res = await server.anon('GET', `${urlOf(name)}?w=300&v=7`)
    t.match(res, { status: 200, headers: { 'content-type': 'image/jpeg', 'cache-control': 'public, max-age=60', etag: /^"/ } }, name)
    t.equal((await server.anon('GET', `${urlOf(name)}?w=300`, { headers: { 'if-none-match': res.headers['etag'] ?? '' } })).status, 304)
  }
})
