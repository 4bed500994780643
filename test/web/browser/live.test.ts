import t from 'tap'
import type { HTTPRequest, Page } from 'puppeteer-core'
import {
  askedBy,
  findWholeBrowser,
  launchBrowser,
  makeUser,
  needsBrowser,
  quiet,
  signInAt,
  until,
  visit,
  type Visitor,
} from './browser-fixture.ts'
import { signIn, type Api } from '../../system/whole/server-process.ts'
import { recentMovies, startMoviesServer } from './movies-server.ts'

/** A change must be visible elsewhere within this time. */
const SOON_MS = 1000
const browserPath = needsBrowser(t, findWholeBrowser)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 200 })
  const films = await recentMovies(server.api)
  const there = (selector: string) => `document.querySelector('${selector}') !== null`
  const gone = (selector: string) => `document.querySelector('${selector}') === null`
  const card = (row: string, film: string) => `[data-focus="${row} ${film}"]`

  /** All at once: the second counts from the change, not from the previous page's display. */
  const everywhere = (pages: readonly Page[], expression: string) => Promise.all(pages.map((page) => until(page, expression, SOON_MS)))

  async function openHome(visitor: Visitor, page = visitor.page): Promise<Page> {
    await page.goto(server.url)
    await page.waitForSelector('.card')
    await quiet(page)
    return page
  }

  /** A user with two tabs in one browser, and another browser. */
  async function atHome(t: Parameters<typeof visit>[0], name: string) {
    const account = await makeUser(server.api, name)
    const api = await signIn(server.url, account)
    const [one, other] = [await visit(t, browser), await visit(t, browser)]
    await signInAt(one, server.url, account)
    await signInAt(other, server.url, account)
    return { api, one, other, account }
  }

  async function movie(api: Api, id: string) {
    const { json } = await api.send('GET', `/v1/movies/${id}`)
    return json as unknown as { readonly watched: boolean; readonly position: number; readonly watchlist: boolean }
  }

  t.test('a mark, and its undoing with the position, are seen in another tab and in another browser within a second', async (t) => {
    const { api, one, other } = await atHome(t, 'Mary')
    const [film = ''] = films
    await api.send('PUT', `/v1/movies/${film}/resume`, { position: 600 })
    const tab = await one.open()
    const pages = [await openHome(one), await openHome(one, tab), await openHome(other)]
    const [page, , otherPage] = pages as [Page, Page, Page]
    for (const each of pages) t.ok(await each.$(card('continue', film)))
    await page.bringToFront()
    await page.focus(card('recent', film))
    await page.keyboard.press('w')
    await everywhere(pages, `${there(`${card('recent', film)} .seen`)} && ${gone(card('continue', film))}`)
    await until(page, there('.toast button'))
    t.match(await page.$eval('.toasts', (toasts) => toasts.textContent), /is marked as watched/)
    await quiet(page)
    t.match(await movie(api, film), { watched: true, position: 0 })
    await page.click('.toast button')
    await everywhere(pages, `${gone(`${card('recent', film)} .seen`)} && ${there(`${card('recent', film)} .progress`)}`)
    // A hidden tab sends no requests until it is visible.
    await everywhere([page, otherPage], there(card('continue', film)))
    t.equal(await tab.$(card('continue', film)), null)
    await tab.bringToFront()
    await everywhere([tab], there(card('continue', film)))
    await quiet(page)
    t.match(await movie(api, film), { watched: false, position: 600 })
    t.strictSame([...one.complaints, ...other.complaints], [])
  })

  t.test('a film that is taken off the row to continue watching leaves it everywhere, and comes back by undoing', async (t) => {
    const { api, one, other } = await atHome(t, 'Margaret')
    const [, film = ''] = films
    await api.send('PUT', `/v1/movies/${film}/resume`, { position: 900 })
    const pages = [await openHome(one), await openHome(other)]
    const [page] = pages as [Page, Page]
    await page.bringToFront()
    await page.hover(card('continue', film))
    await page.click(`.card:has(${card('continue', film)}) .dismiss`)
    await everywhere(pages, gone(card('continue', film)))
    await until(page, there('.toast button'))
    await quiet(page)
    t.match(await movie(api, film), { watched: false, position: 900 }, 'where it was left stays known')
    await page.keyboard.press('z')
    await everywhere(pages, there(card('continue', film)))
    await quiet(page)
    const { json } = await api.send('GET', '/v1/playback/continue-watching')
    t.match(json, { items: [{ movieId: film, position: 900 }] })
    t.strictSame([...one.complaints, ...other.complaints], [])
  })

  t.test('if the focused button takes its film off the row, its neighbour gets the focus', async (t) => {
    const { api, one } = await atHome(t, 'Matilda')
    const [film = '', other = ''] = films
    await api.send('PUT', `/v1/movies/${other}/resume`, { position: 600 })
    await api.send('PUT', `/v1/movies/${film}/resume`, { position: 900 })
    const page = await openHome(one)
    await until(page, `${there(card('continue', film))} && ${there(card('continue', other))}`)
    await page.focus(`.card:has(${card('continue', film)}) .dismiss`)
    await page.keyboard.press('Enter')
    await until(page, gone(card('continue', film)))
    await until(page, `document.activeElement.matches(${JSON.stringify(card('continue', other))})`)
    t.strictSame(one.complaints, [])
  })

  t.test('a mark that the server refuses is turned back, and says why', async (t) => {
    const { one } = await atHome(t, 'Martha')
    const page = await openHome(one)
    const [, , film = ''] = films
    one.expect(/403/)
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      const isMark = request.method() === 'PUT'
      const body = JSON.stringify({ error: 'Not today', code: 'forbidden' })
      void (isMark ? request.respond({ status: 403, contentType: 'application/json', body }) : request.continue())
    })
    await page.focus(card('recent', film))
    await page.keyboard.press('w')
    await until(page, `[...document.querySelectorAll('.toast')].some((toast) => toast.textContent.includes('Not today'))`)
    await until(page, gone(`${card('recent', film)} .seen`))
    t.strictSame(one.complaints, [])
  })

  t.test('the watchlist, and lists by marks, follow the marks', async (t) => {
    const { one } = await atHome(t, 'Mathilda')
    const page = await openHome(one)
    const [, , , film = ''] = films
    await page.focus(card('recent', film))
    await page.keyboard.press('l')
    await until(page, there(card('watchlist', film)))
    await page.click('.places a[href="/watchlist"]')
    await until(page, there(card('movies', film)))
    await page.focus(card('movies', film))
    await page.keyboard.press('l')
    await until(page, there('main .empty'))
    await page.keyboard.press('z')
    await until(page, there(card('movies', film)))
    t.strictSame(one.complaints, [])
  })

  t.test('a mark for the watchlist is seen in another tab and in another browser within a second, also on the film itself', async (t) => {
    const { one, other } = await atHome(t, 'Mina')
    const [, , , , , , film = ''] = films
    const pages = [await openHome(one), await openHome(other)]
    const [page, otherPage] = pages as [Page, Page]
    const moviePage = await one.open()
    await moviePage.goto(`${server.url}/films/${film}`)
    await moviePage.waitForSelector('button[data-focus="watchlist"]')
    await page.bringToFront()
    await page.focus(card('recent', film))
    await quiet(page)
    const before = askedBy(one).length
    await page.keyboard.press('l')
    await Promise.all([
      everywhere([page, otherPage], there(card('watchlist', film))),
      everywhere([moviePage], there('button[data-focus="watchlist"][aria-pressed="true"]')),
    ])
    await quiet(page)
    t.strictSame(
      askedBy(one).slice(before),
      [`PUT /v1/movies/${film}/watchlist`, 'GET /v1/home?limit=12'],
      'its own event is no news to the tab that made the mark',
    )
    await page.keyboard.press('z')
    await Promise.all([
      everywhere([page, otherPage], gone(card('watchlist', film))),
      everywhere([moviePage], there('button[data-focus="watchlist"][aria-pressed="false"]')),
    ])
    t.strictSame([...one.complaints, ...other.complaints], [])
  })

  t.test('a mark that is undone at once shows as undone from then on', async (t) => {
    const { api, one, other } = await atHome(t, 'Myrtle')
    const [page, otherPage] = [await openHome(one), await openHome(other)]
    const [, , , , , , later = '', film = ''] = films
    const seen = `${card('recent', film)} .seen`
    for (const each of [page, otherPage])
      await each.evaluate(`globalThis.states = [false]
        new MutationObserver(() => {
          const isSeen = ${there(seen)}
          if (globalThis.states.at(-1) !== isSeen) globalThis.states.push(isSeen)
        }).observe(document.querySelector('main'), { subtree: true, childList: true })`)
    await page.bringToFront()
    await page.setRequestInterception(true)
    const marked = Promise.withResolvers<HTTPRequest>()
    page.on('request', (request) => (request.method() === 'PUT' ? marked.resolve(request) : void request.continue()))
    await page.focus(card('recent', film))
    await page.keyboard.press('w')
    await until(page, there(seen))
    await page.keyboard.press('z')
    await until(page, gone(seen))
    const undone = page.waitForResponse((response) => response.request().method() === 'POST')
    await (await marked.promise).continue()
    await undone
    // Events come in order: with this one, those of the mark and of its undoing have come.
    await api.send('PUT', `/v1/movies/${later}/watched`)
    await until(otherPage, there(`${card('recent', later)} .seen`))
    await quiet(page)
    t.match(await movie(api, film), { watched: false })
    t.strictSame(await page.evaluate('globalThis.states'), [false, true, false])
    t.match(await otherPage.evaluate('globalThis.states.join()'), /^false(,true,false)?$/, 'two events that come together are one change')
    t.strictSame([...one.complaints, ...other.complaints], [])
  })

  t.test('a film that is changed shows so on its card, by a request for that film and one for where pages begin', async (t) => {
    const { one } = await atHome(t, 'Minna')
    const { page } = one
    await page.goto(`${server.url}/films?sort=addedAt`)
    const [, , , , film = ''] = films
    await page.waitForSelector(card('movies', film))
    await quiet(page)
    const before = askedBy(one).length
    const changed = await server.api.send('PATCH', `/v1/movies/${film}`, { title: 'A title that nobody else has' })
    t.equal(changed.status, 200)
    await until(page, `document.querySelector('${card('movies', film)} .title').textContent === 'A title that nobody else has'`)
    await quiet(page)
    const asked = askedBy(one).slice(before)
    t.ok(
      asked.some((request) => request.startsWith('GET /v1/movies?') && request.includes(`id=${film}`)),
      asked.join('\n'),
    )
    t.notOk(asked.some((request) => request.includes('limit=100&view=card')))
    t.ok(asked.length <= 4, asked.join('\n'))
    t.strictSame(one.complaints, [])
  })

  /** The page's request for it is not sent until `open`. */
  async function delay(page: Page, path: string): Promise<{ readonly asked: Promise<HTTPRequest>; readonly open: () => Promise<void> }> {
    await page.setRequestInterception(true)
    const asked = Promise.withResolvers<HTTPRequest>()
    page.on('request', (request) => (request.url().includes(path) ? asked.resolve(request) : void request.continue()))
    return { asked: asked.promise, open: async () => (await asked.promise).continue() }
  }

  t.test(
    "what happens between a page's answers and the opening of its stream is seen once it is open, and nothing else is asked again",
    async (t) => {
      const { api, one } = await atHome(t, 'Maisie')
      const { page } = one
      const [, , , , , , , , film = ''] = films
      await quiet(page)
      const before = askedBy(one).length
      const { asked, open } = await delay(page, '/api/events')
      await openHome(one)
      await asked
      await api.send('PUT', `/v1/movies/${film}/watched`, {})
      await quiet(page)
      t.equal(await page.$(`${card('recent', film)} .seen`), null, 'the page does not know of it')
      await open()
      await until(page, there(`${card('recent', film)} .seen`), SOON_MS)
      await quiet(page)
      t.strictSame(askedBy(one).slice(before), ['GET /v1/home?limit=12'])
      t.strictSame(one.complaints, [])
    },
  )

  t.test('a list shows a film that was changed before its stream was open', async (t) => {
    const { one } = await atHome(t, 'Malvina')
    const { page } = one
    const { open, asked } = await delay(page, '/api/events')
    await page.goto(`${server.url}/films?sort=addedAt`)
    const [, , , , , film = ''] = films
    await page.waitForSelector(card('movies', film))
    await asked
    await server.api.send('PATCH', `/v1/movies/${film}`, { title: 'A title from before the stream' })
    await quiet(page)
    await open()
    await until(page, `document.querySelector('${card('movies', film)} .title').textContent === 'A title from before the stream'`, SOON_MS)
    t.strictSame(one.complaints, [])
  })

  t.test('a new tab shows what happened between its answers and its listening to the tab with the stream', async (t) => {
    const { api, one } = await atHome(t, 'Muriel')
    const [, , , , , , , , , film = ''] = films
    const first = await openHome(one)
    const tab = await one.open()
    const { open, asked } = await delay(tab, '/assets/live-stream-')
    const before = askedBy(one).length
    await tab.goto(server.url)
    await tab.waitForSelector(card('recent', film))
    await asked
    await api.send('PUT', `/v1/movies/${film}/watched`, {})
    await until(first, there(`${card('recent', film)} .seen`), SOON_MS)
    t.equal(await tab.$(`${card('recent', film)} .seen`), null, 'the new tab does not know of it')
    await open()
    await until(tab, there(`${card('recent', film)} .seen`), SOON_MS)
    await quiet(tab)
    t.strictSame(askedBy(one).slice(before), ['GET /v1/home?limit=12'])
    t.strictSame(one.complaints, [])
  })

  const opened = ({ requests }: Visitor): number => requests.filter((request) => request.startsWith('GET /api/events')).length

  t.test('seven tabs share one stream, all are live, and one takes over when the tab that holds it closes', async (t) => {
    const { api, one } = await atHome(t, 'Mabel')
    const tabs = [await openHome(one)]
    for (let tab = 1; tab < 7; tab++) tabs.push(await openHome(one, await one.open()))
    const [, , , , , film = '', next = ''] = films
    const before = opened(one)
    await api.send('PUT', `/v1/movies/${film}/watched`, {})
    await everywhere(tabs, there(`${card('recent', film)} .seen`))
    t.comment(`${before} streams were opened, one by the sign-in page`)
    t.ok(before <= 2, `${before} streams`)
    await tabs[0]?.close()
    // While no tab holds the stream.
    await api.send('PUT', `/v1/movies/${next}/watched`, {})
    await Promise.all(tabs.slice(1).map((tab) => until(tab, there(`${card('recent', next)} .seen`), 10_000)))
    await api.send('DELETE', `/v1/movies/${next}/watched`)
    await everywhere(tabs.slice(1), gone(`${card('recent', next)} .seen`))
    t.equal(opened(one), before + 1)
    t.strictSame(one.complaints, [])
  })

  t.test('while the server restarts, a page reports it, recovers by itself, and shows what was wanted meanwhile', async (t) => {
    const { api, one } = await atHome(t, 'Maud')
    const page = await openHome(one)
    one.expect(/ERR_/)
    const [first = '', , , , , , , film = ''] = films
    const stopped = server.stop()
    await page.waitForSelector('.notice')
    await stopped
    await page.click(card('recent', film))
    await until(page, `location.pathname === '/films/${film}'`)
    await server.start()
    await until(page, there('article.movie'))
    await until(page, gone('.notice'))
    await page.goBack()
    await page.waitForSelector(card('recent', first))
    await api.send('PUT', `/v1/movies/${first}/watched`, {})
    await until(page, there(`${card('recent', first)} .seen`), SOON_MS)
    t.strictSame(one.complaints, [])
  })
}
