import t, { type Test } from 'tap'
import { ADMIN } from '../../system/whole/server-process.ts'
import { launchBrowser, makeUser, needsBrowser, quiet, signInAt, visit, type Account } from './browser-fixture.ts'
import { recentMovies, startMoviesServer } from './movies-server.ts'

/** In the query or fragment of an address. The page and the operations of access tokens have the word in their paths. */
const TOKEN_MEMBER = /[?#].*token/i
const ADMIN_ROUTES = /\/v1\/(admin|users\b(?!\/me)|audit)|scope=all/
const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 200 })
  const [film = ''] = await recentMovies(server.api)
  const { json } = await server.api.send('GET', `/v1/movies/${film}/credits`)
  const [actor] = (json as unknown as { cast: { personId: string }[] }).cast
  const PATHS = ['/', '/films?sort=year&watched=false', `/films/${film}`, `/people/${actor?.personId}`, '/search?q=night', '/watchlist']
  const MORE = [
    '/collections',
    '/settings',
    '/settings/playback',
    '/settings/look',
    '/settings/logins',
    '/settings/second-factor',
    '/settings/tokens',
    '/settings/data',
    '/now',
    '/more',
  ]
  const PAST = ['/history', '/stats', '/stats/2026', '/settings/audit', `/films/${film}?asOf=2026-01-01T00:00:00Z`]

  /** Every page, each loaded from the server. */
  async function everyPage(t: Test, account: Account) {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInAt(visitor, server.url, account)
    for (const path of [...PATHS, ...MORE, ...PAST]) {
      await page.goto(`${server.url}${path}`)
      await page.waitForSelector('main h1')
      await quiet(page)
    }
    t.strictSame(visitor.complaints, [])
    return visitor
  }

  t.test('a user never asks a route of administrators', async (t) => {
    const account = await makeUser(server.api, 'Ursula')
    const { requests } = await everyPage(t, account)
    t.strictSame(
      requests.filter((request) => ADMIN_ROUTES.test(request)),
      [],
    )
    t.ok(requests.some((request) => request.startsWith('GET /api/events')))
  })

  t.test('a page of administrators is not there for a user, and asks for nothing', async (t) => {
    const visitor = await visit(t, browser)
    await signInAt(visitor, server.url, await makeUser(server.api, 'Ulla'))
    for (const path of ['/admin/libraries', '/admin/users', '/admin/server']) {
      await visitor.page.goto(`${server.url}${path}`)
      await visitor.page.waitForSelector('.empty h1')
      await quiet(visitor.page)
    }
    t.strictSame(
      visitor.requests.filter((request) => ADMIN_ROUTES.test(request)),
      [],
    )
    t.notOk(await visitor.page.$('.places a[href^="/admin"]'))
    t.strictSame(visitor.complaints, [])
  })

  t.test('an administrator hears of everybody, and no token is in any address, in storage or within reach of a script', async (t) => {
    const { requests, addresses, context, page } = await everyPage(t, ADMIN)
    t.ok(requests.some((request) => /^GET \/api\/events\?.*\bscope=all/.test(request)))
    const token = (await context.cookies()).find(({ name }) => name.endsWith('session_token'))?.value ?? ''
    t.ok(token.length > 20)
    t.strictSame(
      addresses.filter((address) => TOKEN_MEMBER.test(address) || address.includes(token)),
      [],
    )
    t.notOk((await page.content()).includes(token))
    t.strictSame(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]'), ['', 0, 0])
  })

  t.test('a user finds no page of administrators, and asks nothing for it', async (t) => {
    const visitor = await visit(t, browser)
    await signInAt(visitor, server.url, await makeUser(server.api, 'Ute'))
    for (const path of ['/admin/history', '/admin/stats', '/admin/audit', '/admin/audit/1', '/admin/webhooks']) {
      await visitor.page.goto(`${server.url}${path}`)
      await visitor.page.waitForSelector('.empty h1')
      await quiet(visitor.page)
    }
    t.strictSame(
      visitor.requests.filter((request) => ADMIN_ROUTES.test(request)),
      [],
    )
    t.strictSame(visitor.complaints, [])
  })

  t.test('a page of administrators, or an unknown page, is shown as not found', async (t) => {
    const visitor = await visit(t, browser)
    await signInAt(visitor, server.url, await makeUser(server.api, 'Ulrike'))
    visitor.expect(/404/)
    const answer = await visitor.page.goto(`${server.url}/films/abcdefghijklmnopqrstu`)
    t.equal(answer?.status(), 200)
    await visitor.page.waitForSelector('.empty h1')
    t.match(await visitor.page.$eval('.empty', (element) => element.textContent), /There is nothing at this address/)
    t.strictSame(visitor.complaints, [])
  })
}
