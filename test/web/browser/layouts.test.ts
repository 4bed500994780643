import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { launchBrowser, moveTo, needsBrowser, signInAt, startWebServer, textsOf, visit, type VisitorOptions } from './browser-fixture.ts'
import { everyPage, PLAYS_ON, type SomePage } from './every-page.ts'

/** A screen of 1,280 px at 400 %. */
const ZOOMED = { width: 320, height: 512 }
const WIDTHS = [320, 390, 820, 1440]
const HEIGHT = 900
/** Narrower windows have the places at the bottom. */
const LEAST_WITH_RAIL = 600
const WINDOW = { width: 1280, height: HEIGHT }

/** Texts half as long again, without accents, which would disturb the tests: about 40 % more text. */
const LONGER = `
  const longer = (text) => text.replace(/\\p{L}{2,}/gu, (word) => word + word.slice(0, Math.ceil(word.length * 0.4)).toLowerCase())
  for (const node of document.querySelectorAll('body *')) {
    if (['SCRIPT', 'STYLE', 'OPTION'].includes(node.tagName)) continue
    for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) child.data = longer(child.data)
  }`

/** WCAG 1.4.12. The page's policy blocks style elements, so the styles are set one by one. */
const SPACED = `
  for (const element of document.querySelectorAll('body *')) {
    element.style.setProperty('line-height', '1.5', 'important')
    element.style.setProperty('letter-spacing', '0.12em', 'important')
    element.style.setProperty('word-spacing', '0.16em', 'important')
    if (element.tagName === 'P') element.style.setProperty('margin-block-end', '2em', 'important')
  }`

/** Unreadable or unreachable content: the page scrolls sideways, or text is cut off or outside the window. */
function faultsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const faults: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    const inScroller = (element: Element | null): boolean => {
      for (let at = element; at && at !== document.body; at = at.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(at).overflowX) || getComputedStyle(at).clipPath !== 'none') return true
      }
      return false
    }
    if (scrollWidth > clientWidth) {
      const wide = [...document.querySelectorAll('body *')].filter(
        (element) => element.getBoundingClientRect().right > clientWidth + 1 && !inScroller(element) && element.children.length === 0,
      )
      const names = wide.slice(0, 3).map((element) => `${element.parentElement?.className} ${element.tagName} ${element.textContent}`)
      faults.push(`the page is ${scrollWidth} px wide in a window of ${clientWidth}: ${names.join(', ')}`)
    }
    for (const element of document.querySelectorAll<HTMLElement>('a, button, input, select, h1, h2, h3, p, dd, dt, strong, label')) {
      const { left, right, width } = element.getBoundingClientRect()
      if (width === 0 || element.classList.contains('skip') || inScroller(element)) continue
      const name = `${element.tagName} "${element.textContent.trim().slice(0, 30)}"`
      if (left < -1 || right > clientWidth + 1) faults.push(`${name} reaches from ${Math.round(left)} to ${Math.round(right)}`)
      const isCut =
        element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && getComputedStyle(element).overflowX !== 'visible'
      if (isCut && !['INPUT', 'SELECT'].includes(element.tagName)) faults.push(`${name} is cut off`)
    }
    return faults
  })
}

/** Sizes of clickable elements that are too small, unless they are part of a line of text. */
function smallTargets(page: Page, leastPx: number): Promise<readonly string[]> {
  return page.evaluate((leastPx) => {
    const faults: string[] = []
    for (const element of document.querySelectorAll<HTMLElement>('a, button, input, select')) {
      const target = element instanceof HTMLInputElement && element.type !== 'search' ? (element.closest('label') ?? element) : element
      const { width, height } = target.getBoundingClientRect()
      const isInText = getComputedStyle(element).display === 'inline'
      if (width === 0 || isInText || element.classList.contains('skip') || element.closest('.letters')) continue
      if (width < leastPx - 0.5 || height < leastPx - 0.5)
        faults.push(`${element.tagName} "${element.textContent.trim()}" ${width}×${height}`)
    }
    return faults
  }, leastPx)
}

/** Texts that are cut off, and words that stand on more than one line. */
function wordsNotWhole(elements: readonly Element[]): readonly string[] {
  return elements.flatMap((element) => {
    const text = element.firstChild
    if (!text || element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight) return [element.textContent]
    const range = document.createRange()
    return [...element.textContent.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      return range.getClientRects().length > 1 ? [word] : []
    })
  })
}

interface Look {
  readonly visitor: { readonly page: Page; expect(...patterns: readonly RegExp[]): void }
  readonly pages: readonly SomePage[]
  readonly url: string
}

type Go = (page: Page, url: string) => Promise<unknown>

/** Loads each page: what was changed in the one before is gone. */
const load: Go = (page, url) => page.goto(url)

async function eachPage({ visitor, pages, url }: Look, go: Go, look: (page: SomePage) => Promise<unknown>): Promise<void> {
  for (const some of pages) {
    if (some.fails) visitor.expect(new RegExp(`status of ${some.fails}`))
    await go(visitor.page, `${url}${some.path}`)
    await visitor.page.waitForSelector(some.shows)
    await some.after?.(visitor.page)
    await look(some)
  }
}

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startWebServer(t, { env: PLAYS_ON })
  const pages = await everyPage(server.api)
  const signedIn = async (t: Test, options: VisitorOptions) => {
    const visitor = await visit(t, browser, options)
    await signInAt(visitor, server.url)
    return visitor
  }
  const someone = async (t: Test, { width, height } = WINDOW) => {
    const visitor = await signedIn(t, { width, height })
    return { visitor, page: visitor.page, look: { visitor, pages, url: server.url } }
  }

  t.test(
    'at 400 % and at every width nothing is cut off, also with wider text and longer words; targets for a mouse have 24 px',
    async (t) => {
      const { page, look } = await someone(t)
      await eachPage(look, load, async ({ name }) => {
        t.strictSame(await smallTargets(page, 24), [], `${name}, by mouse`)
        await page.setViewport(ZOOMED)
        t.strictSame(await faultsOf(page), [], name)
        await page.evaluate(SPACED)
        t.strictSame(await faultsOf(page), [], `${name}, with the text spaced`)
        await page.evaluate(LONGER)
        t.strictSame(await faultsOf(page), [], `${name}, spaced and longer`)
        for (const width of WIDTHS) {
          await page.setViewport({ width, height: HEIGHT })
          t.strictSame(await faultsOf(page), [], `${name}, spaced and longer, ${width} px`)
        }
        await page.setViewport(WINDOW)
      })
    },
  )

  t.test('from right to left, everything is on the other side and nothing is cut off', async (t) => {
    const { page, look } = await someone(t)
    await page.evaluateOnNewDocument(
      'new MutationObserver(() => document.documentElement && (document.documentElement.dir = "rtl")).observe(document, { childList: true })',
    )
    await page.reload()
    await eachPage(look, moveTo, async ({ name }) => {
      for (const width of [390, 1440]) {
        await page.setViewport({ width, height: HEIGHT })
        t.strictSame(await faultsOf(page), [], `${name}, ${width} px`)
      }
      const rail = await page.$eval('.bar', (bar) => bar.getBoundingClientRect().left)
      t.ok(rail > 1000, `${name}: the rail is at the right`)
    })
  })

  t.test('with a finger every target has 44 px', async (t) => {
    const { page, look } = await someone(t)
    await page.setViewport({ width: 390, height: HEIGHT, hasTouch: true, isMobile: true })
    await eachPage(look, moveTo, async ({ name }) => t.strictSame(await smallTargets(page, 44), [], `${name}, touched`))
  })

  t.test('a phone has its places at the bottom and begins with films, not with filters', async (t) => {
    const { page } = await someone(t, { width: 390, height: 844 })
    await page.goto(`${server.url}/films`)
    await page.waitForSelector('.row .card a')
    const { places, firstMovie } = await page.evaluate(() => ({
      places: document.querySelector('.places')?.getBoundingClientRect().bottom,
      firstMovie: document.querySelector('.row .card')?.getBoundingClientRect().top ?? Infinity,
    }))
    t.equal(places, 844)
    t.ok(firstMovie < 260, `the first film is ${firstMovie} px from the top`)
    await page.locator('.filters-toggle').click()
    await page.waitForSelector('.filter-choices select')
    t.ok((await textsOf(page, '.filter-choices label span')).length > 2)
  })

  t.test('no word of the rail is broken or cut off, in English and in German', async (t) => {
    for (const [language, word] of Object.entries({ 'en-GB': 'Collections', 'de-DE': 'Sammlungen' })) {
      const { page } = await signedIn(t, { language })
      await page.waitForFunction((word) => document.querySelector('.places')?.textContent.includes(word), {}, word)
      for (const width of [LEAST_WITH_RAIL, 1440]) {
        await page.setViewport({ width, height: HEIGHT })
        t.strictSame(await page.$$eval('.places span', wordsNotWhole), [], `${language}, ${width} px`)
      }
    }
  })

  t.test('those who want no movement see none', async (t) => {
    const { page } = await someone(t)
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }])
    await page.goto(server.url)
    await page.waitForSelector('.card')
    const moving = await page.$$eval('body *', (elements) =>
      elements.filter((element) => {
        const { transitionDuration, animationName } = getComputedStyle(element)
        return Number.parseFloat(transitionDuration) > 0 || animationName !== 'none'
      }),
    )
    t.equal(moving.length, 0)
  })

  t.test('with forced colours the place, the focus and watched films remain distinguishable', async (t) => {
    const { page } = await someone(t)
    const session = await page.createCDPSession()
    await session.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] })
    await page.goto(server.url)
    await page.waitForSelector('.progress i')
    const outlineOf = (selector: string) => page.$eval(selector, (element) => getComputedStyle(element).outlineStyle)
    t.equal(await outlineOf('.places [aria-current]'), 'solid')
    t.not(
      await page.$eval('.progress i', (bar) => getComputedStyle(bar).backgroundColor),
      await page.$eval('.progress', (track) => getComputedStyle(track).backgroundColor),
    )
  })

  t.test('those who want more contrast get it', async (t) => {
    const { page } = await someone(t)
    await page.emulateMediaFeatures([{ name: 'prefers-contrast', value: 'more' }])
    const [soft, text] = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement)
      return [style.getPropertyValue('--soft'), style.getPropertyValue('--text')]
    })
    t.equal(soft, text)
  })
}
