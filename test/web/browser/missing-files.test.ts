/** A film whose files go missing one after the other. */
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { makeClip } from '../../fixtures/media-files.ts'
import { launchBrowser, needsBrowser, signInAt, startWebServer, textsOf, visit } from './browser-fixture.ts'
import { comesTrue, moves, shows } from './player-fixture.ts'

const NAME = 'Steel (2012)'
const VERSIONS = [`${NAME} - large.mp4`, `${NAME} - small.mp4`] as const

const browserPath = needsBrowser(t)
if (browserPath) {
  const folder = t.testdir({ films: {} })
  const media = join(folder, 'films')
  const pathOf = (version: string): string => join(media, NAME, version)
  for (const [index, version] of VERSIONS.entries()) await makeClip({ path: pathOf(version), seconds: 4, height: 180 + index * 60 })
  const browser = await launchBrowser(t, browserPath)
  const { url, api } = await startWebServer(t, { media })
  const items = async (path: string) => (await api.send('GET', path)).json['items'] as unknown as readonly { readonly id: string }[]
  const [library] = await items('/v1/libraries')
  // Each scan is one that a test starts.
  await api.send('PATCH', `/v1/libraries/${library?.id}`, { settings: { watchFiles: false } })
  const [movie] = await items('/v1/movies')
  const visitor = await visit(t, browser)
  const { page } = visitor
  await signInAt(visitor, url)

  t.test('a version whose file is missing is marked, and cannot be played', async (t) => {
    await page.goto(`${url}/films/${movie?.id}`)
    await page.waitForSelector('.file')
    t.equal((await page.$$('.file .button')).length, 2)
    await rm(pathOf(VERSIONS[1]))
    await api.send('POST', `/v1/libraries/${library?.id}/scan`)
    await shows(page, '.file .warning', 'This file is missing')
    t.strictSame(await textsOf(page, '.file:has(.warning) strong'), [VERSIONS[1]])
    t.strictSame(await textsOf(page, '.file:has(.button) strong'), [VERSIONS[0]])
    t.notOk(await page.$('.file:has(.warning):has(.button)'))
    t.strictSame(visitor.complaints, [])
  })

  t.test('the player says that the file is missing, and tries again only if it is asked to', async (t) => {
    await rename(pathOf(VERSIONS[0]), join(folder, 'kept.mp4'))
    visitor.expect(/status of 503 .*\/v1\/playback\/sessions/)
    await page.goto(`${url}/watch/${movie?.id}`)
    await shows(page, '.over', 'The file of this movie is unavailable now')
    t.equal(await page.$eval('.away', ({ textContent }) => textContent), '', 'the server is not blamed')
    const starts = (): number => visitor.requests.filter((line) => line === 'POST /v1/playback/sessions').length
    t.equal(starts(), 1)
    await page.locator('.over .primary').click()
    await comesTrue(async () => starts() === 2)
    await shows(page, '.over', 'The file of this movie is unavailable now')
    await rename(join(folder, 'kept.mp4'), pathOf(VERSIONS[0]))
    await page.locator('.over .primary').click()
    await moves(page)
    t.strictSame(visitor.complaints, [])
  })

  t.test('a home page and a list without films say that they are missing, or that none was found', async (t) => {
    await rm(pathOf(VERSIONS[0]))
    await api.send('POST', `/v1/libraries/${library?.id}/scan`)
    await page.goto(url)
    await shows(page, '.empty h2', '1 film is missing')
    await page.goto(`${url}/films?sort=year`)
    await shows(page, '.empty h2', '1 film is missing')
    await page.goto(`${url}/films?year=1950`)
    await shows(page, '.empty h2', 'No film matches')
    await page.locator('.empty button').click()
    await shows(page, '.empty h2', '1 film is missing')
    await page.locator('.empty a[href="/admin/libraries"]').click()
    await page.waitForSelector('.library-card')
    await api.send('POST', '/v1/libraries', { name: 'Later', path: join(folder, 'later') })
    await api.send('DELETE', `/v1/libraries/${library?.id}`)
    await page.goto(url)
    await shows(page, '.empty h2', 'No film was found')
    t.strictSame(visitor.complaints, [])
  })
}
