import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { isFirefox, launchBrowser, needsBrowser, signInAt, startWebServer, visit } from './browser-fixture.ts'
import { everyPage, PLAYS_ON } from './every-page.ts'

/** Of a phone, a tablet and a screen; in Firefox, which applies the same rules to the same page, one. */
const WIDTHS = isFirefox ? [820] : [390, 820, 1440]
const HEIGHT = 900
/** The themes differ in nothing but colours. */
const RULES = { dark: {}, light: { runOnly: ['color-contrast'] } } as const

/** axe's findings on the current page, one line for each. */
async function faultsOf(page: Page, rules: object): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules })
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`))
}

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

  for (const theme of ['dark', 'light'] as const) {
    const rules = RULES[theme]
    t.test(`axe finds no fault in any page, ${theme}, at three widths`, { timeout: 900_000 }, async (t) => {
      const visitor = await visit(t, browser, { theme })
      const { page } = visitor
      await page.goto(`${server.url}/sign-in`)
      await page.waitForSelector('input[name=password]')
      t.strictSame(await faultsAtWidths(page, rules), [], 'signing in')
      await signInAt(visitor, server.url)
      for (const { name, path, shows, fails, after } of pages) {
        if (fails) visitor.expect(new RegExp(`status of ${fails}`))
        await page.setViewport({ width: WIDTHS[0] ?? 0, height: HEIGHT })
        await page.goto(`${server.url}${path}`)
        await page.waitForSelector(shows)
        t.strictSame(await faultsAtWidths(page, rules, after), [], name)
      }
      t.strictSame(visitor.complaints, [])
    })
  }
}
