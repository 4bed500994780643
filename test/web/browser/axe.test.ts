import { setTimeout as sleep } from 'node:timers/promises'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { isFirefox, launchBrowser, moveTo, needsBrowser, signInAt, startWebServer, visit } from './browser-fixture.ts'
import { everyPage, PLAYS_ON } from './every-page.ts'

/** Of a phone, a tablet and a screen; in Firefox, which applies the same rules to the same page, one. */
const WIDTHS = isFirefox ? [820] : [390, 820, 1440]
const HEIGHT = 900
/** The themes differ in nothing but colours. */
const LIGHT_RULES = { runOnly: ['color-contrast'] }
/** Longer than any transition of colours. */
const FADE_MS = 300

/** axe's findings on the current page, one line for each. */
async function faultsOf(page: Page, rules: object): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, ...rules })
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`))
}

/** In each theme, at each width. The page is dark before and after. */
async function faultsInLooks(page: Page, after?: (page: Page) => Promise<void>): Promise<readonly string[]> {
  const faults = await faultsAtWidths(page, {}, after)
  // Firefox has no emulated theme.
  if (isFirefox) return faults
  await switchTo(page, 'light')
  await sleep(FADE_MS)
  const ofLight = await faultsAtWidths(page, LIGHT_RULES, after)
  await switchTo(page, 'dark')
  return [...faults, ...ofLight.map((fault) => `light, ${fault}`)]
}

const switchTo = (page: Page, theme: 'dark' | 'light'): Promise<void> =>
  page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])

async function faultsAtWidths(page: Page, rules: object, after?: (page: Page) => Promise<void>): Promise<readonly string[]> {
  const faults: string[] = []
  for (const width of WIDTHS) {
    await page.setViewport({ width, height: HEIGHT })
    await after?.(page)
    for (const fault of await faultsOf(page, rules)) faults.push(`${width} px: ${fault}`)
  }
  return faults
}

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startWebServer(t, { env: PLAYS_ON })
  const pages = await everyPage(server.api)

  t.test('axe finds no fault in any page, in both themes, at three widths', { timeout: 900_000 }, async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await page.goto(`${server.url}/sign-in`)
    await page.waitForSelector('input[name=password]')
    t.strictSame(await faultsInLooks(page), [], 'signing in')
    await signInAt(visitor, server.url)
    for (const { name, path, shows, fails, after } of pages) {
      if (fails) visitor.expect(new RegExp(`status of ${fails}`))
      await page.setViewport({ width: WIDTHS[0] ?? 0, height: HEIGHT })
      await moveTo(page, `${server.url}${path}`)
      await page.waitForSelector(shows)
      t.strictSame(await faultsInLooks(page, after), [], name)
    }
    t.strictSame(visitor.complaints, [])
  })
}
