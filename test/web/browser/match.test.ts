/** Administrators correct which film a movie is, by images from the online provider. */
import axe, { type AxeResults } from 'axe-core'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Page } from 'puppeteer-core'
import { drawImages, MOVIES } from '../../fakes/tmdb-catalogue.ts'
import { startTmdb } from '../../fakes/tmdb.ts'
import { makeClip } from '../../fixtures/media-files.ts'
import { launchBrowser, makeUser, needsBrowser, quiet, signInAt, startWebServer, textsOf, until, visit } from './browser-fixture.ts'
import { shows } from './player-fixture.ts'

const NAME = 'Steel (2012)'
/** Its title is not the film's, so that nothing is found by itself. */
const REMAKE = { id: 7, title: 'Steel', release_date: '1997-08-15', overview: 'Invented.', poster_path: '/remakePoster.jpg' }

const button = (page: Page, name: string) => page.locator(`::-p-aria([name="${name}"][role="button"])`)
const loaded = (page: Page, count: number) =>
  until(page, `[...document.querySelectorAll('.candidate img')].filter((one) => one.complete && one.naturalWidth > 0).length === ${count}`)

async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(' ')}`))
}

const browserPath = needsBrowser(t)
if (browserPath) {
  const media = join(t.testdir({ films: {} }), 'films')
  await mkdir(join(media, NAME))
  await makeClip({ path: join(media, NAME, `${NAME}.mp4`), seconds: 1 })
  const movies = [...MOVIES, REMAKE]
  const tmdb = await startTmdb(t, { movies, images: await drawImages(movies) })
  const browser = await launchBrowser(t, browserPath)
  const server = await startWebServer(t, { media, env: { MARQUEE_TMDB_URL: tmdb.url, MARQUEE_TMDB_KEY: tmdb.key } })
  const { items } = (await server.api.send('GET', '/v1/movies')).json as unknown as { items: readonly { readonly id: string }[] }
  const path = `/films/${items[0]?.id}`
  const visitor = await visit(t, browser)
  const { page } = visitor
  await signInAt(visitor, server.url)

  t.test('candidates are found by what the files say, with their images', async (t) => {
    await page.goto(`${server.url}${path}`)
    await shows(page, 'h1', 'Steel')
    await button(page, 'Correct the match…').click()
    await page.waitForSelector('.candidate')
    t.strictSame(await textsOf(page, '.candidate strong'), ['Tears of Steel (2012)', 'Steel (1997)'], 'those of its year come first')
    t.equal(await page.$eval('dialog input[name=q]', (input) => input.value), 'Steel')
    await loaded(page, 2)
    t.match(await page.$$eval('.candidate img', (all) => all.map((one) => one.naturalWidth)), [240, 240])
    t.strictSame(await faultsOf(page), [])
    t.ok(
      visitor.addresses.every((address) => address.startsWith(server.url) || address.startsWith('data:')),
      'nothing is asked of the provider by the browser',
    )
  })

  t.test('a search by another title, a year, and without a match', async (t) => {
    await page.locator('dialog input[name=q]').fill('bunny')
    await button(page, 'Search').click()
    await shows(page, '.candidate strong', 'Big Buck Bunny (2008)')
    await page.locator('dialog input[name=year]').fill('1950')
    await button(page, 'Search').click()
    await shows(page, 'dialog [role=status]', /No film is called “bunny”/)
    t.notOk(await page.$('.candidate'))
  })

  t.test('a candidate is chosen by keyboard alone, and the page shows its facts', async (t) => {
    await page.click('dialog input[name=year]', { count: 3 })
    await page.keyboard.press('Backspace')
    await page.locator('dialog input[name=q]').fill('steel')
    await page.focus('dialog input[name=q]')
    await page.keyboard.press('Enter')
    await shows(page, '.candidate strong', 'Tears of Steel (2012)')
    for (let n = 0; n < 10; n++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(`document.activeElement.textContent.startsWith('Tears of Steel')`)) break
    }
    await page.keyboard.press('Enter')
    await shows(page, 'h1', 'Tears of Steel')
    await shows(page, '.overview', 'A made-up text about robots on a bridge.')
    await page.waitForSelector('dialog', { hidden: true })
    await shows(page, '.toast', '“Steel” is now “Tears of Steel (2012)”')
    t.equal(await page.evaluate('document.activeElement?.dataset.focus'), 'match', 'the focus is back at the button')
    const { json } = await server.api.send('GET', `/v1${path.replace('films', 'movies')}`)
    t.match(json, { externalIds: { tmdb: '133701' }, match: { source: 'manual', pinned: true } })
  })

  t.test('undoing brings the earlier film back', async (t) => {
    await button(page, 'Undo').click()
    await shows(page, 'h1', /^Steel$/)
    const { json } = await server.api.send('GET', `/v1${path.replace('films', 'movies')}`)
    t.match(json, { title: 'Steel', year: 2012, externalIds: { tmdb: null } })
  })

  t.test('the film that it is now is marked, and an outage says so and can be tried again', async (t) => {
    await button(page, 'Correct the match…').click()
    await page.locator('::-p-text(Steel (1997))').click()
    await shows(page, '.overview', 'Invented.')
    visitor.expect(/status of 503/)
    tmdb.fault({ type: 'status', status: 503 }, { on: /search/ })
    await button(page, 'Correct the match…').click()
    await page.locator('dialog input[name=q]').fill('girl')
    await button(page, 'Search').click()
    await shows(page, 'dialog .wrong', /answered 503: try again later/)
    tmdb.fault()
    await page.locator('dialog input[name=q]').fill('steel')
    await button(page, 'Search').click()
    await shows(page, '.candidate[aria-current=true]', /Steel \(1997\).*Chosen now/)
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { hidden: true })
    t.strictSame(visitor.complaints, [])
  })

  t.test('others are not offered to correct anything', async (t) => {
    const other = await visit(t, browser, { language: 'de' })
    await signInAt(other, server.url, await makeUser(server.api, 'Ann'))
    await other.page.goto(`${server.url}${path}`)
    await other.page.waitForSelector('[data-focus=watchlist]')
    await quiet(other.page)
    t.notOk(await other.page.$('[data-focus=match]'))
    t.strictSame(other.complaints, [])
  })
}
