/** The year in review on paper: a PDF as Chromium prints it. `MARQUEE_TEST_SCREENSHOTS=<folder>` keeps the file. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { signIn } from '../../system/whole/server-process.ts'
import { launchBrowser, makeUser, needsBrowser, quiet, signInAt, visit } from './browser-fixture.ts'
import { startMoviesServer } from './movies-server.ts'

/** A sheet of A4 between margins of 14 mm, in CSS pixels. */
const SHEET = { width: 688, height: 1017 }
const LEFT_OUT = ['.bar', '.skip', '.years', '.plot-tools', '.toasts', '.zone']

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: 200 })
  const account = await makeUser(server.api, 'Paula')
  const api = await signIn(server.url, account)
  const { items: films } = (await api.send('GET', '/v1/movies?limit=12')).json as unknown as { items: { title: string; year: number }[] }
  const items = Array.from({ length: 60 }, (_, index) => {
    const { title = '', year = 0 } = films[(index * index) % films.length] ?? {}
    return { title, year, watchedAt: new Date(Date.UTC(2025, 0, 1 + index * 6, 19)).toISOString(), watchedSeconds: 3600 + index * 60 }
  })
  t.match((await api.send('POST', '/v1/history/import', { source: 'test', items })).json, { imported: items.length })

  for (const theme of ['dark', 'light'] as const) {
    t.test(`a year is printed without the frame, in ink on white, and no wider than the sheet (${theme})`, async (t) => {
      const visitor = await visit(t, browser, { theme })
      const { page } = visitor
      await signInAt(visitor, server.url, account)
      await page.goto(`${server.url}/stats/2025`)
      await page.waitForSelector('.ranked-row')
      await page.waitForSelector('.chart .plot-mark')
      await quiet(page)
      t.equal(await page.$eval('.paper-only', (line) => (line as HTMLElement).offsetHeight), 0, 'the name is on paper only')

      const pdf = Buffer.from(await page.pdf({ format: 'A4', printBackground: false }))
      const folder = process.env['MARQUEE_TEST_SCREENSHOTS']
      if (folder !== undefined) writeFileSync(join(folder, `year-${theme}.pdf`), pdf)
      const sheets = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0
      t.equal(sheets, 1, 'it fits on one sheet')

      await page.emulateMediaType('print')
      await page.setViewport(SHEET)
      t.strictSame(
        await page.evaluate(
          (names) => names.filter((name) => [...document.querySelectorAll<HTMLElement>(name)].some((one) => one.offsetHeight > 0)),
          LEFT_OUT,
        ),
        [],
      )
      t.equal(await page.$eval('.paper-only', (line) => line.textContent), 'Paula')
      t.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)')
      t.equal(await page.evaluate(`getComputedStyle(document.querySelector('h1')).color`), 'rgb(0, 0, 0)')
      t.equal(await page.evaluate(`getComputedStyle(document.querySelector('.plot')).breakInside`), 'avoid')
      t.ok(((await page.evaluate('document.documentElement.scrollWidth')) as number) <= SHEET.width, 'nothing is cut off at the side')
      t.ok(await page.$eval('.chart', (picture) => picture.getBoundingClientRect().right <= innerWidth), 'the calendar fits the sheet')
      t.strictSame(visitor.complaints, [])
    })
  }
}
