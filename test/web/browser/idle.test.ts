import t from 'tap'
import { askedBy, launchBrowser, needsBrowser, quiet, signInAt, until, visit } from './browser-fixture.ts'
import { startMoviesServer } from './movies-server.ts'

/** So many times faster than ours the page's clock goes: ten minutes are ten seconds. */
const TIMES = 60
const IDLE_MS = 600_000

/** Clock and timers of the page; what the network takes stays as it is. */
const FASTER = `(() => {
  const [now, wait, every, begun] = [Date.now, setTimeout, setInterval, Date.now()]
  const since = performance.now.bind(performance)
  Date.now = () => begun + (now.call(Date) - begun) * ${TIMES}
  performance.now = () => since() * ${TIMES}
  globalThis.setTimeout = (run, ms = 0, ...more) => wait(run, ms / ${TIMES}, ...more)
  globalThis.setInterval = (run, ms = 0, ...more) => every(run, ms / ${TIMES}, ...more)
})()`

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 200 })

  for (const [name, path, shows] of [
    ['the home page', '/', '.card'],
    ['the list', '/films', '.row .card a'],
  ] as const)
    t.test(`ten minutes on ${name} without touching it make no request, and it is live after them`, async (t) => {
      const visitor = await visit(t, browser)
      const { page } = visitor
      await signInAt(visitor, server.url)
      await page.evaluateOnNewDocument(FASTER)
      await page.goto(`${server.url}${path}`)
      await page.waitForSelector(shows)
      await quiet(page)
      const before = askedBy(visitor).length
      const streams = visitor.requests.length - before
      const begun = Number(await page.evaluate('Date.now()'))
      await until(page, `Date.now() - ${begun} > ${IDLE_MS}`)
      t.strictSame(askedBy(visitor).slice(before), [])
      t.equal(visitor.requests.length - before, streams, 'the stream is the one of the beginning')
      const [film = ''] = await page.$$eval('[data-focus*=" "]', (links) => links.map((link) => link.getAttribute('data-focus') ?? ''))
      const id = film.split(' ')[1]
      await server.api.send('PUT', `/v1/movies/${id}/watched`, {})
      await until(page, `document.querySelector('[data-focus="${film}"] .seen') !== null`)
      await server.api.send('DELETE', `/v1/movies/${id}/watched`)
      await until(page, `document.querySelector('[data-focus="${film}"] .seen') === null`)
      t.strictSame(visitor.complaints, [])
    })
}
