import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { signIn, type Api } from '../../system/whole/server-process.ts'
import { launchBrowser, makeUser, needsBrowser, quiet, signInAt, textsOf, visit, type Visitor } from './browser-fixture.ts'
import { startMoviesServer } from './movies-server.ts'

interface Movie {
  readonly id: string
  readonly title: string
  readonly year: number
}

interface Plays {
  readonly buckets: readonly { readonly key: string; readonly from: string | null; readonly to: string | null }[]
  readonly total: readonly number[]
}

interface MarkOf {
  readonly to: string
  readonly label: string
}

/** Around the nights in which the clocks of Berlin and of New York change, and at midnights of both. */
const TIMES = [
  '2026-03-07T23:30:00Z',
  '2026-03-08T04:30:00Z',
  '2026-03-08T06:30:00Z',
  '2026-03-08T07:30:00Z',
  '2026-03-09T03:30:00Z',
  '2026-03-28T22:30:00Z',
  '2026-03-28T23:30:00Z',
  '2026-03-29T00:30:00Z',
  '2026-03-29T01:30:00Z',
  '2026-03-29T21:30:00Z',
  '2026-03-29T22:30:00Z',
  '2026-03-29T22:45:00Z',
]
const RANGE = 'from=2026-03-01&to=2026-03-31'
const ZONES = ['Europe/Berlin', 'America/New_York'] as const

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 200 })
  const films = ((await server.api.send('GET', '/v1/movies?limit=5')).json as unknown as { items: Movie[] }).items

  /** A user who has watched films at these times. */
  async function watcher(t: Test, name: string, times: readonly string[] = TIMES) {
    const account = await makeUser(server.api, name)
    const api = await signIn(server.url, account)
    const items = times.map((watchedAt, index) => {
      const { title = '', year = 0 } = films[index % 3] ?? {}
      return { title, year, watchedAt, watchedSeconds: 1800 + index * 60 }
    })
    const { json } = await api.send('POST', '/v1/history/import', { source: 'test', items })
    t.match(json, { imported: times.length })
    const visitor = await visit(t, browser)
    await signInAt(visitor, server.url, account)
    return { api, visitor, page: visitor.page }
  }

  const playsOf = async (api: Api, query: string): Promise<Plays> =>
    (await api.send('GET', `/v1/analytics/plays?${query}`)).json as unknown as Plays

  /** Marks of the plot with the heading. */
  const marksOf = (page: Page, title: string): Promise<readonly MarkOf[]> =>
    page.evaluate((title) => {
      const plot = [...document.querySelectorAll('.plot')].find((one) => one.querySelector('h2')?.textContent === title)
      const marks = [...(plot?.querySelectorAll('.plot-mark') ?? [])]
      return marks.map((mark) => ({ to: mark.getAttribute('href') ?? '', label: mark.getAttribute('aria-label') ?? '' }))
    }, title)

  const numberIn = ({ label }: MarkOf): number => Number(/(\d+) viewings?$/.exec(label)?.[1])

  /** Rows that the page at the address lists. */
  async function rowsAt({ page }: Visitor, to: string): Promise<number> {
    await page.goto(`${server.url}${to}`)
    await page.waitForSelector('.viewing, .empty')
    await quiet(page)
    return page.$$eval('.viewing', (rows) => rows.length)
  }

  for (const tz of ZONES) {
    t.test(`figures equal the API's, and each mark leads to as many viewings as it counts, in ${tz}`, async (t) => {
      const { api, visitor, page } = await watcher(t, `Stella${tz.length}`)
      await page.goto(`${server.url}/stats?${RANGE}&tz=${tz}`)
      await page.waitForSelector('.plots .chart .plot-mark')
      await quiet(page)
      const midnights = await page.evaluate(() =>
        new URLSearchParams(document.querySelector<HTMLAnchorElement>('.figure-list a')?.search).toString(),
      )
      const days = await playsOf(api, `${midnights}&groupBy=day`)
      const bars = await marksOf(page, 'Viewings over time')
      t.strictSame(
        bars.map(numberIn),
        days.total.filter((value) => value > 0),
        'days',
      )
      const hours = await playsOf(api, `${midnights}&groupBy=hourOfWeek`)
      const cells = await marksOf(page, 'Hours of the week')
      t.equal(cells.length, 168)
      t.strictSame(cells.map(numberIn), hours.total, 'hours of the week')
      t.equal(
        hours.total.reduce((sum, value) => sum + value, 0),
        TIMES.length,
      )
      const shortest = days.buckets.map(({ from, to }) => Date.parse(to ?? '') - Date.parse(from ?? '')).sort((a, b) => a - b)[0]
      t.equal(shortest, 23 * 3_600_000, 'the clocks went forward within the range')
      for (const mark of [...bars, ...cells.filter((cell) => numberIn(cell) > 0)])
        t.equal(await rowsAt(visitor, mark.to), numberIn(mark), mark.label)
      t.equal(await rowsAt(visitor, cells.find((cell) => numberIn(cell) === 0)?.to ?? ''), 0)
      t.strictSame(visitor.complaints, [])
    })
  }

  t.test('top lists and parts of bars lead to their viewings, and the table is the file', async (t) => {
    const { visitor, page } = await watcher(t, 'Sven')
    await page.goto(`${server.url}/stats?${RANGE}&tz=UTC&by=movie`)
    await page.waitForSelector('.ranked-row')
    await quiet(page)
    const tops = await page.$$eval('.plot:has(.ranked) a.ranked-row', (rows) =>
      rows.map((row) => ({ to: row.getAttribute('href') ?? '', label: row.querySelector('.ranked-value')?.textContent ?? '' })),
    )
    const parts = await marksOf(page, 'Viewings over time')
    t.ok(tops.length >= 4)
    t.equal(
      parts.map(numberIn).reduce((sum, value) => sum + value, 0),
      TIMES.length,
    )
    const plot = await page.evaluateHandle(() => document.querySelector('.plot'))
    await (await plot.asElement()?.$('.plot-tools button'))?.click()
    await page.waitForSelector('.plot .table')
    t.equal((await textsOf(page, '.plot .table tbody tr')).length, 31)
    for (const mark of [...tops, ...parts]) t.equal(await rowsAt(visitor, mark.to), numberIn(mark), mark.label)
    t.strictSame(visitor.complaints, [])
  })

  t.test('a plot is one stop for Tab, and arrows go from mark to mark; Enter opens what it counts', async (t) => {
    const { visitor, page } = await watcher(t, 'Sonja')
    await page.goto(`${server.url}/stats?${RANGE}&tz=UTC`)
    await page.waitForSelector('.plots .chart .plot-mark')
    await quiet(page)
    t.strictSame(
      await page.$$eval('.chart', (plots) =>
        plots
          .filter((plot) => plot.querySelector('.plot-mark'))
          .map((plot) => plot.querySelectorAll('[tabindex="0"]').length)
          .filter((count) => count !== 1),
      ),
      [],
    )
    await page.evaluate(`document.querySelector('.chart .plot-mark[tabindex="0"]').focus()`)
    const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    const [first, second] = await marksOf(page, 'Viewings over time')
    t.equal(await label(), first?.label)
    await page.keyboard.press('ArrowRight')
    t.equal(await label(), second?.label)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.viewing')
    t.strictSame(visitor.complaints, [])
  })

  t.test('a year in review has the figures of the API, and each of its days leads to its viewings', async (t) => {
    const { api, visitor, page } = await watcher(t, 'Selma')
    await page.emulateTimezone('Europe/Berlin')
    await page.goto(`${server.url}/stats/2026`)
    await page.waitForSelector('.chart .plot-mark')
    const { plays } = (await api.send('GET', '/v1/analytics/year/2026?tz=Europe/Berlin')).json as unknown as { plays: number }
    t.equal((await textsOf(page, '.figure-list dd'))[0], String(plays))
    const days = await marksOf(page, 'Day by day')
    t.equal(days.length, 365)
    const watched = days.filter((mark) => numberIn(mark) > 0)
    t.equal(
      watched.map(numberIn).reduce((sum, value) => sum + value, 0),
      plays,
    )
    for (const mark of watched) t.equal(await rowsAt(visitor, mark.to), numberIn(mark), mark.label)
    t.strictSame(visitor.complaints, [])
  })

  t.test('administrators see everybody, divided by people, and are informed that it is recorded', async (t) => {
    const { visitor: somebody } = await watcher(t, 'Sibylle')
    const admin = await visit(t, browser)
    await signInAt(admin, server.url)
    await admin.page.goto(`${server.url}/admin/stats?${RANGE}&tz=UTC&by=user`)
    await admin.page.waitForSelector('.legend')
    await quiet(admin.page)
    t.match(await admin.page.$eval('.on-record', (note) => note.textContent), /recorded/)
    const people = await admin.page.$$eval('.plot:has(.ranked) a.ranked-row[href*="userId"]', (rows) =>
      rows.map((row) => ({ to: row.getAttribute('href') ?? '', label: row.querySelector('.ranked-value')?.textContent ?? '' })),
    )
    t.ok(people.length > 0)
    for (const mark of people) t.equal(await rowsAt(admin, mark.to), numberIn(mark))
    t.strictSame([...somebody.complaints, ...admin.complaints], [])
  })
}
