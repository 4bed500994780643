/** The page of the server: health, agents, settings without secrets, and a projection that is rebuilt while the page shows it. */
import t from 'tap'
import { askedBy, launchBrowser, needsBrowser, quiet, signInAt, startWebServer, textsOf, visit } from './browser-fixture.ts'
import { shows } from './player-fixture.ts'

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startWebServer(t)
  const visitor = await visit(t, browser)
  const { page } = visitor
  await signInAt(visitor, server.url)

  t.test('health, versions, agents, projections and settings are those of the API', async (t) => {
    await page.goto(`${server.url}/admin/server`)
    await page.waitForSelector('.in-force')
    await page.waitForSelector('[data-focus="projection movies"]')
    const { json } = await server.api.send('GET', '/v1/admin/server')
    const info = json as unknown as { version: string; settings: readonly { name: string }[]; agents: readonly { name: string }[] }
    t.match(await textsOf(page, '.health strong'), [/Everything works|something is missing/])
    t.ok((await textsOf(page, '.admin-facts dd')).includes(info.version))
    t.strictSame(
      await textsOf(page, '.in-force dt code'),
      info.settings.map(({ name }) => name),
    )
    t.ok(info.agents.length > 0, 'the agent of this server is heard of')
    t.strictSame(
      await textsOf(page, '.agent h3'),
      info.agents.map(({ name }) => name),
    )
    t.notOk((await page.content()).includes('a-known-password'))
  })

  t.test('a rebuild is asked for, and the page follows it to its end by events', async (t) => {
    await quiet(page)
    await page.locator('[data-focus="projection movies"]').click()
    await page.locator('dialog button.primary').click()
    await shows(page, '.toast', 'movies is being rebuilt')
    await page.waitForFunction(() => document.querySelector<HTMLButtonElement>('[data-focus="projection movies"]')?.disabled === false)
    t.ok(askedBy(visitor).some((request) => request === 'POST /v1/admin/projections/movies/rebuild'))
    t.strictSame(visitor.complaints, [])
  })
}
