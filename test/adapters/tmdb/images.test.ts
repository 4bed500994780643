import t from 'tap'
import type { TmdbFault } from '../../fakes/tmdb.ts'
import { never, openTmdb, until } from './open-tmdb.ts'

const IMAGES = {
  '/a-B_1.jpg': Buffer.from('a jpeg'),
  '/logo.png': Buffer.from('a png'),
  '/w.webp': Buffer.from('a webp'),
  '/empty.jpg': Buffer.alloc(0),
}
const shownBy = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString()

t.test('an image is fetched once, from where the server says, without the key', async (t) => {
  const { online, server, reopen } = await openTmdb(t, { images: IMAGES })
  t.equal(shownBy(await online.image('/a-B_1.jpg', never())), 'a jpeg')
  t.equal(shownBy(await online.image('/logo.png', never())), 'a png')
  t.equal(shownBy(await online.image('/w.webp', never())), 'a webp')
  t.strictSame(
    server.calls.map(({ path }) => path),
    ['/3/configuration', '/t/p/original/a-B_1.jpg', '/t/p/original/logo.png', '/t/p/original/w.webp'],
  )
  for (const { query, authorization } of server.calls.slice(1)) t.strictSame([query, authorization], [{}, undefined])
  t.equal(shownBy(await (await reopen()).image('/a-B_1.jpg', never())), 'a jpeg')
  t.equal(server.calls.length, 4)
})

t.test('an image of which only the colours count is fetched small, and not kept', async (t) => {
  const { online, server, reopen } = await openTmdb(t, { images: IMAGES, smallImages: { '/logo.png': Buffer.from('small') } })
  const asked = () => server.calls.splice(0).flatMap(({ path }) => (path.startsWith('/t/p/') ? [path] : []))
  t.equal(shownBy(await online.image('/logo.png', never(), 'small')), 'small')
  t.equal(shownBy(await online.image('/logo.png', never())), 'a png')
  t.strictSame(asked(), ['/t/p/w300/logo.png', '/t/p/original/logo.png'])
  t.equal(shownBy(await (await reopen()).image('/logo.png', never(), 'small')), 'a png', 'one that is kept whole is not fetched small')
  t.strictSame(asked(), [])
  t.equal(shownBy(await online.image('/w.webp', never(), 'small')), 'a webp', 'a server without sizes gives the whole one')
  t.strictSame(asked(), ['/t/p/w300/w.webp', '/t/p/original/w.webp'])
  t.equal(await online.image('/none.jpg', never(), 'small'), undefined)
})

t.test('what is no name of an image is never asked for', async (t) => {
  const { online, server } = await openTmdb(t)
  for (const name of [
    '',
    'a.jpg',
    '/a.svg',
    '/a.jpg?x=1',
    '/../3/account.jpg',
    '//elsewhere.example/a.jpg',
    '/a/b.jpg',
    '/a.jpg\n',
    '/ä.jpg',
    `/${'a'.repeat(101)}.jpg`,
    'https://elsewhere.example/a.jpg',
  ]) {
    t.equal(await online.image(name, never()), undefined, name)
  }
  t.equal(server.calls.length, 0)
})

t.test('an image that is not there is not asked for again on the same day', async (t) => {
  const { online, server, clock } = await openTmdb(t)
  t.equal(await online.image('/none.jpg', never()), undefined)
  t.equal(await online.image('/none.jpg', never()), undefined)
  t.equal(server.calls.length, 2)
  clock.setNow(clock.now() + 86_400_000)
  t.equal(await online.image('/none.jpg', never()), undefined)
  t.equal(server.calls.filter(({ path }) => path.startsWith('/t/p/')).length, 2)
})

t.test('what is no image is not taken for one', async (t) => {
  const faults: readonly (readonly [TmdbFault, RegExp])[] = [
    [{ type: 'html' }, /answered something else than was asked for$/],
    [{ type: 'says', json: {} }, /answered something else than was asked for$/],
    [{ type: 'redirect', to: 'http://127.0.0.1:1/a.jpg' }, /answered 302, which is not followed$/],
    [{ type: 'status', status: 403 }, /answered 403 and no image$/],
  ]
  for (const [fault, message] of faults) {
    const { online, server } = await openTmdb(t, { images: IMAGES })
    server.fault(fault, { on: /^\/t\// })
    await t.rejects(online.image('/logo.png', never()), { code: 'online-away', message }, JSON.stringify(fault))
    t.equal(server.calls.length, 2)
    server.fault()
    t.equal(shownBy(await online.image('/logo.png', never())), 'a png')
  }
  const { online } = await openTmdb(t, { images: IMAGES })
  await t.rejects(online.image('/empty.jpg', never()), { code: 'online-away' })
})

t.test('an image may have 20 MiB and no more', async (t) => {
  const most = 20 * 1024 * 1024
  const { online } = await openTmdb(t, { images: { '/most.jpg': Buffer.alloc(most), '/more.jpg': Buffer.alloc(most + 1) } })
  t.equal((await online.image('/most.jpg', never()))?.byteLength, most)
  await t.rejects(online.image('/more.jpg', never()), { code: 'online-away', message: /answered more than 20971520 bytes$/ })
})

t.test('an image is waited for half a minute', async (t) => {
  const { online, server, clock } = await openTmdb(t, { images: IMAGES })
  server.fault({ type: 'hang' }, { on: /^\/t\//, times: 1 })
  const asked = online.image('/logo.png', never())
  await until(() => server.calls.length === 2)
  await clock.advance(29_999)
  t.equal(server.open(), 1)
  await clock.advance(1)
  t.equal(shownBy(await clock.settled(asked)), 'a png')
})

t.test('images of another host than the configured one are not fetched', async (t) => {
  const elsewhere = await openTmdb(t, { images: IMAGES })
  const base = elsewhere.server.url.replace(/3$/, 't/p/')
  for (const images of [
    { base_url: base, secure_base_url: base },
    { base_url: 'http://image.tmdb.org.elsewhere.example/t/p/' },
    { base_url: 'file:///etc/' },
    { base_url: 'nowhere' },
    {},
  ]) {
    const { online, server } = await openTmdb(t, { images: IMAGES })
    server.fault({ type: 'says', json: { images } }, { on: /configuration/ })
    await t.rejects(online.image('/logo.png', never()), { code: 'online-away', message: /names no place of images that is its own$/ })
    t.equal(server.calls.length, 1)
  }
  t.equal(elsewhere.server.calls.length, 0)
})

t.test('another server may name the public host of images, which is then held to be public', async (t) => {
  const asked: string[] = []
  const lookup = async (host: string) => {
    asked.push(host)
    return ['127.0.0.1']
  }
  const { online, server } = await openTmdb(t, { more: { lookup } })
  const images = { base_url: 'http://image.tmdb.org/anything/', secure_base_url: 'https://image.tmdb.org/t/p/' }
  server.fault({ type: 'says', json: { images } }, { on: /configuration/ })
  await t.rejects(online.image('/logo.png', never()), {
    code: 'online-away',
    message: 'image.tmdb.org has an address that is not public',
  })
  t.strictSame(asked, ['image.tmdb.org'])
})

t.test('trouble with images does not hold up films, nor the other way round', async (t) => {
  const { online, server, clock } = await openTmdb(t, { images: IMAGES })
  await online.image('/a-B_1.jpg', never())
  server.fault({ type: 'status', status: 502 }, { on: /^\/3\/movie/ })
  for (const tmdb of ['1', '2']) await t.rejects(clock.settled(online.movie({ tmdb }, 'en', never())), { code: 'online-away' })
  await t.rejects(online.movie({ tmdb: '3' }, 'en', never()), { message: /did not answer lately$/ })
  t.equal(shownBy(await online.image('/logo.png', never())), 'a png')
})

t.test('a body that nobody reads is not left open', async (t) => {
  const { online, server } = await openTmdb(t)
  server.fault({ type: 'slow' }, { on: /^\/t\// })
  await t.rejects(online.image('/a.jpg', never()), { message: /answered something else than was asked for$/ })
  await until(() => server.open() === 0)
})
