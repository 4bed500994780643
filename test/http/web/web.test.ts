import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { startServer } from '../http-server.ts'
import { ASSETS, webFolder } from './web-folder.ts'

async function start(t: Test) {
  const folder = await webFolder(t)
  return { folder, server: await startServer(t, { config: { webFolder: folder.path } }) }
}

const [SCRIPT = ''] = Object.keys(ASSETS)

t.test('a page is the shell, with its scripts and its policy, and is asked for again each time', async (t) => {
  const { server } = await start(t)
  const { status, headers, text } = await server.anon('GET', '/sign-in')
  t.equal(status, 200)
  t.match(headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', etag: /^W\/"/, vary: /Accept-Encoding/ })
  t.match(headers['content-security-policy'], /script-src 'self'; style-src 'self' 'sha256-of the style'/)
  t.match(text, '<script type="module" src="/assets/main-AAAAAAAA.js">')
  t.match(text, '<link rel="stylesheet" href="/assets/main-DDDDDDDD.css">')
  t.match(text, 'data-build="first"')
})

t.test('only signed-in callers get hints to load the first answer and the code of the page', async (t) => {
  const { server } = await start(t)
  const preload = { rel: 'rel=preload; as=fetch; crossorigin', code: '<link rel="modulepreload" href="/assets/home-BBBBBBBB.js">' }
  const signedIn = await server.ask('GET', '/')
  t.equal(signedIn.headers['link'], `</v1/home?limit=12>; ${preload.rel}`)
  t.match(signedIn.text, preload.code)
  t.match(signedIn.text, /<html[^>]* data-user/)
  const nobody = await server.anon('GET', '/')
  t.equal(nobody.headers['link'], undefined)
  t.notMatch(nobody.text, preload.code)
  t.notMatch(nobody.text, 'data-user')
  t.match(nobody.headers['vary'], /Cookie/)
})

t.test('the first answer of a film page is that of its film, whatever its address says', async (t) => {
  const { server } = await start(t)
  const link = async (path: string) => (await server.ask('GET', path)).headers['link']
  t.equal(await link('/films/abcdefghijklmnopqrstu'), '</v1/movies/abcdefghijklmnopqrstu>; rel=preload; as=fetch; crossorigin')
  t.equal(await link('/films/%3E%3B%20rel%3Dx%0D%0Ax'), '</v1/movies/%3E%3B%20rel%3Dx%0D%0Ax>; rel=preload; as=fetch; crossorigin')
})

t.test('a page that a browser has is not sent again, until there is another build', async (t) => {
  const { server, folder } = await start(t)
  const etag = (await server.anon('GET', '/sign-in')).headers['etag'] ?? ''
  const again = await server.anon('GET', '/sign-in', { headers: { 'if-none-match': etag } })
  t.match(again, { status: 304, text: '' })
  t.match(again.headers, { etag, 'cache-control': 'no-cache' })
  await folder.build('second')
  const after = await server.anon('GET', '/sign-in', { headers: { 'if-none-match': etag } })
  t.match(after, { status: 200, text: /data-build="second"/ })
})

t.test('a page of one caller is another entity than that of another', async (t) => {
  const { server } = await start(t)
  const tag = async (headers: Readonly<Record<string, string>>) => (await server.anon('GET', '/', { headers })).headers['etag']
  const tags = [
    await tag({}),
    await tag({ cookie: 'theme=dark' }),
    await tag({ cookie: 'theme=light' }),
    (await server.ask('GET', '/')).headers['etag'],
  ]
  t.equal(new Set(tags).size, tags.length)
})

t.test('the theme of the browser is in the first frame, and nothing else that a cookie says', async (t) => {
  const { server } = await start(t)
  const page = async (cookie: string) => (await server.anon('GET', '/', { headers: { cookie } })).text
  t.match(await page('theme=dark'), ' data-theme="dark"')
  t.match(await page('theme=light'), ' data-theme="light"')
  t.notMatch(await page('theme="><script>'), 'data-theme')
  t.notMatch(await page('theme=system'), 'data-theme')
})

t.test('the frame of the browser has the colour of the chosen theme, or of the system', async (t) => {
  const { server } = await start(t)
  const page = async (cookie: string) => (await server.anon('GET', '/', { headers: { cookie } })).text
  t.match(await page(''), '<meta media="(prefers-color-scheme: dark)"><meta media="(prefers-color-scheme: light)">')
  t.match(await page('theme=dark'), '<meta media="all"><meta media="not all">')
  t.match(await page('theme=light'), '<meta media="not all"><meta media="all">')
})

t.test('the manifest of the app has an address that stays, and is asked for again each time', async (t) => {
  const { server, folder } = await start(t)
  const { status, headers, text } = await server.anon('GET', '/manifest.webmanifest')
  t.match([status, headers['content-type'], headers['cache-control']], [200, 'application/manifest+json', 'no-cache'])
  t.match(JSON.parse(text), { name: 'Marquee', description: 'Of the build first.' })
  const again = { headers: { 'if-none-match': headers['etag'] ?? '' } }
  t.match(await server.anon('GET', '/manifest.webmanifest', again), { status: 304, text: '' })
  await folder.build('second')
  t.match(await server.anon('GET', '/manifest.webmanifest', again), { status: 200, text: /build second/ })
  await folder.fail()
  t.equal((await server.anon('GET', '/manifest.webmanifest')).status, 404)
  await folder.build('third')
  t.match((await server.anon('GET', '/assets/icon-512-EEEEEEEE.png')).headers, { 'content-type': 'image/png' })
})

t.test('a file is kept for good, and sent in the best coding that the browser takes', async (t) => {
  const { server } = await start(t)
  const get = (accepted: string) => server.anon('GET', `/assets/${SCRIPT}`, { headers: { 'accept-encoding': accepted } })
  const text = ASSETS[SCRIPT]
  const plain = await get('identity')
  t.equal(plain.text, text)
  t.match(plain.headers, {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    vary: /Accept-Encoding/,
  })
  t.equal(plain.headers['content-encoding'], undefined)
  const br = await get('gzip, deflate, br')
  t.equal(br.headers['content-encoding'], 'br')
  t.equal(brotliDecompressSync(br.bytes).toString(), text)
  const gzip = await get('gzip;q=0.5, br;q=0')
  t.equal(gzip.headers['content-encoding'], 'gzip')
  t.equal(gunzipSync(gzip.bytes).toString(), text)
})

t.test('pages are sent in each coding, too', async (t) => {
  const { server } = await start(t)
  const get = (accepted: string) => server.anon('GET', '/sign-in', { headers: { 'accept-encoding': accepted } })
  const plain = await get('identity')
  t.equal(brotliDecompressSync((await get('br')).bytes).toString(), plain.text)
  t.equal(gunzipSync((await get('gzip')).bytes).toString(), plain.text)
})

t.test('a file that is not of the build is 404 as JSON, never the page', async (t) => {
  const { server } = await start(t)
  for (const name of ['main-ZZZZZZZZ.js', `${SCRIPT}.br`, 'manifest.json', '..%2Fmanifest.json', '%2e%2e%2fmanifest.json']) {
    const { status, headers, text } = await server.anon('GET', `/assets/${name}`)
    t.equal(status, 404, name)
    t.match(headers['content-type'], /json/)
    t.notMatch(text, '<html')
    t.notMatch(headers['cache-control'], /immutable/)
  }
  t.match(await server.anon('GET', '/no-such-page'), { status: 404, headers: { 'content-type': /json/ } })
})

t.test('HEAD gives the headers alone, of pages and files', async (t) => {
  const { server } = await start(t)
  for (const path of ['/', '/sign-in', `/assets/${SCRIPT}`]) {
    const get = await server.anon('GET', path)
    const head = await server.anon('HEAD', path)
    t.equal(head.status, 200)
    t.equal(head.text, '')
    for (const name of ['content-type', 'cache-control', 'etag', 'vary', 'content-length'])
      t.equal(head.headers[name], get.headers[name], name)
  }
})

t.test('without a build the page says how to mend it, while the API goes on', async (t) => {
  const { server, folder } = await start(t)
  await folder.fail()
  const broken = await server.anon('GET', '/')
  t.equal(broken.status, 503)
  t.match(broken.headers, { 'content-type': 'text/html; charset=utf-8', 'retry-after': '5' })
  t.match(broken.text, /npm run web/)
  t.equal((await server.ask('GET', '/v1/libraries')).status, 200)
  t.equal((await server.anon('GET', '/healthz')).status, 200)
  t.equal((await server.anon('GET', `/assets/${SCRIPT}`)).status, 404)
  await folder.build('mended')
  t.match(await server.anon('GET', '/'), { status: 200, text: /data-build="mended"/ })
})

t.test('a build whose files are gone counts as none, and the log reports it', async (t) => {
  const folder = await webFolder(t)
  await rm(join(folder.path, 'assets', `${SCRIPT}.br`))
  const server = await startServer(t, { config: { webFolder: folder.path } })
  t.match(await server.anon('GET', '/'), { status: 503, text: /npm run web/ })
  t.match(server.lines.join(''), /The web client could not be read/)
  t.equal((await server.ask('GET', '/v1/libraries')).status, 200)
  await folder.build('whole')
  t.equal((await server.anon('GET', '/')).status, 200)
})

t.test('a server that is started without a build reports that, too, and accepts a later build', async (t) => {
  const folder = await webFolder(t)
  await folder.fail()
  const server = await startServer(t, { config: { webFolder: folder.path } })
  t.match(await server.anon('GET', '/'), { status: 503, text: /npm run web/ })
  await folder.build('later')
  t.match(await server.anon('GET', '/'), { status: 200, text: /data-build="later"/ })
})

t.test('a server that is started without a build serves every page once there is one, and nothing else', async (t) => {
  const folder = await webFolder(t)
  await folder.fail()
  const server = await startServer(t, { config: { webFolder: folder.path } })
  const html = { headers: { accept: 'text/html,*/*' } }
  for (const path of ['/', '/sign-in', '/films/abcdefghijklmnopqrstu'])
    t.match(await server.anon('GET', path, html), { status: 503, text: /npm run web/ }, path)
  for (const path of ['/api/nothing', '/assets/nothing.js']) t.equal((await server.anon('GET', path, html)).status, 404, path)
  for (const method of ['GET', 'POST'] as const) {
    t.equal((await server.anon(method, '/v1/nothing', html)).status, 401, `${method} of the API, by nobody`)
    t.equal((await server.ask(method, '/v1/nothing', html)).status, 404, `${method} of the API, by a user`)
  }
  t.equal((await server.anon('GET', '/sign-in')).status, 404)
  await folder.build('later')
  t.match(await server.anon('GET', '/sign-in'), { status: 200, text: /data-build="later"/ })
  const film = await server.ask('GET', '/films/abcdefghijklmnopqrstu?x=1')
  t.equal(film.headers['link'], '</v1/movies/abcdefghijklmnopqrstu>; rel=preload; as=fetch; crossorigin')
  for (const path of ['/nothing', '/films/', '/films/a/b']) t.equal((await server.anon('GET', path, html)).status, 404, path)
})

t.test('pages are served without a login and outside of all limits', async (t) => {
  const folder = await webFolder(t)
  const server = await startServer(t, { config: { webFolder: folder.path, rateLimit: 2 } })
  for (let time = 0; time < 10; time++) {
    t.equal((await server.ask('GET', '/')).status, 200)
    t.equal((await server.anon('GET', `/assets/${SCRIPT}`)).status, 200)
  }
  t.equal((await server.ask('GET', '/v1/libraries')).status, 200)
})
