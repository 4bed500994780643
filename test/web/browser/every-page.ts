/**
 * Every page of the client except the player: with films that are watched, started and on the watchlist, and pages that are empty or fail.
 */
import type { Page } from 'puppeteer-core'
import type { Api } from '../../system/whole/server-process.ts'

export interface SomePage {
  readonly name: string
  readonly path: string
  /** A selector that matches once the page is displayed. */
  readonly shows: string
  /** The server rejects a request of the page with this status. */
  readonly fails?: 404 | 409
  /** Brings the page into a state. */
  readonly after?: (page: Page) => Promise<void>
}

/** Settings of the server: the session of the page `/now` has no player whose heartbeats would keep it. */
export const PLAYS_ON = { MARQUEE_SESSION_IDLE_SECONDS: '3600' }

interface Listed {
  readonly items: readonly { readonly id: string; readonly title: string; readonly duration: number; readonly libraryId: string }[]
}

/** Marks some films, and returns the pages for signed-in users. */
export async function everyPage(api: Api): Promise<readonly SomePage[]> {
  const { items: films } = (await api.send('GET', '/v1/movies?limit=100')).json as unknown as Listed
  const [first, second = first, third = first] = films
  if (!first || !second || !third) throw new Error('There are no films')
  await api.send('PUT', `/v1/movies/${first.id}/watched`, {})
  await api.send('PUT', `/v1/movies/${second.id}/resume`, { position: second.duration / 2 })
  await api.send('PUT', `/v1/movies/${third.id}/watchlist`)
  const shown = films.find(({ title }) => title === 'Sintel') ?? first
  const { cast = [] } = (await api.send('GET', `/v1/movies/${shown.id}/credits`)).json as { cast?: { personId: string }[] }
  const { items: collections = [] } = (await api.send('GET', '/v1/collections')).json as { items?: { id: string }[] }
  await api.send('POST', '/v1/playback/sessions', { movieId: shown.id, startPosition: 3, client: { name: 'App', device: 'Living room' } })
  // An address of documentation (RFC 5737): nobody is there, and nothing of the set happens any more.
  await api.send('POST', '/v1/admin/webhooks', { url: 'https://hooks.example/marquee', events: ['user.*'] })
  const guest = await newPerson(api, 'Guest')
  const erased = (await api.send('DELETE', `/v1/users/${await newPerson(api, 'Gone')}?erase=true`)).json as { id?: string; userId?: string }
  const viewing = await watchSome(api, shown.id)
  const year = new Date().getUTCFullYear()
  const { items: entries = [] } = (await api.send('GET', '/v1/audit?limit=1')).json as { items?: { seq: number }[] }
  const then = encodeURIComponent(new Date().toISOString())
  const long = encodeURIComponent('2001-01-01T00:00:00.000Z')
  return [
    { name: 'home', path: '/', shows: '.shelf .card' },
    { name: 'films', path: '/films', shows: '.row .card a' },
    { name: 'films with filters', path: '/films?watched=false&sort=year', shows: '.row .card a', after: openFilters },
    { name: 'films without a match', path: '/films?year=1800', shows: '.empty' },
    { name: 'a film', path: `/films/${shown.id}`, shows: '.movie-more .file' },
    { name: 'a film with a note', path: `/films/${second.id}`, shows: '.movie .actions', after: listIt },
    { name: 'a film whose match is corrected', path: `/films/${shown.id}`, shows: '[data-focus=match]', fails: 409, after: openMatch },
    { name: 'no such film', path: '/films/abcdefghijklmnopqrstu', shows: '.empty', fails: 404 },
    { name: 'search', path: '/search', shows: '.empty' },
    { name: 'search with results', path: '/search?q=b', shows: '.card, .empty' },
    { name: 'search without results', path: '/search?q=zzzz', shows: '.empty' },
    { name: 'watchlist', path: '/watchlist', shows: '.row .card a' },
    { name: 'collections', path: '/collections', shows: '.cards, .empty' },
    ...collections.slice(0, 1).map(({ id }) => ({ name: 'a collection', path: `/collections/${id}`, shows: '.card' })),
    ...cast.slice(0, 1).map(({ personId }) => ({ name: 'a person', path: `/people/${personId}`, shows: '.card' })),
    { name: 'profile', path: '/settings', shows: '.form' },
    { name: 'playback settings', path: '/settings/playback', shows: '.form' },
    { name: 'looks', path: '/settings/look', shows: '.form' },
    { name: 'logins', path: '/settings/logins', shows: '.file' },
    { name: 'second factor', path: '/settings/second-factor', shows: '.settings-part .primary' },
    { name: 'access tokens', path: '/settings/tokens', shows: '.settings-part .primary' },
    { name: 'data', path: '/settings/data', shows: '.danger', after: openDialog },
    { name: 'more places', path: '/more', shows: '.tile' },
    { name: 'what plays now', path: '/now', shows: '.session-card', after: openDetails },
    { name: 'libraries', path: '/admin/libraries', shows: '.library-card' },
    { name: 'choosing a folder', path: '/admin/libraries', shows: '.library-card', after: (page) => openBy(page, '.admin-head .primary') },
    { name: 'a library', path: `/admin/libraries/${shown.libraryId}`, shows: '.scan-entry', after: openDetails },
    { name: 'people', path: '/admin/users', shows: '.tile' },
    { name: 'a new person', path: '/admin/users', shows: '.tile', after: (page) => openBy(page, '.admin-head .primary') },
    { name: 'nobody of the name', path: '/admin/users?q=zzzz', shows: '.empty' },
    { name: 'a person', path: `/admin/users/${guest}`, shows: '.admin-part .soft' },
    { name: 'the server', path: '/admin/server', shows: '.in-force' },
    { name: 'webhooks', path: '/admin/webhooks', shows: '.webhook', after: openDetails },
    { name: 'a new webhook', path: '/admin/webhooks', shows: '.webhook', after: (page) => openBy(page, '.admin-head .primary') },
    { name: 'a receipt', path: `/admin/users/${erased.userId}?erased=${erased.id}`, shows: '.receipt' },
    { name: 'what was done with the account', path: '/settings/audit', shows: '.audit-row' },
    { name: 'history', path: '/history', shows: '.viewing .strip-line' },
    { name: 'history without a match', path: '/history?from=1990-01-01&to=1990-01-02', shows: '.empty' },
    { name: 'a viewing', path: `/history/${viewing}`, shows: '.chart .plot-mark', after: openTables },
    { name: 'no such viewing', path: '/history/abcdefghijklmnopqrstu', shows: '.empty', fails: 404 },
    { name: 'figures', path: '/stats?by=method', shows: '.plots .chart .plot-mark', after: openTables },
    { name: 'figures of nothing', path: '/stats?from=1990-01-01&to=1990-01-02', shows: '.empty' },
    { name: 'a year', path: `/stats/${year}`, shows: '.plots .chart .plot-mark' },
    { name: 'a year without films', path: '/stats/1990', shows: '.empty' },
    { name: 'history of everybody', path: '/admin/history', shows: '.viewing' },
    { name: 'figures of everybody', path: '/admin/stats?by=user&metric=seconds', shows: '.plots .chart .plot-mark' },
    { name: 'the audit', path: '/admin/audit', shows: '.audit-row', after: openChanges },
    { name: 'the audit without a match', path: '/admin/audit?from=1990-01-01&to=1990-01-02', shows: '.empty' },
    { name: 'an entry and its proof', path: `/admin/audit/${entries[0]?.seq}`, shows: '.verdict' },
    { name: 'the life of a film', path: `/films/${shown.id}`, shows: '.life', after: openLife },
    { name: 'films of the past', path: `/films?asOf=${then}`, shows: '.past-band' },
    { name: 'a film of the past', path: `/films/${shown.id}?asOf=${then}`, shows: '.past-band' },
    { name: 'a film before it was there', path: `/films/${shown.id}?asOf=${long}`, shows: '.empty' },
    { name: 'no such part of the settings', path: '/settings/nothing', shows: '.empty' },
  ]
}

/** Gives the id of the account. */
async function newPerson(api: Api, name: string): Promise<string> {
  const account = { name, email: `${name.toLowerCase()}@example.net`, password: `the password of ${name}` }
  const { json } = await api.send('POST', '/v1/users', account)
  return (json as { id?: string }).id ?? ''
}

async function openBy(page: Page, selector: string): Promise<void> {
  if (await page.$('dialog[open]')) return
  await page.$eval(selector, (button) => (button as HTMLElement).click())
  await page.waitForSelector('dialog[open]')
}

/** There is no provider of online metadata: it says so. */
async function openMatch(page: Page): Promise<void> {
  await openBy(page, '[data-focus=match]')
  await page.waitForSelector('dialog .wrong')
}

const openDetails = (page: Page): Promise<void> =>
  page.$$eval('details', (all) => {
    for (const one of all) one.open = true
  })

/** Plays a part of the film, pauses and jumps, and returns the viewing. */
async function watchSome(api: Api, movieId: string): Promise<string> {
  const client = { name: 'Marquee Web', version: '1', device: 'Chromium' }
  const { id = '' } = (await api.send('POST', '/v1/playback/sessions', { movieId, startPosition: 1, client })).json as { id?: string }
  const beat = (position: number, playState: string) => api.send('POST', `/v1/playback/sessions/${id}/heartbeat`, { position, playState })
  await beat(1, 'playing')
  await beat(3, 'playing')
  await beat(3, 'paused')
  await beat(3, 'playing')
  await api.send('POST', `/v1/playback/sessions/${id}/seek`, { position: 8 })
  await beat(9, 'playing')
  await api.send('DELETE', `/v1/playback/sessions/${id}?position=10`)
  return id
}

const clickAll = async (page: Page, selector: string): Promise<void> => {
  await page.$$eval(selector, (buttons) => {
    for (const button of buttons) if (button instanceof HTMLElement) button.click()
  })
}

const openTables = (page: Page): Promise<void> => clickAll(page, '.plot-tools [aria-expanded=false]')
const openChanges = (page: Page): Promise<void> => clickAll(page, '.audit-row [aria-expanded=false]')

async function openLife(page: Page): Promise<void> {
  await clickAll(page, '.life [aria-expanded=false]')
  await page.waitForSelector('.life-steps li')
}

/** Only if they are behind a button. */
async function openFilters(page: Page): Promise<void> {
  await page.evaluate(() => {
    const button = document.querySelector<HTMLElement>('.filters-toggle[aria-expanded=false]')
    if (button && button.offsetWidth > 0) button.click()
  })
}

async function listIt(page: Page): Promise<void> {
  if (await page.$('.toast')) return
  await page.$eval('[data-focus=watchlist]', (button) => (button as HTMLElement).click())
  await page.waitForSelector('.toast')
}

async function openDialog(page: Page): Promise<void> {
  if (await page.$('dialog[open]')) return
  await page.$eval('.danger', (button) => (button as HTMLElement).click())
  await page.waitForSelector('dialog[open]')
}
