/** Second factors and access tokens in the web client. */
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { codeAt, fromBase32, stepAt } from '../../../src/app/accounts/totp.ts'
import { launchBrowser, makeUser, needsBrowser, signInAt, textsOf, until, visit } from './browser-fixture.ts'
import { startMoviesServer } from './movies-server.ts'

const textOf = (page: Page, selector: string): Promise<string> => page.$eval(selector, (element) => element.textContent ?? '')
const valueOf = (page: Page, selector: string): Promise<string> => page.$eval(selector, (element) => (element as HTMLInputElement).value)

async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults
  return violations.map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

async function confirm(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`dialog input[name=${name}]`).fill(value)
  await page.locator('dialog .actions .primary, dialog .actions .danger').click()
}

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 20 })

  t.test('a second factor is set up, asked for at the next sign-in, and turned off', { timeout: 120_000 }, async (t) => {
    const ann = await makeUser(server.api, 'Ann')
    const visitor = await visit(t, browser)
    const { page } = visitor
    visitor.expect(/422/)
    await signInAt(visitor, server.url, ann)
    await page.goto(`${server.url}/settings/second-factor`)
    await page.locator('.settings-part .primary').click()
    await confirm(page, { password: ann.password })
    await page.waitForSelector('dialog svg.qr path')
    t.strictSame(await faultsOf(page), [], 'axe finds no fault')
    const secret = await valueOf(page, 'dialog input[name=secret]')
    const codes = (await textOf(page, 'dialog .codes')).split('\n')
    t.equal(codes.length, 10)
    await confirm(page, { code: '000000' })
    await page.waitForSelector('dialog [aria-invalid]')
    await confirm(page, { code: codeAt(fromBase32(secret), stepAt(Date.now())) })
    await until(page, "document.querySelector('dialog') === null")
    await page.waitForSelector('.settings-part .danger')

    const other = await visit(t, browser)
    other.expect(/422/)
    await other.page.goto(`${server.url}/sign-in?to=%2Fcollections`)
    await other.page.locator('input[name=email]').fill(ann.email)
    await other.page.locator('input[name=password]').fill(ann.password)
    await other.page.locator('form button.primary').click()
    await other.page.waitForSelector('input[name=code]')
    await until(other.page, "document.activeElement.name === 'code'")
    t.strictSame(await faultsOf(other.page), [], 'axe finds no fault')
    await other.page.keyboard.type('123456')
    await other.page.keyboard.press('Enter')
    await other.page.waitForSelector('[aria-invalid]')
    await other.page.locator('input[name=code]').fill(codes[0] ?? '')
    await other.page.keyboard.press('Enter')
    await other.page.waitForFunction('location.pathname === "/collections"')

    await page.reload()
    await page.waitForSelector('.settings-part .danger')
    t.match(await textsOf(page, '.settings-part p'), [/.*/, /left: 9/])
    await page.locator('.settings-part .danger').click()
    await confirm(page, { password: ann.password, code: codes[1] ?? '' })
    await page.waitForSelector('.settings-part .primary')
    t.strictSame([...visitor.complaints, ...other.complaints], [])
  })

  t.test('a passkey is added, signs in instead of a code, and is removed', { timeout: 120_000 }, async (t) => {
    const eve = await makeUser(server.api, 'Eve')
    // Passkeys need a name: an address alone has none.
    const url = server.url.replace('127.0.0.1', 'localhost')
    const visitor = await visit(t, browser)
    const { page } = visitor
    const devtools = await page.createCDPSession()
    await devtools.send('WebAuthn.enable')
    const options = { protocol: 'ctap2', transport: 'usb', automaticPresenceSimulation: true } as const
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
    await signInAt(visitor, url, eve)
    await page.goto(`${url}/settings/second-factor`)
    await page.locator('.settings-part .primary').click()
    await confirm(page, { password: eve.password })
    await page.waitForSelector('dialog svg.qr path')
    const secret = await valueOf(page, 'dialog input[name=secret]')
    await confirm(page, { code: codeAt(fromBase32(secret), stepAt(Date.now())) })
    await until(page, "document.querySelector('dialog') === null")
    await page.locator('.settings-part > button').click()
    await page.waitForSelector('dialog input[name=name]')
    t.strictSame(await faultsOf(page), [], 'axe finds no fault')
    await confirm(page, { name: 'Key ring', password: eve.password })
    await until(page, "document.querySelector('.file strong')?.textContent === 'Key ring'")

    await page.locator('button ::-p-text(Sign out)').click()
    await page.waitForSelector('input[name=email]')
    await page.locator('input[name=email]').fill(eve.email)
    await page.locator('input[name=password]').fill(eve.password)
    await page.locator('form button.primary').click()
    await page.waitForSelector('input[name=code]')
    await page.locator('button ::-p-text(Use a passkey)').click()
    await page.waitForSelector('.account')
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
    t.match(credentials, [{ rpId: 'localhost' }])

    await page.goto(`${url}/settings/second-factor`)
    await page.locator('.file button').click()
    await confirm(page, {})
    await until(page, "document.querySelector('.file') === null")
    t.strictSame(visitor.complaints, [])
  })

  t.test('an access token is created, shown once, and revoked', { timeout: 120_000 }, async (t) => {
    const ben = await makeUser(server.api, 'Ben')
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInAt(visitor, server.url, ben)
    await page.goto(`${server.url}/settings/tokens`)
    await page.locator('.settings-part > .primary').click()
    await page.waitForSelector('dialog input[name=days]')
    t.equal(await page.$('dialog input[name=admin]'), null, 'this scope is for administrators')
    t.strictSame(await faultsOf(page), [], 'axe finds no fault')
    await page.locator('dialog input[name=playback]').click()
    await confirm(page, { name: 'Script', password: ben.password })
    await page.waitForSelector('dialog input[name=shown]')
    const token = await valueOf(page, 'dialog input[name=shown]')
    const statusOf = async () => (await fetch(`${server.url}/v1/movies`, { headers: { authorization: `Bearer ${token}` } })).status
    t.equal(await statusOf(), 200)
    await page.locator('dialog input[type=checkbox]').click()
    await page.locator('dialog .primary').click()
    await until(page, "document.querySelector('dialog') === null")
    t.strictSame(await textsOf(page, '.file strong'), ['Script'])
    t.notMatch(await page.content(), token)
    await page.locator('.file button').click()
    await page.waitForSelector('dialog .danger')
    t.equal(await statusOf(), 200, 'it asks first')
    await confirm(page, {})
    await until(page, "document.querySelector('.file') === null")
    t.equal(await statusOf(), 401)
    t.strictSame(visitor.complaints, [])
  })
}
