import t from 'tap'
import { startServer } from '../../system/whole/server-process.ts'
import { builtWeb } from './built-web.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser, needsBrowser, visit } from './browser-fixture.ts'

const browserPath = needsBrowser(t)
if (browserPath) {
  t.test('on a new server the first person creates the account of its administrator in the browser', async (t) => {
    await builtWeb()
    const dataDir = await mkdtemp(join(tmpdir(), 'marquee-web-'))
    const server = await startServer({ dataDir, env: { MARQUEE_SIGN_UP: 'first', MARQUEE_SETUP_TOKEN: 'only-for-the-owner' } })
    t.teardown(async () => {
      await server.end('SIGTERM')
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    })
    const visitor = await visit(t, await launchBrowser(t, browserPath))
    const { page } = visitor
    await page.goto(`${server.url}/sign-in`)
    await page.waitForSelector('a[href="/sign-up"]')
    await page.click('a[href="/sign-up"]')
    await page.locator('input[name=name]').fill('Ada')
    await page.locator('input[name=email]').fill('ada@example.org')
    await page.locator('input[name=password]').fill('a long enough password')
    await page.locator('input[name=setupToken]').fill('only-for-the-owner')
    await page.locator('form button.primary').click()
    await page.waitForSelector('.empty')
    t.match(await page.$eval('.empty', (element) => element.textContent), /No films yet.*Add library/s)
    t.match(await page.$eval('.account', (element) => element.textContent), /Ada/)
    t.strictSame(visitor.complaints, [])
  })
}
