import t from 'tap'
import { signIn } from '../../system/whole/server-process.ts'
import { findWholeBrowser, launchBrowser, makeUser, needsBrowser, quiet, signInAt, until, visit } from './browser-fixture.ts'
import { recentMovies, startMoviesServer } from './movies-server.ts'

const browserPath = needsBrowser(t, findWholeBrowser)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath, { keepsPages: true })
  const server = await startMoviesServer(t, { films: 200 })

  t.test('a page that the browser kept in memory shows nothing of before when the person goes back to it signed out', async (t) => {
    const account = await makeUser(server.api, 'Katherine')
    const visitor = await visit(t, browser)
    const { page } = visitor
    visitor.expect(/401/)
    await signInAt(visitor, server.url, account)
    await page.waitForSelector('.card')
    await quiet(page)
    await page.evaluate('globalThis.isKept = true')
    // A page outside the client, so that the client is left completely.
    await page.goto(`${server.url}/docs/`)
    // Ended elsewhere: on https a sign-out in this browser clears its caches.
    await (await signIn(server.url, account)).send('POST', '/api/auth/revoke-other-sessions')
    await page.goBack()
    await until(page, `location.pathname === '/sign-in' && document.querySelector('input[name=password]') !== null`)
    await until(page, `getComputedStyle(document.documentElement).visibility === 'visible'`)
    t.equal(await page.$('.card'), null)
    t.equal(await page.evaluate('globalThis.isKept'), true, 'it was the page of before, not one that was loaded')
    t.strictSame(visitor.complaints, [])
  })

  t.test('a kept page is shown again, up to date and live, to a person who is still signed in', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInAt(visitor, server.url)
    await page.waitForSelector('.card')
    await quiet(page)
    await page.evaluate('globalThis.isKept = true')
    await page.goto(`${server.url}/docs/`)
    const [first = ''] = await recentMovies(server.api)
    await server.api.send('PUT', `/v1/movies/${first}/watched`, {})
    await page.goBack()
    await until(page, `globalThis.isKept && getComputedStyle(document.documentElement).visibility === 'visible'`)
    await page.waitForSelector(`[data-focus="recent ${first}"] .seen`)
    await server.api.send('DELETE', `/v1/movies/${first}/watched`)
    await until(page, `!document.querySelector('[data-focus="recent ${first}"] .seen')`)
    t.strictSame(visitor.complaints, [])
  })
}
