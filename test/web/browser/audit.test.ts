import type { HTTPRequest } from 'puppeteer-core'
import t from 'tap'
import { ADMIN, signIn } from '../../system/whole/server-process.ts'
import { launchBrowser, makeUser, needsBrowser, quiet, signInAt, textsOf, until, visit } from './browser-fixture.ts'
import { startMoviesServer } from './movies-server.ts'

interface Entry {
  readonly seq: number
  readonly type: string
  readonly actor: { readonly id: string | null }
  readonly target: { readonly id: string | null }
}

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 20 })
  const { api } = server
  const audit = async (query: string): Promise<readonly Entry[]> =>
    ((await api.send('GET', `/v1/audit?limit=100&${query}`)).json as unknown as { items: Entry[] }).items

  async function admin(t: Parameters<typeof visit>[0]) {
    const visitor = await visit(t, browser)
    await signInAt(visitor, server.url, ADMIN)
    return visitor
  }

  t.test('the audit lists what the API lists, by each filter, with values before and after', async (t) => {
    await makeUser(api, 'Anton')
    const { items } = (await api.send('GET', '/v1/users?q=Anton')).json as unknown as { items: { id: string }[] }
    const id = items[0]?.id ?? ''
    await api.send('PATCH', `/v1/users/${id}`, { name: 'Antonia' })
    const visitor = await admin(t)
    const { page } = visitor
    for (const filter of [
      `targetId=${id}`,
      `actorId=${api.userId}&type=UserRegistered`,
      'type=SignedIn',
      'from=1990-01-01&to=1990-01-02',
    ]) {
      const expected = filter.startsWith('from') ? [] : await audit(filter)
      await page.goto(`${server.url}/admin/audit?${filter}`)
      await page.waitForSelector('.audit-row, .empty')
      await quiet(page)
      // The look itself is an entry that the list has not had before.
      const newest = expected[0]?.seq ?? 0
      const all = await textsOf(page, '.audit-row .audit-head > p:first-child > .soft')
      const shown = all.filter((name) => Number(name.slice(1)) <= newest)
      t.ok(all.length - shown.length <= 2, filter)
      t.strictSame(
        shown,
        expected.map(({ seq }) => `#${seq}`),
        filter,
      )
    }
    await page.goto(`${server.url}/admin/audit?targetId=${id}&type=UserProfileChanged`)
    await page.waitForSelector('.audit-row [aria-expanded]')
    await page.click('.audit-row [aria-expanded]')
    await page.waitForSelector('.changes')
    t.strictSame([await textsOf(page, '.changes del'), await textsOf(page, '.changes ins')], [['Anton'], ['Antonia']])
    await page.select('.filters select', 'SignedIn')
    await until(page, `location.search.includes('type=SignedIn')`)
    t.strictSame(visitor.complaints, [])
  })

  t.test('the proof of an entry is computed in the browser and holds, for old entries and new ones', async (t) => {
    const visitor = await admin(t)
    const { page } = visitor
    const [newest] = await audit('')
    for (const seq of [1, 2, Math.floor((newest?.seq ?? 2) / 2), newest?.seq ?? 1]) {
      await page.goto(`${server.url}/admin/audit/${seq}`)
      await page.waitForSelector('.verdict')
      t.equal(await page.$eval('.verdict', (verdict) => verdict.getAttribute('data-proved')), 'true', `entry ${seq}`)
    }
    const key = await (await fetch(`${server.url}/v1/audit/key`, { headers: { authorization: `Bearer ${api.token}` } })).text()
    t.match(await page.$eval('.hashes', (hashes) => hashes.textContent), key.split('+')[0])
    t.match(await textsOf(page, '.stored'), [/"metadata"/])
    t.strictSame(visitor.complaints, [])
  })

  const TAMPERINGS = {
    'another path': [
      '/v1/audit/proof',
      (body: Buffer) => body.toString().replace(/"hashes":\["(.)/, (_, char) => `"hashes":["${char === 'A' ? 'B' : 'A'}`),
    ],
    'another root': [
      '/v1/audit/checkpoint',
      (body: Buffer) => body.toString().replace(/\n(\d+)\n(.)/, (_, size, char) => `\n${size}\n${char === 'A' ? 'B' : 'A'}`),
    ],
    'another event': [
      '/v1/audit/tile/',
      (body: Buffer) => Buffer.from(body.toString('latin1').replaceAll('"actor":"', '"acTor":"'), 'latin1'),
    ],
  } as const satisfies Record<string, readonly [string, (body: Buffer) => string | Buffer]>

  for (const [what, [path, tamper]] of Object.entries(TAMPERINGS)) {
    t.test(`a proof with ${what} is shown as failed`, async (t) => {
      const visitor = await admin(t)
      const { page } = visitor
      await page.setRequestInterception(true)
      const answer = async (request: HTTPRequest): Promise<void> => {
        const headers = { authorization: `Bearer ${api.token}` }
        const body = Buffer.from(await (await fetch(request.url(), { headers })).arrayBuffer())
        const contentType = path.endsWith('proof') ? 'application/json' : 'text/plain'
        await request.respond({ status: 200, contentType, body: tamper(body) })
      }
      page.on('request', (request) => void (request.url().includes(path) ? answer(request) : request.continue()))
      await page.goto(`${server.url}/admin/audit/3`)
      await page.waitForSelector('.verdict')
      t.equal(await page.$eval('.verdict', (verdict) => verdict.getAttribute('data-proved')), 'false')
      t.match(await page.$eval('.verdict', (verdict) => verdict.textContent), /Something was changed/)
    })
  }

  t.test('people see what was done with their account, and an entry beyond the log is not there', async (t) => {
    const account = await makeUser(api, 'Arno')
    await signIn(server.url, account)
    const visitor = await visit(t, browser)
    await signInAt(visitor, server.url, account)
    await visitor.page.goto(`${server.url}/settings/audit`)
    await visitor.page.waitForSelector('.audit-row')
    const types = await textsOf(visitor.page, '.audit-row strong')
    t.ok(types.includes('Signed in') && types.includes('Account created'), types.join(', '))
    const other = await admin(t)
    await other.page.goto(`${server.url}/admin/audit/999999`)
    await other.page.waitForSelector('.empty h1')
    t.strictSame([...visitor.complaints, ...other.complaints], [])
  })
}
