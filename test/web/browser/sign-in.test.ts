import t from 'tap'
import { ADMIN, signIn } from '../../system/whole/server-process.ts'
import { findWholeBrowser, launchBrowser, makeUser, needsBrowser, quiet, signInAt, textsOf, until, visit } from './browser-fixture.ts'
import { startMoviesServer } from './movies-server.ts'

const browserPath = needsBrowser(t, findWholeBrowser)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 200 })

  t.test('a person who is not signed in is asked to, and comes back to the page that was wanted', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await page.goto(`${server.url}/collections`)
    await page.waitForSelector('input[name=password]')
    t.match(page.url(), /\/sign-in\?to=%2Fcollections$/)
    await page.locator('input[name=email]').fill(ADMIN.email)
    await page.locator('input[name=password]').fill(ADMIN.password)
    await page.locator('form button.primary').click()
    await page.waitForFunction('location.pathname === "/collections"')
    t.strictSame(visitor.complaints, [])
  })

  t.test('a wrong password is reported beside the form, and the typed text stays', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    visitor.expect(/401/)
    await page.goto(`${server.url}/sign-in`)
    await page.locator('input[name=email]').fill(ADMIN.email)
    await page.locator('input[name=password]').fill('not the password')
    await page.locator('form button.primary').click()
    await page.waitForSelector('[role=alert]')
    t.match(await page.$eval('[role=alert]', (element) => element.textContent), /wrong/)
    t.equal(await page.$eval('input[name=email]', (input) => input.value), ADMIN.email)
    t.strictSame(visitor.complaints, [])
  })

  t.test('an address elsewhere is never reached by way of the sign-in page', async (t) => {
    const visitor = await visit(t, browser)
    await visitor.page.goto(`${server.url}/sign-in?to=//example.org/`)
    await visitor.page.locator('input[name=email]').fill(ADMIN.email)
    await visitor.page.locator('input[name=password]').fill(ADMIN.password)
    await visitor.page.locator('form button.primary').click()
    await visitor.page.waitForSelector('nav.places')
    t.equal(visitor.page.url(), `${server.url}/`)
  })

  t.test('after signing out, Back shows nothing of before, in this tab and in another one', async (t) => {
    const visitor = await visit(t, browser)
    const { page, context } = visitor
    await signInAt(visitor, server.url)
    await page.waitForSelector('.card')
    const other = await visitor.open()
    await other.goto(`${server.url}/films`)
    await other.waitForSelector('.card')
    // A hidden tab renders nothing, so nothing in it can be clicked.
    await page.bringToFront()
    await page.goto(`${server.url}/settings`)
    visitor.expect(/401/)
    await page.waitForSelector('.settings-side button')
    await page.click('.settings-side button')
    await page.waitForSelector('input[name=password]')
    t.equal((await context.cookies()).filter(({ name }) => name.endsWith('session_token') && name !== '').length, 0)
    await until(other, "document.querySelector('input[name=password]') !== null", 10_000)
    await page.goBack()
    await page.waitForSelector('input[name=password]')
    t.equal(await page.$('.card'), null)
    t.equal(await other.$('.card'), null)
    t.strictSame(visitor.complaints, [])
  })

  t.test('signing out in one tab shows the sign-in page in all others within a second', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInAt(visitor, server.url)
    const others = [await visitor.open(), await visitor.open(), await visitor.open()]
    for (const other of others) {
      await other.goto(`${server.url}/films`)
      await other.waitForSelector('.card')
    }
    await page.bringToFront()
    await page.goto(`${server.url}/settings`)
    await page.waitForSelector('.settings-side button')
    await quiet(page)
    await page.click('.settings-side button')
    await page.waitForSelector('input[name=password]')
    for (const other of others) await until(other, "document.querySelector('input[name=password]') !== null", 1000)
    t.strictSame(await textsOf(page, '.card'), [])
    t.strictSame(visitor.complaints, [])
  })

  t.test('a login that is ended elsewhere shows the sign-in page, and says why', async (t) => {
    const account = await makeUser(server.api, 'Edith')
    const visitor = await visit(t, browser)
    const { page } = visitor
    visitor.expect(/401/, /ERR_/)
    await signInAt(visitor, server.url, account)
    await quiet(page)
    const elsewhere = await signIn(server.url, account)
    await elsewhere.send('POST', '/api/auth/revoke-other-sessions')
    await page.waitForSelector('input[name=password]')
    t.match(await page.$eval('main [role=status]', (element) => element.textContent), /signed out/)
    t.strictSame(visitor.complaints, [])
  })

  t.test('the policy of every page forbids inline scripts, frames and HTML from texts', async (t) => {
    for (const path of ['/', '/films', '/sign-in', '/watch/abcdefghijklmnopqrstu']) {
      const { status, headers } = await fetch(`${server.url}${path}`)
      t.equal(status, 200)
      const policy = headers.get('content-security-policy') ?? ''
      t.match(policy, /script-src 'self';/)
      t.match(policy, /trusted-types 'none'/)
      t.match(policy, /frame-ancestors 'none'/)
      t.notMatch(policy, /unsafe/)
    }
  })
}
