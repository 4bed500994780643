/** Pages of what was deleted elsewhere say so, and refused writes say why. */
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { launchBrowser, makeUser, needsBrowser, quiet, signInAt, textsOf, until, visit, type Visitor } from './browser-fixture.ts'
import { startMoviesServer } from './movies-server.ts'
import { signIn } from '../../system/whole/server-process.ts'

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 40 })

  async function open(t: Test, path: string): Promise<Visitor> {
    const visitor = await visit(t, browser)
    await signInAt(visitor, server.url)
    await visitor.page.goto(`${server.url}${path}`)
    await visitor.page.waitForSelector('h1')
    await quiet(visitor.page)
    return visitor
  }

  const itemsAt = async (path: string): Promise<readonly Readonly<Record<string, string>>[]> =>
    ((await server.api.send('GET', path)).json as unknown as { readonly items: readonly Readonly<Record<string, string>>[] }).items
  const isGone = (page: Page): Promise<void> =>
    until(page, `document.querySelector('h1')?.textContent === 'There is nothing at this address'`)

  t.test('writes of the settings that are refused say why', async (t) => {
    const visitor = await open(t, '/settings/logins')
    const { page } = visitor
    visitor.expect(/500/)
    let fails = true
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      const isWrite = /revoke|access-tokens\/|preferences/.test(request.url())
      if (isWrite && fails) void request.respond({ status: 500, contentType: 'application/json', body: '{"error":"Out of order"}' })
      else void request.continue()
    })
    await page.locator('.settings-part .file button').click()
    await until(page, `document.querySelector('.toast')?.textContent.includes('Out of order')`)
    await page.goto(`${server.url}/settings/playback`)
    await page.waitForSelector('.settings-part [role=alert]')
    t.match(await textsOf(page, '.settings-part [role=alert] p'), ['Out of order'])
    fails = false
    await page.click('.settings-part [role=alert] button')
    await page.waitForSelector('.settings-part select')
    t.strictSame(visitor.complaints, [])
  })

  t.test('the history of everybody names people whose accounts were removed', async (t) => {
    const zoe = await makeUser(server.api, 'Zoe')
    const [movie] = await itemsAt('/v1/movies?limit=1')
    const her = await signIn(server.url, zoe)
    await her.send('PUT', `/v1/movies/${movie?.['id']}/watched`, {})
    const { id } = (await itemsAt('/v1/users')).find(({ name }) => name === 'Zoe') ?? {}
    await server.api.send('DELETE', `/v1/users/${id}`)
    const { page, complaints } = await open(t, '/admin/history')
    await until(page, `document.querySelector('.viewings')?.textContent.includes('Zoe')`)
    t.strictSame(complaints, [])
  })

  t.test('pages of an account, a library and a film that were deleted elsewhere say that there is nothing', async (t) => {
    await makeUser(server.api, 'Eve')
    const [library] = await itemsAt('/v1/libraries')
    const [movie] = await itemsAt(`/v1/movies?libraryId=${library?.['id']}&limit=1`)
    const eve = (await itemsAt('/v1/users')).find(({ name }) => name === 'Eve')
    const pages = [`/admin/users/${eve?.['id']}`, `/admin/libraries/${library?.['id']}`, `/films/${movie?.['id']}`]
    const visitors = await Promise.all(pages.map((path) => open(t, path)))
    for (const visitor of visitors) visitor.expect(/404/)
    await server.api.send('DELETE', `/v1/users/${eve?.['id']}`)
    await server.api.send('DELETE', `/v1/libraries/${library?.['id']}`)
    for (const { page } of visitors) await isGone(page)
    t.strictSame(
      visitors.flatMap(({ complaints }) => complaints),
      [],
    )
  })
}
