/** Who watches what: administrators see everybody and can pause, write and stop; other people see what they watch themselves. */
import t, { type Test } from 'tap'
import type { Page } from 'puppeteer-core'
import { askedBy, makeUser, quiet, signInAt, until, visit } from './browser-fixture.ts'
import { comesTrue, isPaused, moves, openPlayerFixture, shows, sit, type PlayerFixture } from './player-fixture.ts'

t.setTimeout(600_000)

/** The longest one: it plays on while commands travel. */
const FILM = 'Peach Meadow'
/** Streams and session end before the player knows. */
const REFUSED = /status of (401|404|409|503)|ERR_(CONNECTION|NETWORK|EMPTY|INCOMPLETE|ABORTED|HTTP2|CONTENT)/
const EVERYBODY = { libraryAccess: 'all', libraryIds: [] }

t.test('what plays now', async (t) => {
  const fixture = await openPlayerFixture(t)
  if (!fixture) return
  await t.test('an administrator sees who plays what, where and how, and pauses, writes and stops', (t) => administers(t, fixture))
  await t.test('a person sees what they play themselves, without commands and without a request of administrators', (t) =>
    looks(t, fixture),
  )
})

const click = (page: Page, name: string) => page.locator(`::-p-aria([name="${name}"][role="button"])`).click()

/** Seconds that the line of the session stands at. */
const lineAt = (page: Page): Promise<number> =>
  page.$eval('.session-card .meter', (meter) => Number(meter.getAttribute('aria-valuenow') ?? Number.NaN))

async function administers(t: Test, fixture: PlayerFixture): Promise<void> {
  const film = fixture.anyMovie(FILM)
  const watching = await visit(t, fixture.browser)
  const { page } = watching
  await signInAt(watching, fixture.web.url)
  await page.click('.places a[href="/now"]')
  await shows(page, '.empty h2', 'Nobody is watching')

  const seat = await sit(t, fixture, { account: await makeUser(fixture.web.api, 'Ada', EVERYBODY) })
  seat.expect(REFUSED)
  await seat.watch(film, '?t=0')
  await page.waitForSelector('.session-card')
  await shows(page, '.session-card h2', film.title)
  await shows(page, '.session-who', 'Ada')
  await shows(page, '.session-who', 'Chrome on Linux')
  await shows(page, '.session-card .badge', 'Playing')
  t.match(await page.$eval('.session-card .how summary', ({ textContent }) => textContent), /file itself|Repackaged|transcoded|Transcoded/i)
  await page.click('.session-card .how summary')
  await until(page, `document.querySelector('.session-card .how').textContent.length > 30`)

  await t.test('its line moves by events alone', async (t) => {
    await quiet(page)
    const before = await lineAt(page)
    const asked = askedBy(watching).length
    await seat.page.bringToFront()
    await seat.page.keyboard.press('5')
    await until(page, `Number(document.querySelector('.session-card .meter').getAttribute('aria-valuenow')) > ${before + 20}`)
    t.ok((await lineAt(page)) > before)
    t.equal(askedBy(watching).length, asked, 'nothing is asked for')
  })

  await page.bringToFront()
  await click(page, 'Message…')
  await page.locator('dialog input[name=message]').fill('Dinner <b>is</b> ready')
  await click(page, 'Send')
  await page.waitForSelector('dialog', { hidden: true })
  await shows(page, '.toast', 'on its way to Ada')
  await shows(seat.page, '.letter', 'Dinner <b>is</b> ready')
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Message…', 'the focus is where it was')

  await seat.page.bringToFront()
  await seat.page.locator('.letter button').click()
  await click(page, 'Pause')
  await isPaused(seat.page, true)
  await shows(page, '.session-card .badge', 'Paused')
  t.ok(await page.$eval('.session-card .actions button', (button) => button.disabled))
  await seat.page.locator('.letter button').click()
  await seat.page.keyboard.press('k')
  await moves(seat.page)
  await shows(page, '.session-card .badge', 'Playing')

  await page.bringToFront()
  await click(page, 'Stop…')
  await page.locator('dialog input[name=message]').fill('Bedtime')
  await click(page, 'Stop the film')
  await shows(seat.page, '.over', 'An administrator has ended playback')
  await shows(seat.page, '.over p', 'Bedtime')
  await shows(page, '.empty h2', 'Nobody is watching')
  t.strictSame([watching.complaints, seat.complaints], [[], []])
}

async function looks(t: Test, fixture: PlayerFixture): Promise<void> {
  const film = fixture.anyMovie(FILM)
  const account = await makeUser(fixture.web.api, 'Bob', EVERYBODY)
  const other = await sit(t, fixture, { account: await makeUser(fixture.web.api, 'Cid', EVERYBODY) })
  other.expect(REFUSED)
  await other.watch(film, '?t=0')
  const seat = await sit(t, fixture, { account })
  seat.expect(REFUSED)
  await seat.watch(film, '?t=0')
  const watching = await visit(t, fixture.browser)
  await signInAt(watching, fixture.web.url, account)
  await watching.page.goto(`${fixture.web.url}/now`)
  await watching.page.waitForSelector('.session-card')
  t.equal((await watching.page.$$('.session-card')).length, 1, 'not what another person plays')
  t.equal((await watching.page.$$('.session-card button')).length, 0)
  t.notOk(await watching.page.$('.places a[href^="/admin"]'))
  t.strictSame(
    watching.requests.filter((request) => /scope=all|\/admin\//.test(request)),
    [],
  )
  await seat.page.close({ runBeforeUnload: true })
  await comesTrue(async () => (await watching.page.$('.session-card')) === null)
  t.strictSame(watching.complaints, [])
}
