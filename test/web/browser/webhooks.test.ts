/** The page of webhooks, with a receiver on a real socket: added, tested, changed, turned off, a parked delivery tried again, removed. */
import t from 'tap'
import { openReceiver, type Behaviour } from '../../app/webhooks/receiver.ts'
import { launchBrowser, needsBrowser, signInAt, startWebServer, textsOf, visit } from './browser-fixture.ts'
import { shows } from './player-fixture.ts'

interface Listed {
  readonly items: readonly { readonly id: string; readonly url: string; readonly events: readonly string[]; readonly enabled: boolean }[]
}

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startWebServer(t, { env: { MARQUEE_WEBHOOK_ALLOW: '127.0.0.1' } })
  let behaviour: Behaviour = 'accept'
  const receiver = await openReceiver(t, () => behaviour)
  const visitor = await visit(t, browser)
  const { page } = visitor
  await signInAt(visitor, server.url)
  const listed = async () => (await server.api.send('GET', '/v1/admin/webhooks')).json as unknown as Listed
  const focus = (start: string): string => `[data-focus^="${start} "]`

  t.test('an address that may not be reached is refused beside its field', async (t) => {
    visitor.expect(/422/)
    await page.goto(`${server.url}/admin/webhooks`)
    await page.waitForSelector('.empty')
    await page.locator('[data-focus="add webhook"]').click()
    await page.locator('dialog input[name=url]').fill('http://10.1.2.3/hook')
    await page.locator('dialog button.primary').click()
    await shows(page, 'dialog .field .wrong', 'MARQUEE_WEBHOOK_ALLOW')
    t.equal(await page.evaluate('document.activeElement.name'), 'url')
    t.equal((await listed()).items.length, 0)
  })

  t.test('a webhook is added, and its secret is shown once', async (t) => {
    await page.locator('dialog input[name=url]').fill(receiver.url)
    await page.locator('dialog input[name=events]').fill('scan.completed, scan.started')
    await page.locator('dialog button.primary').click()
    await page.waitForSelector('dialog input[name=shown]')
    const secret = await page.$eval('dialog input[name=shown]', (input) => input.value)
    t.match(secret, /^whsec_/)
    t.ok(await page.$eval('dialog button.primary', (button) => button.disabled), 'not closed by accident')
    await page.locator('dialog input[type=checkbox]').click()
    await page.locator('dialog button.primary:not(:disabled)').click()
    await page.waitForFunction(() => !document.querySelector('dialog'))
    t.strictSame(await textsOf(page, '.webhook h2'), [receiver.url])
    t.strictSame(await textsOf(page, '.webhook .chip'), ['movie.added', 'scan.completed', 'scan.started'])
    t.match((await listed()).items, [{ url: receiver.url, events: ['movie.added', 'scan.completed', 'scan.started'], enabled: true }])
    await page.reload()
    await page.waitForSelector('.webhook')
    t.notOk((await page.content()).includes(secret), 'it is nowhere any more')
  })

  t.test('a test event arrives, or the reason is said', async (t) => {
    await page.locator(focus('test')).click()
    await shows(page, '.toast', 'The test was delivered (204)')
    t.match(receiver.processed.at(-1)?.body, /webhook\.test/)
    behaviour = 'fail'
    await page.locator(focus('test')).click()
    await shows(page, '.toast', 'answered 500')
  })

  t.test('deliveries are listed; one that was given up is tried again', async (t) => {
    behaviour = 'accept'
    const { id } = (await listed()).items[0] ?? { id: '' }
    const { items: libraries } = (await server.api.send('GET', '/v1/libraries')).json as unknown as { items: { id: string }[] }
    await server.api.send('POST', `/v1/libraries/${libraries[0]?.id}/scan`, {})
    await page.locator('.webhook summary').click()
    await page.waitForSelector('.deliveries')
    await page.waitForFunction(
      () => {
        const states = [...document.querySelectorAll('.deliveries .badge')].map((badge) => badge.textContent)
        if (states.length === 2 && states.every((state) => state === 'Delivered')) return true
        document.querySelector<HTMLButtonElement>('.deliveries button')?.click()
        return false
      },
      { polling: 500 },
    )
    t.same((await textsOf(page, '.deliveries .file strong')).toSorted(), ['scan.completed', 'scan.started'])
    await page.select('.deliveries select', 'parked')
    await page.waitForFunction(() => document.querySelector('.deliveries .soft')?.textContent === 'There are none.')

    // Three days are not waited for: the answer of the list is made to hold one that was given up.
    const parked = { kind: 'scan.failed', seq: '1', at: new Date().toISOString(), state: 'parked', tries: 20, status: 500 }
    const delivery = { ...parked, id: 'delivery0000000000000', lastTriedAt: parked.at, nextAt: null, reason: 'answered 500' }
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      const isList = request.method() === 'GET' && request.url().includes(`/${id}/deliveries`)
      const isRetry = request.method() === 'POST' && request.url().endsWith('/retry')
      if (isList) void request.respond({ contentType: 'application/json', body: JSON.stringify({ items: [delivery], nextCursor: null }) })
      else if (isRetry) void request.respond({ status: 202 })
      else void request.continue()
    })
    await page.locator('.deliveries .actions button').click()
    await shows(page, '.deliveries .wrong', 'answered 500')
    await page.locator('.deliveries .file button').click()
    await page.waitForFunction(() => !document.querySelector<HTMLButtonElement>('.deliveries .actions button')?.disabled)
    t.ok(visitor.requests.includes(`POST /v1/admin/webhooks/${id}/deliveries/${delivery.id}/retry`))
    page.removeAllListeners('request')
    await page.setRequestInterception(false)
  })

  t.test('it is changed, turned off and on, and removed', async (t) => {
    await page.goto(`${server.url}/admin/webhooks`)
    await page.locator(focus('change')).click()
    t.equal(await page.$eval('dialog input[name=url]', (input) => input.value), receiver.url)
    t.equal(await page.$eval('dialog input[name=events]', (input) => input.value), 'scan.completed, scan.started')
    await page.locator('dialog input[name=events]').fill('*')
    await page.locator('dialog button.primary').click()
    await page.waitForFunction(() => !document.querySelector('dialog'))
    t.match((await listed()).items, [{ url: receiver.url, events: ['movie.added', '*'] }])
    await page.locator(focus('turn')).click()
    await shows(page, '.webhook .badge', 'Off')
    t.match((await listed()).items, [{ enabled: false }])
    await page.locator(focus('turn')).click()
    await shows(page, '.webhook .badge', 'On')
    await page.locator(focus('remove')).click()
    await page.locator('dialog button.danger').click()
    await page.waitForSelector('.empty')
    t.strictSame((await listed()).items, [])
    t.strictSame(visitor.complaints, [])
  })
}
