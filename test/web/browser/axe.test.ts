import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { launchBrowser, needsBrowser, signInAt, startWebServer, visit } from './browser-fixture.ts'
import { everyPage, PLAYS_ON } from './every-page.ts'

const WIDTHS = [390, 820, 1440]
const THEMES = ['dark', 'light'] as const
const HEIGHT = 900

/** axe's findings on the current page, one line for each. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`))
}

async function faultsAtWidths(page: Page, after?: (page: Page) => Promise<void>): Promise<readonly string[]> {
  const faults: string[] = []
  for (const width of WIDTHS) {
    await page.setViewport({ width, height: HEIGHT })
    await after?.(page)
    for (const fault of await faultsOf(page)) faults.push(`${width} px: ${fault}`)
  }
  return faults
}

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startWebServer(t, { env: PLAYS_ON })
  const pages = await everyPage(server.api)

  for (const theme of THEMES) {
    t.test(`axe finds no fault in any page, ${theme}, at three widths`, { timeout: 900_000 }, async (t) => {
      const visitor = await visit(t, browser, { theme })
      const { page } = visitor
      await page.goto(`${server.url}/sign-in`)
      await page.waitForSelector('input[name=password]')
      t.strictSame(await faultsAtWidths(page), [], 'signing in')
      await signInAt(visitor, server.url)
      for (const { name, path, shows, fails, after } of pages) {
        if (fails) visitor.expect(new RegExp(`status of ${fails}`))
        await page.setViewport({ width: WIDTHS[0] ?? 0, height: HEIGHT })
        await page.goto(`${server.url}${path}`)
        await page.waitForSelector(shows)
        t.strictSame(await faultsAtWidths(page, after), [], name)
      }
      t.strictSame(visitor.complaints, [])
    })
  }
}
