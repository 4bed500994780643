/** Long lists of which something is missing or has changed: pages that fail, films that come and go, a window that turns. */
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { launchBrowser, needsBrowser, quiet, signInAt, until, visit, type Visitor } from './browser-fixture.ts'
import { startMoviesServer } from './movies-server.ts'

const FILMS = 1000
const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: FILMS })

  const SEEN = `[...document.querySelectorAll('.long-list [data-index]')].filter((card) => {
    const { top, bottom } = card.getBoundingClientRect()
    return bottom > Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockStart) && top < innerHeight
  })`
  const isFilled = `(() => { const cards = ${SEEN}; return cards.length > 0 && cards.every((card) => card.querySelector('a')) })()`
  const films = async (page: Page): Promise<readonly (string | undefined)[]> =>
    (await page.evaluate(`${SEEN}.map((card) => card.querySelector('a')?.dataset.focus)`)) as readonly (string | undefined)[]
  const focus = (page: Page) => page.evaluate('document.activeElement.dataset.focus')

  async function openMovies(t: Test, { width = 1280, height = 800, search = '' } = {}): Promise<Visitor> {
    const visitor = await visit(t, browser, { width, height })
    await signInAt(visitor, server.url)
    await quiet(visitor.page)
    if (search === '') await visitor.page.click('.places a[href="/films"]')
    else await visitor.page.goto(`${server.url}/films${search}`)
    await until(visitor.page, isFilled)
    await quiet(visitor.page)
    return visitor
  }

  async function scrollTo(page: Page, y: number): Promise<void> {
    await page.evaluate(`scrollTo(0, ${y})`)
    await until(page, isFilled)
    await quiet(page)
  }

  /** Focuses the first film whose whole card is seen. */
  async function focusFilm(page: Page): Promise<string> {
    await page.evaluate(`${SEEN}.find((card) => card.getBoundingClientRect().top > 150).querySelector('a').focus({ preventScroll: true })`)
    await quiet(page)
    return String(await focus(page))
  }

  async function openAndTurn(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
    await page.keyboard.press('Enter')
    await page.waitForSelector('article.movie')
    await quiet(page)
    await page.setViewport(size)
    await page.goBack()
    await until(page, isFilled)
  }

  t.test('a page of the list that fails says why, and comes when somebody tries again, or comes back to it', async (t) => {
    const visitor = await openMovies(t)
    const { page } = visitor
    visitor.expect(/500/)
    let fails = true
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      const isPage = /\/v1\/movies\?.*cursor=/.test(request.url())
      if (isPage && fails) void request.respond({ status: 500, contentType: 'application/json', body: '{"error":"Out of order"}' })
      else void request.continue()
    })
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)')
    await page.waitForSelector('.lacking')
    t.match(await page.$eval('.lacking', (note) => note.textContent), /Out of order.*Try again/)
    await page.evaluate('scrollTo(0, 0)')
    await until(page, `${isFilled} && !document.querySelector('.lacking')`)
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)')
    await page.waitForSelector('.lacking')
    fails = false
    await page.click('.lacking button')
    await until(page, `${isFilled} && !document.querySelector('.lacking')`)
    fails = true
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await page.waitForSelector('.lacking')
    fails = false
    await page.evaluate('scrollTo(0, 0)')
    await until(page, isFilled)
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await until(page, `${isFilled} && !document.querySelector('.lacking')`)
    t.strictSame(visitor.complaints, [])
  })

  t.test('going back after the window was turned shows the same film with the focus', async (t) => {
    const visitor = await openMovies(t, { width: 412, height: 800 })
    const { page } = visitor
    await scrollTo(page, 20_000)
    const film = await focusFilm(page)
    await openAndTurn(page, { width: 1280, height: 500 })
    await until(page, `document.activeElement.dataset.focus === '${film}'`)
    t.ok((await films(page)).includes(film), 'it is seen')
    t.strictSame(visitor.complaints, [])
  })

  t.test('without the focus, going back after the window was turned shows the film that was seen first', async (t) => {
    const visitor = await openMovies(t, { width: 412, height: 800 })
    const { page } = visitor
    await scrollTo(page, 20_000)
    const [first] = await films(page)
    await page.evaluate(`document.activeElement.blur(); document.querySelector('.places a[href="/watchlist"]').click()`)
    await page.waitForFunction('location.pathname === "/watchlist"')
    await quiet(page)
    await page.setViewport({ width: 1280, height: 800 })
    await page.goBack()
    await until(page, isFilled)
    await until(page, `${SEEN}.some((card) => card.querySelector('a').dataset.focus === '${first}')`, 5000)
    t.strictSame(visitor.complaints, [])
  })

  t.test('a list that is turned keeps its first film, there and back', async (t) => {
    const visitor = await openMovies(t)
    const { page } = visitor
    await scrollTo(page, 9000)
    const before = await films(page)
    for (const [width, height] of [
      [700, 1100],
      [1280, 800],
    ] as const) {
      await page.setViewport({ width, height })
      await until(page, `${isFilled} && ${SEEN}.some((card) => card.querySelector('a').dataset.focus === '${before[0]}')`, 5000)
    }
    await quiet(page)
    t.strictSame(await films(page), before)
    t.strictSame(visitor.complaints, [])
  })

  t.test('going back to a list that has changed shows the same film with the focus', async (t) => {
    const visitor = await openMovies(t, { search: '?watched=false' })
    const { page } = visitor
    await scrollTo(page, 20_000)
    const film = await focusFilm(page)
    await page.keyboard.press('Enter')
    await page.waitForSelector('article.movie')
    const { json } = await server.api.send('GET', '/v1/movies?watched=false&limit=60')
    const { items } = json as unknown as { readonly items: readonly { readonly id: string }[] }
    await server.api.send('POST', '/v1/movies/marks', { items: items.map(({ id }) => ({ movieId: id, watched: true })) })
    await quiet(page)
    await page.goBack()
    await until(page, isFilled)
    await quiet(page)
    await until(page, `document.activeElement.dataset.focus === '${film}'`)
    t.ok((await films(page)).includes(film), 'it is seen')
    t.strictSame(visitor.complaints, [])
  })

  t.test('collections beyond the first hundred come when somebody asks for more', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInAt(visitor, server.url)
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname !== '/v1/collections') {
        void request.continue()
        return
      }
      const isFirst = searchParams.get('cursor') === null
      const items = Array.from({ length: isFirst ? 100 : 3 }, (_, n) => ({
        id: `${isFirst ? 'a' : 'b'}${n}`,
        name: `Collection ${isFirst ? n : 100 + n}`,
        images: { poster: null, posterTint: null, backdrop: null, backdropTint: null },
        movieCount: 2,
        watchedCount: 0,
      }))
      void request.respond({ contentType: 'application/json', body: JSON.stringify({ items, nextCursor: isFirst ? 'more' : null }) })
    })
    await page.goto(`${server.url}/collections`)
    await page.waitForSelector('.cards .card')
    const count = (): Promise<number> => page.$$eval('.cards .card', (cards) => cards.length)
    t.equal(await count(), 100)
    await page.click('.show-more')
    await until(page, `document.querySelectorAll('.cards .card').length === 103`)
    t.equal(await page.$('.show-more'), null)
    t.strictSame(visitor.complaints, [])
  })
}
