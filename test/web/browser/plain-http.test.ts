import { networkInterfaces } from 'node:os'
import t from 'tap'
import { launchBrowser, makeUser, needsBrowser, quiet, signInAt, until, visit } from './browser-fixture.ts'
import { recentMovies, startMoviesServer } from './movies-server.ts'
import { signIn } from '../../system/whole/server-process.ts'

/** This machine's network address, as the server prints it at its start. */
const address = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

const browserPath = needsBrowser(t)
if (address === undefined) t.pass('this machine is in no network', { skip: true })
else if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 100, host: address })

  t.test('on plain http, where browsers give pages less, people sign in, browse, mark and see what others do', async (t) => {
    const account = await makeUser(server.api, 'Paula')
    const api = await signIn(server.url, account)
    const [film = '', other = ''] = await recentMovies(server.api)
    const visitor = await visit(t, browser)
    const { page } = visitor
    // Chromium logs that it ignores headers that require https.
    visitor.expect(/Cross-Origin-Opener-Policy|Origin-Agent-Cluster|Clear-Site-Data/)
    await signInAt(visitor, server.url, account)
    t.equal(await page.evaluate('isSecureContext'), false)
    t.equal(await page.evaluate('typeof navigator.locks'), 'undefined')
    const tab = await visitor.open()
    await tab.goto(`${server.url}/films?sort=addedAt`)
    await tab.waitForSelector('.long-list .card a')
    await page.bringToFront()
    await page.waitForSelector(`[data-focus="recent ${film}"]`)
    await quiet(page)
    await page.focus(`[data-focus="recent ${film}"]`)
    await page.keyboard.press('w')
    await page.waitForSelector(`[data-focus="recent ${film}"] .seen`)
    await quiet(page)
    const { json } = await api.send('GET', `/v1/movies/${film}`)
    t.match(json, { watched: true })
    await api.send('PUT', `/v1/movies/${other}/watched`, {})
    await page.waitForSelector(`[data-focus="recent ${other}"] .seen`)
    await until(tab, `document.querySelectorAll('.long-list .seen').length === 2`)
    await page.click(`[data-focus="recent ${film}"]`)
    await page.waitForSelector('article.movie')
    await page.goto(`${server.url}/settings`)
    await page.waitForSelector('.settings-side button')
    await page.click('.settings-side button')
    await page.waitForSelector('input[name=password]')
    await until(tab, `document.querySelector('input[name=password]') !== null`)
    t.strictSame(visitor.complaints, [])
  })
}
