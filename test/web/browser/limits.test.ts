import t from 'tap'
import { askedBy, launchBrowser, makeUser, needsBrowser, quiet, signInAt, until, visit } from './browser-fixture.ts'
import { recentMovies, startMoviesServer } from './movies-server.ts'

const LIMIT = 12
const MINUTE_MS = 65_000
const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 50, rateLimit: LIMIT })
  const films = await recentMovies(server.api)
  const account = await makeUser(server.api, 'Frank')

  t.test('after too many requests a page says how long it waits, waits as long as the server says, and goes on by itself', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    visitor.expect(/429/)
    const refused: { readonly at: number; readonly seconds: number }[] = []
    page.on('response', (response) => {
      if (response.status() === 429) refused.push({ at: Date.now(), seconds: Number(response.headers()['retry-after']) })
    })
    await signInAt(visitor, server.url, account)
    await quiet(page)
    // Until the server rejects it.
    let opened = ''
    for (const film of films) {
      if (refused.length > 0) break
      opened = film
      await page.click(`[data-focus="recent ${film}"]`)
      await until(page, `location.pathname === '/films/${film}'`)
      await quiet(page)
      if (refused.length > 0) break
      await page.goBack()
      await page.waitForSelector('.card')
    }
    t.ok(refused.length > 0, 'the server refused')
    await until(page, `/Too many requests. Trying again in \\d+ second/.test(document.querySelector('.notice')?.textContent)`)
    const [first] = refused
    const asked = askedBy(visitor).length
    await until(page, `document.querySelector('.notice') === null && document.querySelector('article.movie h2') !== null`, MINUTE_MS)
    t.ok(Date.now() - (first?.at ?? 0) >= (first?.seconds ?? 0) * 1000 - 100, `after ${first?.seconds} seconds`)
    await quiet(page)
    t.equal(new URL(page.url()).pathname, `/films/${opened}`)
    t.ok(askedBy(visitor).length - asked <= 6, 'it did not ask again and again meanwhile')
    t.strictSame(visitor.complaints, [])
  })
}
