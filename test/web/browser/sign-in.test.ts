import t from 'tap'
import { ADMIN } from '../../system/whole/server-process.ts'
import { launchBrowser, makeUser, needsChromium, signInAt, startWebServer, visit } from './browser-fixture.ts'

const chromium = needsChromium(t)
if (chromium) {
  const browser = await launchBrowser(t, chromium)
  const server = await startWebServer(t)

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

  t.test('a wrong password is said beside the form, and what was typed stays', async (t) => {
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
    const other = await context.newPage()
    await other.goto(`${server.url}/films`)
    await other.waitForSelector('.card')
    await page.goto(`${server.url}/settings`)
    visitor.expect(/401/)
    await page.waitForSelector('.settings-side button')
    await page.click('.settings-side button')
    await page.waitForSelector('input[name=password]')
    t.equal((await context.cookies()).filter(({ name }) => name.endsWith('session_token') && name !== '').length, 0)
    await other.waitForSelector('input[name=password]', { timeout: 10_000 })
    await page.goBack()
    await page.waitForSelector('input[name=password]')
    t.equal(await page.$('.card'), null)
    t.equal(await other.$('.card'), null)
    t.strictSame(visitor.complaints, [])
  })

  t.test('no token is in any address, in storage or within reach of a script', async (t) => {
    const visitor = await visit(t, browser)
    await signInAt(visitor, server.url)
    await visitor.page.waitForSelector('.card')
    t.notOk(visitor.requests.some((request) => /token=/.test(request)))
    t.strictSame(await visitor.page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]'), ['', 0, 0])
  })

  t.test('a user never asks a route of administrators', async (t) => {
    const account = await makeUser(server.api, 'Ursula')
    const visitor = await visit(t, browser)
    await signInAt(visitor, server.url, account)
    for (const path of ['/', '/films', '/watchlist', '/collections', '/settings', '/settings/logins']) {
      await visitor.page.goto(`${server.url}${path}`, { waitUntil: 'networkidle2' })
    }
    t.notOk(
      visitor.requests.some((request) => /\/v1\/(admin|users\b(?!\/me)|audit)|scope=all/.test(request)),
      visitor.requests.join('\n'),
    )
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
