/** Administrators' accounts: made, granted, limited, disabled, signed out, and erased with a receipt. */
import t from 'tap'
import type { HTTPRequest, Page } from 'puppeteer-core'
import { signIn } from '../../system/whole/server-process.ts'
import { launchBrowser, needsBrowser, signInAt, textsOf, until, visit } from './browser-fixture.ts'
import { startMoviesServer } from './movies-server.ts'
import { shows } from './player-fixture.ts'

const ADA = { email: 'ada@example.org', password: 'a password of Ada' }

const click = (page: Page, name: string) => page.locator(`::-p-aria([name="${name}"][role="button"])`).click()
const submit = (page: Page, part: string) => page.locator(`::-p-xpath(//section[h2="${part}"]//form//button)`).click()

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 50 })
  const visitor = await visit(t, browser)
  const { page } = visitor
  await signInAt(visitor, server.url)
  const account = async () => {
    const { items } = (await server.api.send('GET', '/v1/users?q=ada')).json as unknown as { items: readonly Record<string, unknown>[] }
    return items[0]
  }

  t.test('an account is made; a password that is too short, or an e-mail that is taken, is named beside the form', async (t) => {
    await page.locator('.places a[href="/admin/libraries"]').click()
    await page.locator('.tabs a[href="/admin/users"]').click()
    await page.waitForSelector('.tile')
    await click(page, 'Add person')
    await page.locator('dialog input[name=name]').fill('Ada Lovelace')
    await page.locator('dialog input[name=email]').fill('admin@localhost')
    await page.locator('dialog input[name=password]').fill(ADA.password)
    visitor.expect(/status of 409/)
    await page.locator('dialog button.primary').click()
    await page.waitForSelector('dialog .wrong')
    await page.locator('dialog input[name=email]').fill(ADA.email)
    await page.locator('dialog button.primary').click()
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Ada Lovelace')
    t.match(await account(), { role: 'user', enabled: true, libraryAccess: 'all' })
    t.ok((await signIn(server.url, ADA)).token)
  })

  t.test('what is being written stays while somebody else changes the account, and what is saved does not', async (t) => {
    const { id } = (await account()) ?? {}
    const name = 'main form input[name=name]'
    const rename = async (to: string) => {
      t.match(await server.api.send('PATCH', `/v1/users/${String(id)}`, { name: to }), { status: 200 })
      await page.waitForFunction((to) => document.querySelector('h1')?.textContent === to, {}, to)
    }
    await page.locator(name).fill('Ada King')
    await rename('Ada Byron')
    t.equal(await page.$eval(name, (input) => input.value), 'Ada King')
    await submit(page, 'Profile')
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Ada King')
    await rename('Ada Lovelace')
    t.equal(await page.$eval(name, (input) => input.value), 'Ada Lovelace')
  })

  t.test('libraries are granted and films at once are limited', async (t) => {
    await page.locator('::-p-text(Only these:)').click()
    await page.waitForSelector('.grants input')
    await page.locator('input[name=maxConcurrentStreams]').fill('2')
    await submit(page, 'What they see')
    await shows(page, '.toast', 'Saved')
    t.match(await account(), { libraryAccess: 'selected', libraryIds: [], maxConcurrentStreams: 2 })
    await page.locator('.grants input').click()
    await submit(page, 'What they see')
    await until(page, `document.querySelectorAll('.toast').length === 2`)
    const { libraryIds } = (await account()) ?? {}
    t.equal((libraryIds as unknown[]).length, 1)
  })

  t.test('grants stay as they are if the libraries are not listed yet', async (t) => {
    const held: HTTPRequest[] = []
    const hold = (request: HTTPRequest): void => void (request.url().includes('/v1/libraries') ? held.push(request) : request.continue())
    page.on('request', hold)
    await page.setRequestInterception(true)
    await page.reload()
    await page.locator('input[name=maxConcurrentStreams]').fill('3')
    await submit(page, 'What they see')
    await shows(page, '.toast', 'Saved')
    t.ok(held.length > 0)
    const { libraryIds, maxConcurrentStreams } = (await account()) ?? {}
    t.strictSame([(libraryIds as unknown[]).length, maxConcurrentStreams], [1, 3])
    await Promise.all(held.map(async (request) => await request.continue()))
    page.off('request', hold)
    await page.setRequestInterception(false)
    await page.waitForSelector('.grants input')
  })

  t.test('a login is ended, and a disabled account cannot sign in until it is enabled', async (t) => {
    const ada = await signIn(server.url, ADA)
    await page.reload()
    await page.waitForSelector('.admin-part .file button')
    for (let left = (await page.$$('.admin-part .file button')).length; left > 0; left -= 1) {
      await page.locator('.admin-part .file button').click()
      await until(page, `document.querySelectorAll('.admin-part .file button').length === ${left - 1}`)
    }
    t.equal((await ada.send('GET', '/v1/home')).status, 401)
    await shows(page, '.admin-part', 'Signed in nowhere')
    await click(page, 'Disable')
    await page.waitForSelector('.alarm')
    t.match(await account(), { enabled: false })
    await click(page, 'Enable')
    await page.waitForSelector('.alarm', { hidden: true })
    t.match(await account(), { enabled: true })
  })

  t.test('people are found by a part of their name, and the address shows the same in another tab', async (t) => {
    await page.goto(`${server.url}/admin/users`)
    await page.locator('input[type=search]').fill('love')
    await until(page, `document.querySelectorAll('.tile').length === 1`)
    const other = await visitor.open()
    await other.goto(page.url())
    await other.waitForSelector('.tile')
    t.match(await textsOf(other, '.tile strong'), ['Ada Lovelace'])
    await other.close()
  })

  t.test('erasing asks for the name, shows a receipt that can be downloaded, and leaves nothing of the person', async (t) => {
    await page.click('.tile')
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Ada Lovelace')
    await click(page, 'Erase…')
    await page.locator('dialog input[name=typed]').fill('Ada')
    await page.locator('dialog button.danger').click()
    await shows(page, 'dialog .wrong', 'not the name')
    await page.locator('dialog input[name=typed]').fill('ada lovelace')
    await page.locator('dialog button.danger').click()
    await page.waitForSelector('.receipt')
    const link = await page.$eval('a[download]', (element) => ({
      href: element.href,
      name: element.getAttribute('download'),
    }))
    t.match(link.name, /^marquee-erasure-.*\.json$/)
    const receipt = (await page.evaluate(`fetch(${JSON.stringify(link.href)}).then((answer) => answer.json())`)) as Record<string, unknown>
    t.match(receipt, { subject: /^.{21}$/, keyId: /^.{21}$/, checkpoint: /./ })
    await shows(page, '.receipt', String(receipt['keyId']))
    t.notOk((await page.content()).includes('Lovelace'))
    await page.reload()
    await page.waitForSelector('.receipt')
    t.equal(await account(), undefined)
    t.strictSame(visitor.complaints, [])
  })
}
