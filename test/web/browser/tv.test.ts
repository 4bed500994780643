/** Televisions: everything by arrows, Enter and Back, and the focus is seen at every step. */
import type { KeyInput, Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { launchBrowser, needsChromium, quiet, signInAt, startWebServer, visit, type Visitor } from './browser-fixture.ts'
import { everyPage, PLAYS_ON } from './every-page.ts'

t.setTimeout(600_000)

const SCREEN = { width: 1920, height: 1080 }
const MOST_STEPS = 60

interface Focused {
  readonly tag: string
  readonly text: string
  readonly href: string
  readonly ringPx: number
  readonly isSeen: boolean
}

const focused = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { top, bottom, left, right } = element.getBoundingClientRect()
    return {
      tag: element.tagName.toLowerCase(),
      text: (element.getAttribute('aria-label') ?? element.textContent ?? '').trim(),
      href: element.getAttribute('href') ?? '',
      ringPx: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
      isSeen: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
    }
  })

/** A press, and the focus after it, which must be visible. */
async function press(t: Test, page: Page, key: KeyInput): Promise<Focused> {
  await page.keyboard.press(key)
  const now = await focused(page)
  if (now.tag === 'body' || now.ringPx < 3 || !now.isSeen) t.fail(`after ${key} the focus cannot be seen: ${JSON.stringify(now)}`)
  return now
}

/** Presses one key until the focus is there, at most until it does not move any more. */
async function pressUntil(t: Test, page: Page, key: KeyInput, isThere: (now: Focused) => boolean): Promise<boolean> {
  for (let n = 0; n < MOST_STEPS; n += 1) {
    const now = await press(t, page, key)
    if (isThere(now)) return true
  }
  return false
}

/** The page is drawn, and what can be opened has the focus. */
const ready = (page: Page, selector: string): Promise<unknown> =>
  page.waitForFunction((selector) => document.activeElement?.matches(selector), {}, selector)

async function television(t: Test, visitor: Visitor, url: string): Promise<Page> {
  const { page } = visitor
  await page.setViewport(SCREEN)
  await signInAt(visitor, url)
  await page.goto(`${url}/?tv=1`)
  await ready(page, 'main .card > a')
  t.equal(await page.evaluate('getComputedStyle(document.documentElement).fontSize'), '24px')
  return page
}

const chromium = needsChromium(t)
if (chromium) {
  const browser = await launchBrowser(t, chromium)
  const server = await startWebServer(t, { env: PLAYS_ON })
  const pages = await everyPage(server.api)

  t.test('home, a film, playing it, and back again, by arrows, Enter and Back alone', async (t) => {
    const visitor = await visit(t, browser)
    const page = await television(t, visitor, server.url)
    t.ok(await pressUntil(t, page, 'ArrowDown', ({ href }) => href.startsWith('/films/')), 'down to a film')
    const { href } = await focused(page)
    await page.keyboard.press('Enter')
    await page.waitForFunction((path) => location.pathname === path, {}, href)
    await ready(page, 'main .primary')
    t.match(await focused(page), { ringPx: 5, isSeen: true })
    await page.keyboard.press('Enter')
    await page.waitForFunction(`document.querySelector('#player video')?.currentTime > 0.5`)
    t.match(await page.evaluate('location.pathname'), /^\/watch\//)

    await press(t, page, 'ArrowDown')
    t.ok(await page.evaluate(`document.activeElement.matches('#player .filled')`), 'the play button')
    await press(t, page, 'Enter')
    await page.waitForFunction(`document.querySelector('#player video').paused`)
    await press(t, page, 'ArrowRight')
    await press(t, page, 'ArrowRight')
    t.match(await focused(page), { text: /^Forward 10/ }, 'right goes along the buttons')
    await press(t, page, 'ArrowUp')
    t.equal(await page.evaluate(`document.activeElement.getAttribute('role')`), 'slider')
    const at = Number(await page.evaluate(`document.activeElement.getAttribute('aria-valuenow')`))
    await press(t, page, 'ArrowRight')
    await page.waitForFunction((at) => Number(document.activeElement?.getAttribute('aria-valuenow')) > at, {}, at)
    await press(t, page, 'ArrowDown')
    t.ok(await page.evaluate(`document.activeElement.closest('.deck') !== null`), 'down leads out of the slider')
    t.ok(await pressUntil(t, page, 'ArrowRight', ({ text }) => text === 'Settings'), 'and right to the settings')
    await page.keyboard.press('Enter')
    await ready(page, '#player [role=menu] .item')
    await press(t, page, 'ArrowDown')
    t.ok(await page.evaluate(`document.activeElement.matches('[role=menu] .item')`), 'within the menu')
    await page.keyboard.press('Escape')
    await page.waitForFunction(`!document.querySelector('#player .panel')`)
    await page.waitForFunction(`document.activeElement.closest('#player') !== null`)

    await page.keyboard.press('Escape')
    await page.waitForSelector('#player .asleep')
    await page.keyboard.press('Escape')
    await page.waitForFunction((path) => location.pathname === path, {}, href)
    await ready(page, 'main :is(a, button)')
    await page.keyboard.press('Escape')
    await page.waitForFunction(`location.pathname === '/'`)
    await page.waitForFunction((path) => document.activeElement?.getAttribute('href') === path, {}, href)
    t.match(await focused(page), { ringPx: 5, isSeen: true })
    t.strictSame(visitor.complaints, [])
  })

  t.test('the rail is reached from a row, and leads to every place', async (t) => {
    const visitor = await visit(t, browser)
    const page = await television(t, visitor, server.url)
    t.ok(await pressUntil(t, page, 'ArrowLeft', ({ href }) => ['/', '/films', '/search', '/watchlist'].includes(href)))
    t.ok(await pressUntil(t, page, 'ArrowUp', ({ href, text }) => href === '/' && text === 'Marquee'), 'up to its top')
    t.ok(await pressUntil(t, page, 'ArrowDown', ({ href }) => href === '/films'))
    await page.keyboard.press('Enter')
    await page.waitForSelector('.row .card > a')
    await ready(page, 'main :is(a, button, select, input)')
    t.ok(await pressUntil(t, page, 'ArrowDown', ({ href }) => href.startsWith('/films/')), 'into the list')
    t.ok(
      await pressUntil(t, page, 'ArrowLeft', ({ href }) => href === '/films' || !href.startsWith('/films/')),
      'and out of its first column',
    )
    t.strictSame(visitor.complaints, [])
  })

  t.test('a choice opens by Enter, takes arrows, and is left by Enter', async (t) => {
    const visitor = await visit(t, browser)
    const page = await television(t, visitor, server.url)
    await page.goto(`${server.url}/settings/look`)
    await page.waitForSelector('input[name=tv]')
    t.ok(await pressUntil(t, page, 'ArrowDown', ({ tag }) => tag === 'select'))
    await press(t, page, 'ArrowDown')
    t.not((await focused(page)).tag, 'select', 'arrows pass it')
    await press(t, page, 'ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForSelector('select[data-editing]')
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(`document.documentElement.lang === 'de' || document.querySelector('select').value === 'de'`)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForFunction(`!document.querySelector('[data-editing]')`)
    t.ok(await pressUntil(t, page, 'ArrowDown', ({ tag }) => tag === 'input'))
    await page.evaluate(`document.querySelector('input[name=tv]').focus()`)
    await page.keyboard.press('Enter')
    await page.waitForFunction(`document.documentElement.dataset.tv === undefined`)
    await page.goto(server.url)
    await page.waitForSelector('.card')
    t.equal(await page.evaluate('getComputedStyle(document.documentElement).fontSize'), '16px', 'it is kept')
    t.strictSame(visitor.complaints, [])
  })

  t.test('on every page of browsing the focus is seen from the beginning, and arrows keep it', async (t) => {
    const visitor = await visit(t, browser)
    const page = await television(t, visitor, server.url)
    for (const { name, path, shows, fails, after } of pages.filter((one) => !one.path.startsWith('/admin'))) {
      if (fails) visitor.expect(/404/)
      await page.goto(`${server.url}${path}`)
      await page.waitForSelector(shows)
      await after?.(page)
      await quiet(page)
      await page.waitForFunction(`!document.activeElement.matches('body, h1, main')`)
      const seen = new Set<string>()
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'ArrowLeft'] as const) {
        const { tag, text } = await press(t, page, key)
        seen.add(`${tag} ${text}`)
      }
      t.ok(seen.size > 1, `${name}: the focus moves`)
      t.ok(((await page.evaluate('document.documentElement.scrollWidth')) as number) <= SCREEN.width, `${name} is no wider than the screen`)
    }
    t.strictSame(visitor.complaints, [])
  })
}
