import t from 'tap'
import { launchBrowser, needsBrowser, quiet, signInAt, until, visit } from './browser-fixture.ts'
import { recentMovies, startMoviesServer } from './movies-server.ts'

/** Longer than the pause between two keys may be. */
const BUSY_MS = 2500
const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 200 })
  const films = await recentMovies(server.api)
  const focus = 'document.activeElement.dataset.focus'

  async function openHome(t: Parameters<typeof visit>[0]) {
    const visitor = await visit(t, browser)
    await signInAt(visitor, server.url)
    await visitor.page.waitForSelector('.card')
    await quiet(visitor.page)
    return visitor
  }

  t.test('keys go to pages: a slash searches, G and a letter open a page', async (t) => {
    const { page, complaints } = await openHome(t)
    const places = [
      ['f', '/films'],
      ['w', '/watchlist'],
      ['c', '/collections'],
      ['n', '/now'],
      ['s', '/settings'],
      ['h', '/'],
    ] as const
    for (const [key, path] of places) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await until(page, `location.pathname === '${path}' && document.activeElement.tagName === 'H1'`)
    }
    await page.keyboard.press('/')
    await until(page, `location.pathname === '/search' && ${focus} === 'search'`)
    t.equal(await page.$eval('input[type=search]', (input) => input.value), '', 'the slash itself is not typed')
    await page.keyboard.type('g/hz')
    t.equal(await page.$eval('input[type=search]', (input) => input.value), 'g/hz', 'in a field keys are letters')
    t.equal(new URL(page.url()).pathname, '/search')
    t.strictSame(complaints, [])
  })

  t.test('a page that is busy takes the two keys as they were pressed', async (t) => {
    const { page, complaints } = await openHome(t)
    await page.keyboard.press('g')
    await page.evaluate((ms) => {
      setTimeout(() => {
        for (const end = Date.now() + ms; Date.now() < end;) continue
      })
    }, BUSY_MS)
    await page.keyboard.press('f')
    await until(page, `location.pathname === '/films'`)
    t.strictSame(complaints, [])
  })

  t.test('W and L mark the film that has the focus and the film of the page, Z undoes', async (t) => {
    const { page, complaints } = await openHome(t)
    const [film = ''] = films
    const card = `[data-focus="recent ${film}"]`
    await page.focus(card)
    await page.keyboard.press('w')
    await page.waitForSelector(`${card} .seen`)
    await page.keyboard.press('z')
    await until(page, `document.querySelector('${card} .seen') === null`)
    t.equal(await page.evaluate(focus), `recent ${film}`)
    await quiet(page)
    await page.keyboard.press('Enter')
    await page.waitForSelector('article.movie')
    for (const [key, button] of [
      ['w', 'watched'],
      ['l', 'watchlist'],
    ] as const) {
      await page.keyboard.press(key)
      await page.waitForSelector(`[data-focus="${button}"][aria-pressed="true"]`)
      await quiet(page)
      await page.keyboard.press('z')
      await page.waitForSelector(`[data-focus="${button}"][aria-pressed="false"]`)
      await quiet(page)
    }
    await page.keyboard.down('Control')
    await page.keyboard.press('l')
    await page.keyboard.up('Control')
    // After G the letter selects another page.
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await until(page, `location.pathname === '/watchlist'`)
    await page.waitForSelector('main .empty')
    await quiet(page)
    const { json } = await server.api.send('GET', `/v1/movies/${film}`)
    t.match(json, { watched: false, watchlist: false })
    t.strictSame(complaints, [])
  })

  t.test('arrows walk along a row and through a grid of cards', async (t) => {
    const { page, complaints } = await openHome(t)
    const [first, second, third] = films
    await page.focus(`[data-focus="recent ${first}"]`)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    t.equal(await page.evaluate(focus), `recent ${third}`)
    await page.keyboard.press('ArrowLeft')
    t.equal(await page.evaluate(focus), `recent ${second}`)
    await page.keyboard.press('End')
    t.equal(await page.evaluate(focus), `recent ${films[films.length - 1]}`)

    await page.goto(`${server.url}/search?q=the`)
    await page.waitForSelector('.cards .card')
    const order = await page.$$eval('.cards .card > a', (links) => links.map((link) => link.dataset['focus']))
    const columns = await page.$eval('.cards', (cards) => getComputedStyle(cards).gridTemplateColumns.split(' ').length)
    t.ok(order.length > columns * 2)
    await page.focus('.cards .card > a')
    await page.keyboard.press('ArrowDown')
    t.equal(await page.evaluate(focus), order[columns])
    await page.keyboard.press('ArrowRight')
    t.equal(await page.evaluate(focus), order[columns + 1])
    await page.keyboard.press('ArrowUp')
    t.equal(await page.evaluate(focus), order[1])
    t.strictSame(complaints, [])
  })

  t.test('the details of a film are asked for when a button is pressed on its card, or the focus rests on it, and only once', async (t) => {
    const visitor = await openHome(t)
    const { page, requests } = visitor
    const [, , , fourth = '', fifth = ''] = films
    const asked = (film: string) => requests.filter((request) => request === `GET /v1/movies/${film}`).length
    const box = await (await page.$(`[data-focus="recent ${fourth}"]`))?.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 50, (box?.y ?? 0) + 50)
    await page.mouse.down()
    await quiet(page)
    t.equal(asked(fourth), 1)
    await page.mouse.up()
    await page.waitForSelector('article.movie')
    await quiet(page)
    t.equal(asked(fourth), 1)
    await page.goBack()
    await page.waitForSelector('.card')
    await quiet(page)
    // Passing over other films requests none of them.
    await page.keyboard.press('ArrowRight')
    await quiet(page)
    t.equal(await page.evaluate(focus), `recent ${fifth}`)
    t.equal(asked(fifth), 1)
    const before = requests.length
    await page.keyboard.press('Home')
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    await page.keyboard.press('End')
    await quiet(page)
    t.strictSame(requests.slice(before), [`GET /v1/movies/${films[films.length - 1]}`])
    t.strictSame(visitor.complaints, [])
  })

  t.test('going back to search results shows them with the film that was opened', async (t) => {
    const { page, complaints } = await openHome(t)
    await page.goto(`${server.url}/search?q=night`)
    await page.waitForSelector('.cards .card')
    await quiet(page)
    await page.focus('.cards .card:nth-child(3) > a')
    const film = await page.evaluate(focus)
    await page.keyboard.press('Enter')
    await page.waitForSelector('article.movie')
    await page.goBack()
    await until(page, `${focus} === '${String(film)}'`)
    t.equal(await page.$eval('input[type=search]', (input) => input.value), 'night')
    t.strictSame(complaints, [])
  })

  t.test('a person can turn single keys off on a device, which stays so', async (t) => {
    const { page, complaints } = await openHome(t)
    await page.goto(`${server.url}/settings/look`)
    await page.locator('input[name=letter-keys]').click()
    await page.goto(server.url)
    const [film = ''] = films
    const card = `[data-focus="recent ${film}"]`
    await page.waitForSelector(card)
    await page.focus(card)
    for (const key of ['w', 'l', '/', 'g', 'f'] as const) await page.keyboard.press(key)
    await quiet(page)
    t.equal(new URL(page.url()).pathname, '/')
    t.equal(await page.evaluate(focus), `recent ${film}`)
    t.equal(await page.$('.toast'), null)
    await page.goto(`${server.url}/settings/look`)
    await page.waitForSelector('input[name=letter-keys]')
    t.equal(await page.$eval('input[name=letter-keys]', (input) => input.checked), false)
    await page.locator('input[name=letter-keys]').click()
    await page.focus('h1')
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await until(page, `location.pathname === '/'`)
    t.strictSame(complaints, [])
  })

  t.test('Back closes a dialog, and then leaves the page', async (t) => {
    const { page, complaints } = await openHome(t)
    await page.click('.places a[href="/films"]')
    await page.waitForSelector('.row .card a')
    await page.goto(`${server.url}/settings/data`)
    const back = () => page.evaluate('history.back()')
    const opened = `document.querySelector('dialog[open]') !== null`
    await page.locator('.danger').click()
    await until(page, opened)
    await back()
    await until(page, `!(${opened})`)
    t.equal(new URL(page.url()).pathname, '/settings/data')
    // Closed in another way, it leaves nothing behind in the history.
    await page.locator('.danger').click()
    await until(page, opened)
    await page.keyboard.press('Escape')
    await until(page, `!(${opened}) && history.state.layer === undefined`)
    await page.locator('.danger').click()
    await until(page, opened)
    await page.reload()
    await page.waitForSelector('.danger')
    await until(page, 'history.state.layer === undefined')
    await back()
    await page.waitForSelector('.row .card a')
    t.equal(new URL(page.url()).pathname, '/films')
    t.strictSame(complaints, [])
  })
}
