/** Administrators' libraries: a scan as it goes on, cancelled and failed; missing films; a library chosen, removed and restored. */
import { appendFile, copyFile, mkdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Page } from 'puppeteer-core'
import { clip } from '../../fixtures/clips.ts'
import { askedBy, launchBrowser, needsBrowser, quiet, signInAt, startWebServer, textsOf, until, visit } from './browser-fixture.ts'
import { comesTrue, shows } from './player-fixture.ts'

const FILMS = 60

/** Each is a film of its own: what is appended is no part of it, but of its fingerprint. */
async function fillFolder(folder: string, from: number, to: number): Promise<void> {
  const source = await clip('mp3.mkv')
  for (let n = from; n < to; n++) {
    const path = join(folder, `Film ${n} (${1950 + (n % 70)}).mkv`)
    await copyFile(source, path)
    await appendFile(path, `film ${n}`)
  }
}

const click = (page: Page, name: string) => page.locator(`::-p-aria([name="${name}"][role="button"])`).click()
const hasEnded = (page: Page) => page.waitForFunction(() => !document.querySelector('.scan'), { timeout: 120_000 })

const browserPath = needsBrowser(t)
if (browserPath) {
  const folder = t.testdir({ films: {}, more: { inside: {} } })
  const films = join(folder, 'films')
  await fillFolder(films, 0, 3)
  const browser = await launchBrowser(t, browserPath)
  const server = await startWebServer(t, { media: films, env: { MARQUEE_MEDIA_ROOTS: folder } })
  const visitor = await visit(t, browser)
  const { page } = visitor
  await signInAt(visitor, server.url)
  // Some tests press the button until something comes true: a scan may still be under way.
  visitor.expect(/status of 409 .*\/scan/)
  // No scan begins by itself: each is one that a test starts, with all of its films.
  const [library] = (await server.api.send('GET', '/v1/libraries')).json['items'] as unknown as readonly { readonly id: string }[]
  await server.api.send('PATCH', `/v1/libraries/${library?.id}`, { settings: { watchFiles: false } })

  t.test('a scan shows its phases and how far it is as it goes on, by events alone, and what it changed', async (t) => {
    await page.locator('.places a[href="/admin/libraries"]').click()
    await page.waitForSelector('.library-card h2 a')
    await page.click('.library-card h2 a')
    await page.waitForSelector('.admin-part')
    await quiet(page)
    await page.evaluate(`{
      globalThis.seen = { phases: new Set(), lines: new Set() }
      const look = () => {
        const now = document.querySelector('.phases .now')?.textContent
        if (now) seen.phases.add(now)
        const line = document.querySelector('.scan .meter')?.getAttribute('aria-valuenow')
        if (line) seen.lines.add(line)
        requestAnimationFrame(look)
      }
      look()
    }`)
    await fillFolder(films, 3, FILMS)
    await click(page, 'Scan')
    await page.waitForSelector('.scan .meter')
    const asked = askedBy(visitor).filter((request) => request.startsWith('GET')).length
    await until(page, 'seen.lines.size > 1', 120_000)
    const during = askedBy(visitor)
      .filter((request) => request.startsWith('GET /v1/libraries'))
      .slice(asked)
    t.ok(during.length <= 3, `progress asks for nothing: ${during.join(', ')}`)
    await hasEnded(page)
    t.ok(((await page.evaluate('[...seen.phases]')) as string[]).includes('Read films'))
    await shows(page, '.scan-entry summary', `${FILMS - 3} added`)
    await page.click('.scan-entry summary')
    await shows(page, '.scan-changes', 'Film 12')
  })

  t.test('a scan is cancelled, and shown as cancelled', async (t) => {
    await fillFolder(films, FILMS, FILMS * 3)
    await page.evaluate('scrollTo(0, 0)')
    if (!(await page.$('.scan'))) await click(page, 'Read everything again')
    await click(page, 'Cancel the scan')
    await hasEnded(page)
    await shows(page, '.scan-entry:first-of-type summary, li:first-child .scan-entry summary', 'Cancelled')
    t.strictSame(visitor.complaints, [])
  })

  t.test('a folder that is gone fails the scan: the page says which folder, and what to do', async (t) => {
    await rename(films, `${films} elsewhere`)
    await comesTrue(async () => {
      if (await page.$('.alarm')) return true
      if (!(await page.$('.scan')) && !(await page.$eval('.admin-head .primary', (button) => (button as HTMLButtonElement).disabled)))
        await click(page, 'Scan')
      return false
    })
    await shows(page, '.alarm', /No folder of the library could be read/)
    await shows(page, '.root .wrong', /Is its drive mounted/)
    await rename(`${films} elsewhere`, films)
    await click(page, 'Scan')
    await page.waitForSelector('.alarm', { hidden: true })
    await hasEnded(page)
    // The page learns of its folders in another answer than of the scan.
    await shows(page, '.root p', 'Available')
    t.match(await textsOf(page, '.root p'), ['Available'])
  })

  t.test('films that go missing at once are counted and named, and come back with their files', async (t) => {
    const names = Array.from({ length: FILMS - 1 }, (_, n) => `Film ${n} (${1950 + (n % 70)}).mkv`)
    await mkdir(join(folder, 'kept'))
    for (const name of names) await rename(join(films, name), join(folder, 'kept', name))
    await comesTrue(async () => {
      if (await page.$('.missing')) return true
      if (!(await page.$('.scan'))) await click(page, 'Scan').catch(() => undefined)
      return false
    }, 120_000)
    await shows(page, '.missing', /a drive may not be mounted/)
    await page.locator('.missing summary').click()
    await shows(page, '.missing .scan-changes', 'Film 7')
    for (const name of names) await rename(join(folder, 'kept', name), join(films, name))
    await comesTrue(async () => {
      if (!(await page.$('.missing'))) return true
      if (!(await page.$('.scan'))) await click(page, 'Scan').catch(() => undefined)
      return false
    }, 120_000)
    t.notOk(await page.$('.missing'))
  })

  t.test('a library is made of a folder that is found by going through folders, renamed, removed, and restored', async (t) => {
    await page.goto(`${server.url}/admin/libraries`)
    await click(page, 'Add library')
    await page.locator('dialog input[name=name]').fill('More films')
    await shows(page, 'dialog .folder', folder)
    t.notOk((await textsOf(page, 'dialog .folder')).includes('Up'), 'nothing above the media roots is offered')
    await page.click('dialog .folder')
    await shows(page, 'dialog .folder', 'more')
    await page.locator('dialog ::-p-text(more)').click()
    await shows(page, 'dialog .folder', 'inside')
    await page.locator('dialog button.primary').click()
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'More films')
    t.match(await textsOf(page, '.root strong'), [join(folder, 'more')])

    await page.locator('.admin-part input[name=name]').fill('Films of friends')
    await page.locator('.admin-part .form .primary').click()
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Films of friends')

    await click(page, 'Remove library…')
    await page.locator('dialog button.danger').click()
    await page.waitForFunction(() => location.pathname === '/admin/libraries')
    await shows(page, '.admin-part', 'Films of friends')
    await click(page, 'Restore Films of friends')
    await shows(page, '.library-card h2', 'Films of friends')
    await page.waitForSelector('.libraries ~ .admin-part', { hidden: true })
  })

  t.test('a folder outside the media roots is refused beside the field', async (t) => {
    await click(page, 'Add library')
    await page.locator('dialog input[name=name]').fill('Secrets')
    visitor.expect(/status of 422/)
    await page.locator('dialog input[name="paths.0"]').fill('/etc')
    await page.locator('dialog button.primary').click()
    await shows(page, 'dialog .wrong', 'MARQUEE_MEDIA_ROOTS')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { hidden: true })
    t.strictSame(visitor.complaints, [])
  })

  t.teardown(() => unlink(join(films, 'Film 0 (1950).mkv')).catch(() => undefined))
}
