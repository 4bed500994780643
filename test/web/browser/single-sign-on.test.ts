/** Single sign-on in the web client: a whole server, and a real identity provider on another site. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { builtWeb } from './built-web.ts'
import { codeAt, fromBase32, stepAt } from '../../../src/app/accounts/totp.ts'
import { freePort } from '../../fakes/server.ts'
import { CLIENT, startIdentityProvider } from '../../fixtures/identity-provider.ts'
import { signIn, startServer } from '../../system/whole/server-process.ts'
import { launchBrowser, makeUser, needsBrowser, signInAt, until, visit } from './browser-fixture.ts'

const AT_PROVIDER = '.door a.button'

/** Waits until it is said. */
const isSaid = (page: Page, words: string) =>
  until(page, `[...document.querySelectorAll('[role=status]')].some((status) => status.textContent.includes(${JSON.stringify(words)}))`)

const browserPath = needsBrowser(t)
if (browserPath) {
  await builtWeb()
  const browser = await launchBrowser(t, browserPath)
  const dataDir = await mkdtemp(join(tmpdir(), 'marquee-web-'))
  const port = await freePort()
  // Another name than the provider's: cookies and policies then treat the two as different sites.
  const url = `http://localhost:${port}`
  const provider = await startIdentityProvider(t, [`${url}/api/auth/oidc/callback`])
  const server = await startServer({
    dataDir,
    env: {
      MARQUEE_PORT: String(port),
      MARQUEE_OIDC_ISSUER: provider.issuer,
      MARQUEE_OIDC_CLIENT_ID: CLIENT.clientId,
      MARQUEE_OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      MARQUEE_OIDC_NAME: 'Fixture login',
    },
  })
  t.teardown(async () => {
    await server.end('SIGTERM')
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  })
  const api = await signIn(server.url)

  t.test('an account is linked at the first sign-in, and needs no password afterwards', { timeout: 120_000 }, async (t) => {
    const ann = await makeUser(api, 'Ann')
    provider.somebody = { sub: 'ann' }
    const first = await visit(t, browser)
    await first.page.goto(`${url}/sign-in?to=%2Fwatchlist`)
    await first.page.locator(AT_PROVIDER).click()
    await isSaid(first.page, 'password once')
    t.equal(await first.page.evaluate('location.hash'), '', 'the address does not keep it')
    await first.page.locator('input[name=email]').fill(ann.email)
    await first.page.locator('input[name=password]').fill(ann.password)
    await first.page.locator('form button.primary').click()
    await first.page.waitForFunction('location.pathname === "/watchlist"')
    await isSaid(first.page, 'is linked')

    const again = await visit(t, browser)
    await again.page.goto(`${url}/collections`)
    await again.page.locator(AT_PROVIDER).click()
    await again.page.waitForFunction('location.pathname === "/collections" && document.querySelector(".account") !== null')
    t.strictSame([...first.complaints, ...again.complaints], [])
  })

  t.test('whoever is signed in links the account in the settings, and unlinks it', { timeout: 120_000 }, async (t) => {
    const ben = await makeUser(api, 'Ben')
    const visitor = await visit(t, browser)
    const { page } = visitor
    visitor.expect(/422/)
    await signInAt(visitor, url, ben)
    await page.goto(`${url}/settings/logins`)
    provider.somebody = undefined
    await page.locator('.settings-part a.button').click()
    await isSaid(page, 'did not sign in there')
    provider.somebody = { sub: 'ben' }
    await page.locator('.settings-part a.button').click()
    await page.locator('dialog input[name=password]').fill('wrong')
    await page.locator('dialog .primary').click()
    await page.waitForSelector('dialog [aria-invalid]')
    await page.locator('dialog input[name=password]').fill(ben.password)
    await page.locator('dialog .primary').click()
    await page.waitForFunction("document.querySelector('.settings-part a.button') === null")
    await page.locator('.settings-part > button:last-child').click()
    await page.waitForSelector('.settings-part a.button')
    t.strictSame(visitor.complaints, [])
  })

  t.test('the second factor is asked for after the provider', { timeout: 120_000 }, async (t) => {
    const eve = await makeUser(api, 'Eve')
    const own = await signIn(url, eve)
    const { json } = await own.send('POST', '/api/auth/two-factor/enable', { password: eve.password })
    const { secret, backupCodes } = json as unknown as { secret: string; backupCodes: readonly string[] }
    await own.send('POST', '/api/auth/two-factor/activate', { code: codeAt(fromBase32(secret), stepAt(Date.now())) })
    provider.somebody = { sub: 'eve' }
    const visitor = await visit(t, browser)
    const { page } = visitor
    const enterCode = async (code: string | undefined) => {
      await page.locator('input[name=code]').fill(code ?? '')
      await page.locator('form button.primary').click()
      await page.waitForFunction('location.pathname === "/watchlist"')
    }
    await page.goto(`${url}/watchlist`)
    await page.locator(AT_PROVIDER).click()
    await isSaid(page, 'password once')
    await page.locator('input[name=email]').fill(eve.email)
    await page.locator('input[name=password]').fill(eve.password)
    await page.locator('form button.primary').click()
    await enterCode(backupCodes[0])
    await isSaid(page, 'is linked')
    const again = await visit(t, browser)
    await again.page.goto(`${url}/watchlist`)
    await again.page.locator(AT_PROVIDER).click()
    await again.page.locator('input[name=code]').fill(backupCodes[1] ?? '')
    await again.page.locator('form button.primary').click()
    await again.page.waitForFunction('location.pathname === "/watchlist" && document.querySelector(".account") !== null')
    t.notMatch(server.output(), 'challenge=', 'no log holds what the fragment held')
    t.strictSame([...visitor.complaints, ...again.complaints], [])
  })

  t.test(
    'an administrator allows a link by e-mail beside the account, sees until when, and withdraws it',
    { timeout: 120_000 },
    async (t) => {
      const kim = await makeUser(api, 'Kim')
      const visitor = await visit(t, browser)
      const { page } = visitor
      await signInAt(visitor, url)
      const { items } = (await api.send('GET', '/v1/users?q=kim')).json as unknown as { items: readonly { id: string }[] }
      const press = (name: string) => page.locator(`::-p-aria([name="${name}"][role="button"])`).click()
      const shows = (words: string) => until(page, `document.body.innerText.includes(${JSON.stringify(words)})`)
      await page.goto(`${url}/admin/users/${items[0]?.id}`)
      await shows('The account is not linked')
      await press('Allow the link by e-mail')
      await shows('is allowed until')
      await page.reload()
      await shows('is allowed until')
      await press('Withdraw')
      await shows('The account is not linked')
      await press('Allow the link by e-mail')
      await shows('is allowed until')

      provider.somebody = { sub: 'kim', email: kim.email, email_verified: true }
      const other = await visit(t, browser)
      await other.page.goto(`${url}/watchlist`)
      await other.page.locator(AT_PROVIDER).click()
      await other.page.waitForFunction('location.pathname === "/watchlist" && document.querySelector(".account") !== null')
      await shows('is linked with one at the identity provider')
      t.strictSame([...visitor.complaints, ...other.complaints], [])
    },
  )

  t.test('why nobody was signed in is said in words, whatever the address says', { timeout: 60_000 }, async (t) => {
    const visitor = await visit(t, browser)
    for (const [reason, words] of [
      ['away', 'does not answer'],
      ['denied', 'groups'],
      ['<img src=x>', 'not accepted'],
    ] as const) {
      await visitor.page.goto('about:blank')
      await visitor.page.goto(`${url}/sign-in#sign-in=${encodeURIComponent(reason)}`)
      await isSaid(visitor.page, words)
    }
    t.strictSame(visitor.complaints, [])
  })
}
