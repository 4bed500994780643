/** Televisions: on every page the focus is seen at every step. */
import t from 'tap'
import { launchBrowser, needsBrowser, quiet, startWebServer, visit } from './browser-fixture.ts'
import { everyPage, PLAYS_ON } from './every-page.ts'
import { press, SCREEN, television } from './tv-fixture.ts'

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startWebServer(t, { env: PLAYS_ON })
  const pages = await everyPage(server.api)

  t.test('on every page the focus is seen from the beginning, and arrows keep it', async (t) => {
    const visitor = await visit(t, browser)
    const page = await television(t, visitor, server.url)
    for (const { name: title, path, shows, fails, after } of pages) {
      if (fails) visitor.expect(new RegExp(`status of ${fails}`))
      await page.goto(`${server.url}${path}`)
      await page.waitForSelector(shows)
      await after?.(page)
      await quiet(page)
      await page.waitForFunction(`!document.activeElement.matches('body, h1, main')`)
      const seen = new Set<string>()
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'ArrowLeft'] as const) {
        const { tag, name, text } = await press(t, page, key)
        seen.add(`${tag} ${name} ${text}`)
      }
      t.ok(seen.size > 1, `${title}: the focus moves`)
      t.ok(
        ((await page.evaluate('document.documentElement.scrollWidth')) as number) <= SCREEN.width,
        `${title} is no wider than the screen`,
      )
    }
    t.strictSame(visitor.complaints, [])
  })
}
