import t from 'tap'
import { launchBrowser, needsBrowser, quiet, signInAt, until, visit } from './browser-fixture.ts'
import { startMoviesServer } from './movies-server.ts'

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 200 })
  const LOADED_ANEW = 'globalThis.isTheSame === undefined'

  async function openHome(t: Parameters<typeof visit>[0]) {
    const visitor = await visit(t, browser)
    // The old build's files are gone; the stream breaks while the server restarts.
    visitor.expect(/404/, /ERR_|Failed to fetch dynamically|5\d\d/)
    await signInAt(visitor, server.url)
    await visitor.page.waitForSelector('.card')
    await quiet(visitor.page)
    await visitor.page.evaluate('globalThis.isTheSame = true')
    return visitor
  }

  const build = 'document.documentElement.dataset.build'

  t.test('a page whose code is gone, because there is another build, is reloaded and keeps its address', async (t) => {
    const visitor = await openHome(t)
    const { page } = visitor
    const next = await server.upgrade()
    await page.click('.places a[href="/collections"]')
    await until(page, `${LOADED_ANEW} && ${build} === '${next}'`)
    await page.waitForSelector('main .empty, main .cards')
    t.equal(new URL(page.url()).pathname, '/collections')
    t.strictSame(visitor.complaints, [])
  })

  t.test('a page whose code cannot be loaded tries again by itself, and at once when the network is back', async (t) => {
    const visitor = await openHome(t)
    const { page } = visitor
    const blocked = { is: true, times: 0 }
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      if (!blocked.is || !(request.url().includes('/assets/') || request.method() === 'HEAD')) return void request.continue()
      blocked.times += 1
      return void request.abort()
    })
    const show = async (path: string) => {
      blocked.is = true
      await page.click(`.places a[href="${path}"]`)
      await until(page, `/Trying again/.test(document.querySelector('main .empty')?.textContent)`)
    }
    // The stream goes on: nothing is heard of the server.
    await show('/collections')
    const { times } = blocked
    const from = await page.evaluate(() => performance.now())
    await until(page, `performance.now() > ${from + 4000}`)
    t.ok(blocked.times > times, 'it tries again')
    blocked.is = false
    await page.waitForFunction(() => document.querySelector('main h1')?.textContent === 'Collections')
    await page.evaluate('globalThis.isTheSame = true')
    await show('/watchlist')
    blocked.is = false
    const at = Date.now()
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await page.waitForFunction(() => document.querySelector('main h1')?.textContent === 'Watchlist')
    t.ok(Date.now() - at < 2500, `after ${Date.now() - at} ms`)
    t.strictSame(visitor.complaints, [])
  })

  t.test('a page that hears of another build goes on, and the next navigation loads it, once a minute', async (t) => {
    const visitor = await openHome(t)
    const { page } = visitor
    const next = await server.upgrade()
    const hello = page.waitForResponse((response) => response.url().includes('/api/events'))
    await server.stop()
    await server.start()
    await hello
    await until(page, 'document.querySelector(".notice") === null')
    t.equal(await page.evaluate('globalThis.isTheSame'), true, 'nothing is loaded until the person goes somewhere')
    await page.click('.places a[href="/films"]')
    await until(page, `${LOADED_ANEW} && ${build} === '${next}'`)
    await page.waitForSelector('.card')
    t.equal(new URL(page.url()).pathname, '/films')

    // The code is loaded already, so that only the minute decides.
    await page.click('.places a[href="/"]')
    await page.waitForSelector('.shelf .card')
    await quiet(page)
    await page.evaluate('globalThis.isTheSame = true')
    await server.upgrade()
    const again = page.waitForResponse((response) => response.url().includes('/api/events'))
    await server.stop()
    await server.start()
    await again
    await until(page, 'document.querySelector(".notice") === null')
    await page.click('.places a[href="/films"]')
    await page.waitForSelector('.long-list .card')
    t.equal(await page.evaluate('globalThis.isTheSame'), true, 'within a minute the old page goes on')
    await page.evaluate('sessionStorage.setItem("loaded-anew", "0")')
    await page.click('.places a[href="/"]')
    await until(page, LOADED_ANEW)
    await page.waitForSelector('.shelf .card')
    t.strictSame(visitor.complaints, [])
  })

  t.test('a film that plays is not cut off by an upgrade', async (t) => {
    const visitor = await openHome(t)
    const { page } = visitor
    await server.upgrade()
    const hello = page.waitForResponse((response) => response.url().includes('/api/events'))
    await server.stop()
    await server.start()
    await hello
    await until(page, 'document.querySelector(".notice") === null')
    await page.evaluate(`(() => {
      const video = document.createElement('video')
      Object.defineProperty(video, 'paused', { get: () => globalThis.isPaused ?? false })
      document.body.append(video)
    })()`)
    await page.click('.brand')
    await page.waitForSelector('.shelf .card')
    t.equal(await page.evaluate('globalThis.isTheSame'), true)
    await page.evaluate('globalThis.isPaused = true')
    await page.click('.brand')
    await until(page, LOADED_ANEW)
    await page.waitForSelector('.shelf .card')
    t.strictSame(visitor.complaints, [])
  })
}
