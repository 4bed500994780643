import t from 'tap'
import type { Page } from 'puppeteer-core'
import {
  askedBy,
  isFirefox,
  launchBrowser,
  needsBrowser,
  quiet,
  signInAt,
  signInByCookie,
  until,
  visit,
  type Visitor,
} from './browser-fixture.ts'
import { startMoviesServer } from './movies-server.ts'

/** Firefox runs only the tests of going back, which takes a long list, but no more. */
const FILMS = isFirefox ? 4_000 : 20_000
/** Rows of the window, two on each side, and the page around them. */
const MOST_NODES = 3000
const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: FILMS })

  /** The height that bars may cover at the upper edge of the window. */
  const COVERED = 'Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockStart)'

  /** Every visible card has its film. */
  const FILLED = `[...document.querySelectorAll('.long-list [data-index]')].filter((card) => {
    const { top, bottom } = card.getBoundingClientRect()
    return bottom > ${COVERED} && top < innerHeight
  })`
  const isFilled = `(() => { const cards = ${FILLED}; return cards.length > 0 && cards.every((card) => card.querySelector('a')) })()`
  const indexes = async (page: Page): Promise<readonly number[]> =>
    (await page.evaluate(`${FILLED}.map((card) => Number(card.dataset.index))`)) as readonly number[]
  const titles = async (page: Page): Promise<readonly string[]> =>
    (await page.evaluate(`${FILLED}.map((card) => card.querySelector('.title')?.textContent ?? '')`)) as readonly string[]

  const columns = async (page: Page): Promise<number> =>
    Number(await page.evaluate(`getComputedStyle(document.querySelector('.row')).gridTemplateColumns.split(' ').length`))

  /** Like dragging the scroll bar: many positions, one per frame. */
  const drag = (page: Page, share: number): Promise<unknown> =>
    page.evaluate(`new Promise((settle) => {
      const from = scrollY
      const to = (document.documentElement.scrollHeight - innerHeight) * ${share}
      let frame = 0
      const step = () => {
        frame += 1
        scrollTo(0, from + ((to - from) * frame) / 40)
        if (frame < 40) requestAnimationFrame(step)
        else settle()
      }
      step()
    })`)

  async function openMovies(visitor: Visitor): Promise<void> {
    const { page } = visitor
    await signInAt(visitor, server.url)
    await quiet(page)
    await page.click('.places a[href="/films"]')
    await until(page, isFilled)
    await quiet(page)
  }

  t.test(
    'among twenty thousand films a letter, the scroll bar, End and Home lead anywhere with no more than twelve requests',
    async (t) => {
      const visitor = await visit(t, browser)
      const { page } = visitor
      await signInAt(visitor, server.url)
      await quiet(page)
      const before = askedBy(visitor).length
      await page.click('.places a[href="/films"]')
      await until(page, isFilled)
      t.match(await page.$eval('.count', (count) => count.textContent), /^20,000 films/)

      const letter = await page.$$('.letters button')
      t.ok(letter.length > 5)
      await page.evaluate(`[...document.querySelectorAll('.letters button')].find((button) => button.textContent === 'R').click()`)
      await until(page, `${isFilled} && scrollY > 1000`)
      // The first row of the letter, below the bars.
      const begin = (await titles(page)).findIndex((title) => /^(The )?R/.test(title))
      t.ok(begin >= 0 && begin < (await columns(page)), `card ${begin}`)
      // Browsers scroll by whole pixels.
      t.ok(await page.evaluate(`${FILLED}[${begin}].getBoundingClientRect().top >= ${COVERED} - 1`))
      await until(page, `document.querySelector('.letters [aria-current]')?.textContent === 'R'`)

      await drag(page, 0.8)
      await until(page, isFilled)
      const around = await indexes(page)
      t.ok(Math.abs((around[0] ?? 0) - FILMS * 0.8) < 100, `film ${around[0]}`)

      await page.evaluate(`${FILLED}[0].querySelector('a').focus()`)
      await page.keyboard.press('End')
      await until(page, `document.activeElement.closest('[data-index]')?.dataset.index === '${FILMS - 1}' && ${isFilled}`)
      await page.keyboard.press('Home')
      await until(page, `document.activeElement.closest('[data-index]')?.dataset.index === '0' && ${isFilled}`)
      await quiet(page)
      const asked = askedBy(visitor).slice(before)
      t.comment(`${asked.length} requests`)
      t.ok(asked.length <= 12, asked.join('\n'))
      t.ok(Number(await page.evaluate('document.querySelectorAll("*").length')) < MOST_NODES)
      t.strictSame(visitor.complaints, [])
    },
  )

  t.test('from cold the list asks for three answers, and for what there is to filter by when somebody turns to it', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInByCookie(visitor, server)
    await page.goto(`${server.url}/films`)
    await until(page, isFilled)
    await quiet(page)
    const path = (request: string) => request.replace(/\?.*/, '')
    t.strictSame(askedBy(visitor).map(path).toSorted(), ['GET /v1/movies', 'GET /v1/movies/anchors', 'GET /v1/users/me'])
    const places = `[...document.querySelectorAll('.filters select')].slice(0, 6).map((select) => select.getBoundingClientRect().left)`
    const before = await page.evaluate(places)
    await page.hover('.filters')
    await until(page, `document.querySelectorAll('.filter-choices option').length > 20`)
    t.strictSame(await page.evaluate(places), before, 'nothing moves under the pointer')
    t.strictSame(askedBy(visitor).slice(3).map(path).toSorted(), ['GET /v1/facets', 'GET /v1/libraries'])
    t.strictSame(visitor.complaints, [])
  })

  t.test('a letter leads to its row also after something above the list has grown', async (t) => {
    const visitor = await visit(t, browser, { width: 412 })
    const { page } = visitor
    await openMovies(visitor)
    // Too little to show other rows.
    await page.evaluate(`document.querySelector('.list-head').style.paddingBlockEnd = '20px'`)
    await quiet(page)
    await page.evaluate(`[...document.querySelectorAll('.letters button')].find((button) => button.textContent === 'R').click()`)
    await until(page, `${isFilled} && scrollY > 1000`)
    const off = Number(await page.evaluate(`Math.min(...${FILLED}.map((card) => card.getBoundingClientRect().top)) - ${COVERED}`))
    t.ok(Math.abs(off) <= 2, `${off} px off`)
    t.strictSame(visitor.complaints, [])
  })

  t.test('arrow keys walk through rows that are not there yet', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await openMovies(visitor)
    await page.evaluate(`document.querySelector('[data-index="0"] a').focus()`)
    const width = await columns(page)
    for (let row = 1; row <= 30; row++) {
      await page.keyboard.press('ArrowDown')
      await until(page, `document.activeElement.closest('[data-index]')?.dataset.index === '${row * width}'`)
    }
    await page.keyboard.press('ArrowRight')
    await until(page, `document.activeElement.closest('[data-index]')?.dataset.index === '${30 * width + 1}'`)
    await page.keyboard.press('ArrowUp')
    await until(page, `document.activeElement.closest('[data-index]')?.dataset.index === '${29 * width + 1}'`)
    const { top, bottom } = (await page.evaluate(
      '(({ top, bottom }) => ({ top, bottom }))(document.activeElement.getBoundingClientRect())',
    )) as {
      top: number
      bottom: number
    }
    t.ok(top >= 0 && bottom <= 800, `${top} to ${bottom}`)
    t.strictSame(visitor.complaints, [])
  })

  /** Film, row and focus that the user has left. */
  const place = async (page: Page) =>
    (await page.evaluate(
      `({ scroll: Math.round(scrollY), focus: document.activeElement.dataset.focus, films: ${FILLED}.map((card) => card.querySelector('a')?.dataset.focus) })`,
    )) as {
      readonly scroll: number
      readonly focus: string | undefined
      readonly films: readonly string[]
    }

  /** Far down in the list, on a film of the window. */
  async function goDown(page: Page): Promise<Awaited<ReturnType<typeof place>>> {
    await drag(page, 0.4)
    await until(page, isFilled)
    await quiet(page)
    const [link] = (await page.$$('.long-list [data-index] a')).slice(14)
    await link?.focus()
    // The focus rests: its film is prefetched.
    await quiet(page)
    return place(page)
  }

  t.test('going back from a film shows the same row and focus, in the first frame, without a request', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await openMovies(visitor)
    const left = await goDown(page)
    t.ok(left.scroll > 5 * FILMS && left.focus?.startsWith('movies '))
    await page.keyboard.press('Enter')
    await page.waitForSelector('article.movie')
    await quiet(page)
    const before = askedBy(visitor).length
    // The first frame after the address has changed.
    await page.evaluate(`addEventListener('popstate', () => requestAnimationFrame(() => setTimeout(() => {
      globalThis.firstFrame = { scroll: Math.round(scrollY), isFilled: ${isFilled} }
    })), { once: true })`)
    await page.goBack()
    await until(page, isFilled)
    await until(page, 'globalThis.firstFrame !== undefined')
    t.strictSame(await page.evaluate('globalThis.firstFrame'), { scroll: left.scroll, isFilled: true })
    t.strictSame(await place(page), left)
    await quiet(page)
    t.strictSame(askedBy(visitor).slice(before), [])
    t.strictSame(await place(page), left)
    t.strictSame(visitor.complaints, [])
  })

  t.test('going back after a mark shows the same row and focus, and the mark', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await openMovies(visitor)
    const left = await goDown(page)
    await page.keyboard.press('Enter')
    await page.waitForSelector('button[data-focus="watched"]')
    await quiet(page)
    await page.keyboard.press('w')
    await page.waitForSelector('button[data-focus="watched"][aria-pressed="true"]')
    await quiet(page)
    const before = askedBy(visitor).length
    await page.goBack()
    await until(page, isFilled)
    t.strictSame(await place(page), left)
    await quiet(page)
    t.strictSame(askedBy(visitor).slice(before), [])
    t.ok(await page.evaluate(`document.activeElement.querySelector('.seen') !== null`))
    t.strictSame(visitor.complaints, [])
  })

  t.test('going back after a reload of the film, and a reload of the list itself, show the same row and focus', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await openMovies(visitor)
    const left = await goDown(page)
    await page.keyboard.press('Enter')
    await page.waitForSelector('article.movie')
    await page.reload()
    await page.waitForSelector('article.movie')
    await quiet(page)
    await page.goBack()
    await until(page, `${isFilled} && document.activeElement.dataset.focus === '${left.focus}'`)
    t.strictSame(await place(page), left)
    await page.reload()
    await until(page, `${isFilled} && document.activeElement.dataset.focus === '${left.focus}'`)
    t.strictSame(await place(page), left)
    t.strictSame(visitor.complaints, [])
  })
}
