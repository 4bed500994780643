import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { askedBy, launchBrowser, makeUser, needsBrowser, quiet, signInAt, textsOf, until, visit } from './browser-fixture.ts'
import { signIn } from '../../system/whole/server-process.ts'
import { startMoviesServer } from './movies-server.ts'

interface Listed {
  readonly items: readonly {
    readonly id: string
    readonly title: string
    readonly watched: boolean
    readonly collectionId: string | null
  }[]
}

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 60 })

  t.test('a list and a film are shown as they were, nothing can be marked, and the way back leads to today', async (t) => {
    const account = await makeUser(server.api, 'Tilda')
    const api = await signIn(server.url, account)
    const { items } = (await api.send('GET', '/v1/movies?limit=3')).json as unknown as Listed
    const [film] = items
    if (!film) throw new Error('There is no film')
    const before = new Date().toISOString()
    await sleep(20)
    await api.send('PUT', `/v1/movies/${film.id}/watched`, {})
    const past = encodeURIComponent(before)
    const then = (await api.send('GET', `/v1/movies?limit=100&watched=false&asOf=${past}`)).json as unknown as Listed
    const now = (await api.send('GET', '/v1/movies?limit=100&watched=false')).json as unknown as Listed
    t.equal(then.items.length, now.items.length + 1)

    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInAt(visitor, server.url, account)
    await page.goto(`${server.url}/films?watched=false&asOf=${past}`)
    await page.waitForSelector('.row .card a')
    t.match(await page.$eval('.past-band', (band) => band.textContent), /As it was on .*Nothing can be changed/)
    t.equal((await textsOf(page, '.count'))[0], `${then.items.length} films`)
    await page.focus(`[data-focus$="${film.id}"]`)
    await page.keyboard.press('w')
    await quiet(page)
    t.notOk(askedBy(visitor).some((request) => /^(PUT|DELETE|POST) \/v1/.test(request)))

    await page.click(`[data-focus$="${film.id}"]`)
    await page.waitForSelector('.movie.then h1')
    t.match(page.url(), `/films/${film.id}?asOf=`)
    t.equal(await page.$('.actions'), null)
    t.equal((await textsOf(page, '.movie.then dt')).includes('Watched'), false, 'it was not watched then')
    await page.click('.past-band button')
    await page.waitForSelector('.movie .actions')
    t.equal(await page.$('.past-band'), null)
    t.strictSame(visitor.complaints, [])
  })

  t.test('a date can be chosen, also one before there was anything', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInAt(visitor, server.url)
    await page.goto(`${server.url}/films`)
    await page.waitForSelector('.row .card a')
    await page.$eval('[data-focus=travel]', (input) => {
      if (!(input instanceof HTMLInputElement)) return
      input.value = '1999-12-31'
      input.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await page.waitForSelector('.past-band')
    await page.waitForSelector('.empty')
    t.match(await page.$eval('.past-band', (band) => band.textContent), /31 December 1999|December 31, 1999/)
    await page.click('.past-band button')
    await until(page, `document.querySelectorAll('.row .card a').length > 0 && document.querySelector('.past-band') === null`)
    t.strictSame(visitor.complaints, [])
  })

  t.test('a collection is shown with the films that it had', async (t) => {
    const { items } = (await server.api.send('GET', '/v1/collections')).json as unknown as { items: readonly { id: string }[] }
    const [collection] = items
    if (!collection) throw new Error('There is no collection')
    const then = new Date().toISOString()
    const query = `collectionId=${collection.id}&asOf=${encodeURIComponent(then)}&limit=100`
    const expected = (await server.api.send('GET', `/v1/movies?${query}`)).json as unknown as Listed
    const visitor = await visit(t, browser)
    await signInAt(visitor, server.url)
    await visitor.page.goto(`${server.url}/collections/${collection.id}?asOf=${encodeURIComponent(then)}`)
    await visitor.page.waitForSelector('.past-band')
    await visitor.page.waitForSelector('.row .card a')
    t.match((await textsOf(visitor.page, '.count'))[0], new RegExp(`^${expected.items.length} films?$`))
    t.strictSame(visitor.complaints, [])
  })
}
