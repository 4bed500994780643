/** A television of 1920 x 1080 in Chromium: presses keys of a remote control, and looks where the focus is. */
import type { KeyInput, Page } from 'puppeteer-core'
import type { Test } from 'tap'
import { signInAt, type Visitor } from './browser-fixture.ts'

export const SCREEN = { width: 1920, height: 1080 }
/** The server resizes images when they are asked for; on a machine that does other work it refuses some. */
const LATER = /status of 503 .*\/api\/images\//
const MOST_STEPS = 60

export interface Focused {
  readonly tag: string
  readonly name: string
  readonly class: string
  readonly text: string
  readonly href: string
  readonly ringPx: number
  readonly isSeen: boolean
}

export const focused = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { top, bottom, left, right } = element.getBoundingClientRect()
    return {
      tag: element.tagName.toLowerCase(),
      name: element.getAttribute('name') ?? '',
      class: element.getAttribute('class') ?? '',
      text: (element.getAttribute('aria-label') ?? element.textContent ?? '').trim(),
      href: element.getAttribute('href') ?? '',
      ringPx: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
      isSeen: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
    }
  })

/** A press, and the focus after it, which must be visible. */
export async function press(t: Test, page: Page, key: KeyInput): Promise<Focused> {
  await page.keyboard.press(key)
  const now = await focused(page)
  if (now.tag === 'body' || now.ringPx < 3 || !now.isSeen) t.fail(`after ${key} the focus cannot be seen: ${JSON.stringify(now)}`)
  return now
}

/** Presses one key until the focus is there, at most until it does not move any more. */
export async function pressUntil(t: Test, page: Page, key: KeyInput, isThere: (now: Focused) => boolean): Promise<boolean> {
  for (let n = 0; n < MOST_STEPS; n += 1) {
    const now = await press(t, page, key)
    if (isThere(now)) return true
  }
  return false
}

/** The page is drawn, and what can be opened has the focus. */
export const ready = (page: Page, selector: string): Promise<unknown> =>
  page.waitForFunction((selector) => document.activeElement?.matches(selector), {}, selector)

export async function television(t: Test, visitor: Visitor, url: string): Promise<Page> {
  const { page } = visitor
  visitor.expect(LATER)
  await page.setViewport(SCREEN)
  await signInAt(visitor, url)
  await page.goto(`${url}/?tv=1`)
  await ready(page, 'main .card > a')
  t.equal(await page.evaluate('getComputedStyle(document.documentElement).fontSize'), '24px')
  return page
}
