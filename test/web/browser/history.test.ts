import t, { type Test } from 'tap'
import { signIn, type Api } from '../../system/whole/server-process.ts'
import { askedBy, makeUser, quiet, signInAt, textsOf, until, visit, type WebServer } from './browser-fixture.ts'
import { openPlayerFixture, type Movie, type PlayerFixture } from './player-fixture.ts'

interface Step {
  readonly kind: string
  readonly since: string
  readonly at: string
  readonly from: number
  readonly to: number
}

interface Entry {
  readonly id: string
  readonly watchedSeconds: number
}

const fixture = await openPlayerFixture(t)
if (fixture) tests(fixture)

/** Plays from 1 to 3 s, pauses, jumps to 8 s, plays to 10 s and ends. Returns the viewing. */
async function watch(api: Api, film: Movie): Promise<string> {
  const { id = '' } = (await api.send('POST', '/v1/playback/sessions', { movieId: film.id, startPosition: 1, client: { name: 'App' } }))
    .json as { id?: string }
  const beat = (position: number, playState: string) => api.send('POST', `/v1/playback/sessions/${id}/heartbeat`, { position, playState })
  await beat(3, 'playing')
  await beat(3, 'paused')
  await new Promise((later) => setTimeout(later, 1100))
  await beat(3, 'playing')
  await api.send('POST', `/v1/playback/sessions/${id}/seek`, { position: 8 })
  await beat(10, 'playing')
  await api.send('DELETE', `/v1/playback/sessions/${id}?position=10`)
  return id
}

async function entriesOf(api: Api): Promise<readonly Entry[]> {
  return ((await api.send('GET', '/v1/history?limit=100')).json as unknown as { items: Entry[] }).items
}

/** The API's helper reads objects only. */
async function timelineOf({ url }: WebServer, api: Api, id: string): Promise<readonly Step[]> {
  const answer = await fetch(`${url}/v1/history/${id}/timeline`, { headers: { authorization: `Bearer ${api.token}` } })
  return (await answer.json()) as readonly Step[]
}

function tests({ web, browser, anyMovie }: PlayerFixture): void {
  const film = anyMovie('Sintel')

  async function someone(t: Test, name: string) {
    const account = await makeUser(web.api, name)
    const api = await signIn(web.url, account)
    const visitor = await visit(t, browser)
    await signInAt(visitor, web.url, account)
    return { visitor, page: visitor.page, api }
  }

  t.test('the strip of a recorded viewing equals its timeline, and each stretch plays from its beginning', async (t) => {
    const { visitor, page, api } = await someone(t, 'Hanna')
    const id = await watch(api, film)
    const steps = await timelineOf(web, api, id)
    await page.goto(`${web.url}/history/${id}`)
    await page.waitForSelector('.chart .plot-mark')
    const marks = await page.$$eval('.chart .plot-mark', (all) => all.map((mark) => mark.getAttribute('href')))
    const begins = [1, 8]
    t.ok(begins.every((from) => steps.some((step) => step.kind !== 'seek' && step.from === from && step.to > from)))
    for (const from of begins) t.ok(marks.includes(`/watch/${film.id}?t=${Math.floor(from)}`), `a stretch from ${from} s`)
    t.equal(await page.$$eval('.chart .pause', (all) => all.length), 1)
    t.equal(await page.$$eval('.chart .strip-jump', (all) => all.length), steps.filter(({ kind }) => kind === 'seek').length)
    await page.click('.plot-tools [aria-expanded]')
    await page.waitForSelector('.table tbody tr')
    const rows = await page.$$eval('.table tbody tr', (all) => all.length)
    t.equal(rows, steps.filter(({ since, at, from, to }) => since !== at || from !== to).length, 'the table has every step')
    await page.waitForSelector('.earlier')
    t.match(await page.$eval('.earlier', (part) => part.textContent), /0:10/)
    t.strictSame(visitor.complaints, [])
  })

  t.test('the history lists what the API lists, with strips of what is seen, and leads to details and back', async (t) => {
    const { visitor, page, api } = await someone(t, 'Hedwig')
    await watch(api, film)
    await watch(api, film)
    await page.goto(`${web.url}/history`)
    await page.waitForSelector('.viewing .strip-line')
    await until(page, `document.querySelectorAll('.viewing .strip-line .pause').length === 2`)
    const shown = await page.$$eval('.viewing', (rows) => rows.map((row) => row.getAttribute('data-viewing')))
    const entries = await entriesOf(api)
    t.strictSame(
      shown,
      entries.map(({ id }) => id),
    )
    t.match((await textsOf(page, '.count'))[0], /^2 viewings$/)
    await page.click('.viewing-actions a')
    await page.waitForSelector('.chart .plot-mark')
    await page.goBack()
    await page.waitForSelector('.viewing')
    t.strictSame(visitor.complaints, [])
  })

  t.test('a viewing that is hidden comes back by undoing, and leaves for good eight seconds later', async (t) => {
    const { visitor, page, api } = await someone(t, 'Heinz')
    const id = await watch(api, film)
    const row = `[data-viewing="${id}"]`
    await page.goto(`${web.url}/history`)
    await page.waitForSelector(row)
    await page.click(`${row} button`)
    await until(page, `document.querySelector('${row}') === null`)
    await page.click('.toast button')
    await page.waitForSelector(row)
    await quiet(page)
    t.notOk(
      askedBy(visitor).some((request) => request.startsWith('DELETE')),
      'nothing was asked of the server',
    )
    await page.click(`${row} button`)
    await until(page, `document.querySelector('${row}') === null`)
    const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE')
    t.equal((await deleted).status(), 204)
    t.strictSame(await entriesOf(api), [])
    await page.reload()
    await page.waitForSelector('.empty')
    t.strictSame(visitor.complaints, [])
  })

  t.test('leaving the page before the eight seconds are over hides it all the same', async (t) => {
    const { page, api } = await someone(t, 'Helga')
    const id = await watch(api, film)
    await page.goto(`${web.url}/history`)
    await page.waitForSelector(`[data-viewing="${id}"]`)
    await page.click(`[data-viewing="${id}"] button`)
    const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE', { timeout: 5000 }).catch(() => undefined)
    await page.goto(`${web.url}/more`)
    await deleted
    await until(page, `fetch('/v1/history').then((answer) => answer.json()).then(({ items }) => items.length === 0)`)
    t.strictSame(await entriesOf(api), [])
  })

  t.test('an administrator sees everybody, is informed that it is recorded, and those people can read who looked', async (t) => {
    const { visitor, page, api } = await someone(t, 'Hilde')
    const id = await watch(api, film)
    const admin = await visit(t, browser)
    await signInAt(admin, web.url)
    await admin.page.goto(`${web.url}/admin/history`)
    await admin.page.waitForSelector(`[data-viewing="${id}"]`)
    t.match(await admin.page.$eval('.on-record', (note) => note.textContent), /recorded/)
    t.match(await admin.page.$eval(`[data-viewing="${id}"]`, (row) => row.textContent), /Hilde/)
    t.notOk(
      askedBy(admin).some((request) => request.includes('/timeline')),
      'no timeline of others is asked for by itself',
    )
    await page.goto(`${web.url}/settings/audit`)
    await page.waitForSelector('.audit-row')
    t.ok((await textsOf(page, '.audit-row strong')).includes('History looked at'))
    t.strictSame([...visitor.complaints, ...admin.complaints], [])
  })

  t.test('the life of a film is shown when somebody asks for it', async (t) => {
    const { visitor, page } = await someone(t, 'Hugo')
    await page.goto(`${web.url}/films/${film.id}`)
    await page.waitForSelector('.life button')
    await quiet(page)
    t.notOk(askedBy(visitor).some((request) => request.includes('/life')))
    await page.click('.life button')
    await page.waitForSelector('.life-steps li')
    t.ok((await textsOf(page, '.life-steps strong')).includes('Discovered'))
    t.strictSame(visitor.complaints, [])
  })

  t.test('where films are left, and what played at once, leads to those viewings', async (t) => {
    const { visitor, page, api } = await someone(t, 'Hubert')
    await watch(api, film)
    await watch(api, film)
    await page.goto(`${web.url}/stats`)
    await page.waitForSelector('.left-movies .plot-mark')
    const hrefs = await page.$$eval('.left-movies .plot-mark, .chart .plot-mark[href*="at="]', (marks) =>
      marks.map((mark) => ({ to: mark.getAttribute('href') ?? '', label: mark.getAttribute('aria-label') ?? '' })),
    )
    t.ok(hrefs.some(({ to }) => to.includes('left=')) && hrefs.some(({ to }) => to.includes('at=')))
    for (const { to, label } of hrefs) {
      await page.goto(`${web.url}${to}`)
      await page.waitForSelector('.viewing')
      await quiet(page)
      t.equal((await textsOf(page, '.count'))[0], /[\d,]+ viewings?$/.exec(label)?.[0], label)
    }
    t.strictSame(visitor.complaints, [])
  })
}
