/** The player and its server: administrators' commands, revoked access, restarts, limits, reloaded playlists. */
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { HTTPRequest, Page } from 'puppeteer-core'
import { startServer } from '../../system/whole/server-process.ts'
import { mediaSet } from '../../fixtures/media-files.ts'
import { makeUser } from './browser-fixture.ts'
import { comesTrue, isAt, isPaused, look, moves, openPlayerFixture, shows, sit, type PlayerFixture, type Seat } from './player-fixture.ts'

t.setTimeout(600_000)

const FILM = 'Peach Meadow'
/** Chromium's messages about a rejected request, and about an unreachable server. */
const REFUSED = /status of (401|404|409|429)/
const AWAY = /status of 503|ERR_(CONNECTION|NETWORK|EMPTY|INCOMPLETE|ABORTED|HTTP2|CONTENT)/

const finished = (t: Test, { complaints }: Seat) => t.strictSame(complaints, [], 'the browser complains of nothing else')

interface Active {
  readonly id: string
  readonly user: { readonly name: string }
}

async function sessionOf({ web }: PlayerFixture, name: string): Promise<string> {
  const list = (await web.api.send('GET', '/v1/playback/sessions/active?scope=all')).json as unknown as { items: readonly Active[] }
  const found = list.items.find(({ user }) => user.name === name)
  if (!found) throw new Error(`${name} plays nothing`)
  return found.id
}

async function guest(t: Test, fixture: PlayerFixture, name: string, more: object = {}): Promise<Seat & { readonly id: string }> {
  const account = await makeUser(fixture.web.api, name, { libraryAccess: 'all', libraryIds: [], ...more })
  const seat = await sit(t, fixture, { account })
  const users = (await fixture.web.api.send('GET', '/v1/users')).json as unknown as { items: readonly { id: string; email: string }[] }
  return { ...seat, id: users.items.find(({ email }) => email === account.email)?.id ?? '' }
}

t.test('the player and its server', async (t) => {
  const fixture = await openPlayerFixture(t)
  if (!fixture) return
  await t.test('an administrator pauses, writes and stops from elsewhere', (t) => obeys(t, fixture))
  await t.test('playlists are reloaded at the position when the server requests it', (t) => reloads(t, fixture))
  await t.test('tokens of streams that are older than four hours are replaced without a jump', (t) => outlivesTokens(t, fixture))
  await t.test('too many requests are waited for', (t) => waits(t, fixture))
  await t.test('too many requests before the session are explained, too', (t) => waitsForFilm(t, fixture))
  await t.test('why the server has stopped the stream is told', (t) => tellsTrouble(t, fixture))
  await t.test('a session that the server forgot is replaced without a word', (t) => renews(t, fixture))
  await t.test('the limit of streams is explained', (t) => isLimited(t, fixture))
  await t.test('a person whose grant is revoked is notified', (t) => losesGrant(t, fixture))
  await t.test('a person whose account is disabled comes to the sign-in page', (t) => isDisabled(t, fixture))
  await t.test('a restart of the server is outlived', (t) => outlives(t, fixture))
})

// A server of its own, since nothing is left to play after it.
t.test('a person whose library is deleted is notified', async (t) => {
  const fixture = await openPlayerFixture(t)
  if (fixture) await losesLibrary(t, fixture)
})

async function obeys(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await guest(t, fixture, 'Ada')
  // Streams and session end before the player knows.
  seat.expect(REFUSED, AWAY)
  const { page } = seat
  await seat.watch(fixture.anyMovie(FILM), '?t=0')
  const url = `/v1/admin/playback/sessions/${await sessionOf(fixture, 'Ada')}`
  const command = (body: object) => fixture.web.api.send('POST', `${url}/commands`, body)
  await command({ command: 'message', message: 'Dinner <b>is</b> ready' })
  await shows(page, '.letter', 'Dinner <b>is</b> ready')
  await page.locator('.letter button').click()
  await page.waitForSelector('.letter', { hidden: true })
  await command({ command: 'pause' })
  await isPaused(page, true)
  await shows(page, '.letter', 'An administrator has paused playback')
  await page.locator('.letter button').click()
  await page.keyboard.press('k')
  await moves(page)
  await fixture.web.api.send('POST', `${url}/terminate`, { message: 'Bedtime' })
  await shows(page, '.over', 'An administrator has ended playback')
  await shows(page, '.over p', 'Bedtime')
  finished(t, seat)
}

/** Answers a page's matching requests, like the server would. */
async function answerFor(
  page: Page,
  answer: (request: HTTPRequest) => { status: number; headers?: Record<string, string>; body: object } | undefined,
) {
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    const given = answer(request)
    if (!given) void request.continue()
    else
      void request.respond({
        status: given.status,
        contentType: 'application/json',
        headers: given.headers ?? {},
        body: JSON.stringify(given.body),
      })
  })
}

async function reloads(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await sit(t, fixture)
  const { page } = seat
  const command = { id: 'x'.repeat(21), command: 'reload', message: null }
  const told = { times: 0, acknowledged: false }
  await answerFor(page, (request) => {
    if (!request.url().endsWith('/heartbeat')) return undefined
    const body = JSON.parse(request.postData() ?? '{}') as { position: number; lastCommandId?: string }
    if (body.lastCommandId === command.id) told.acknowledged = true
    told.times += 1
    const commands = told.times > 1 && !told.acknowledged ? [command] : []
    return {
      status: 200,
      body: {
        sessionId: 's',
        state: 'active',
        playState: 'playing',
        position: body.position,
        expiresAt: '',
        streamToken: null,
        streamTokenExpiresAt: null,
        problem: null,
        commands,
      },
    }
  })
  await seat.watch(fixture.anyMovie('Sintel'), '?t=10')
  const { at } = await look(page)
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await comesTrue(async () => seat.requests.filter((line) => line.includes('/master.m3u8')).length === 2)
  await moves(page)
  const after = (await look(page)).at
  t.ok(after >= at && after < at + 10, `from ${at} to ${after}`)
  t.ok(told.acknowledged)
  finished(t, seat)
}

/** The server's clock cannot be moved from here: this plays what it does when a token is due, and refuses what old playlists name. */
async function outlivesTokens(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await sit(t, fixture)
  seat.expect(REFUSED)
  const { page } = seat
  const tokenIn = (url: string): string | undefined => /token=([^&]+)/.exec(url)?.[1]
  const command = { id: 'y'.repeat(21), command: 'reload', message: null }
  const told = { isDue: false, acknowledged: false, refused: 0, old: new Set<string | undefined>(), fresh: new Set<string | undefined>() }
  await answerFor(page, (request) => {
    const [url, token] = [request.url(), tokenIn(request.url())]
    if (token !== undefined && url.includes('/api/stream/')) {
      if (!told.isDue) told.old.add(token)
      else if (!told.old.has(token)) told.fresh.add(token)
      else if (told.acknowledged) {
        told.refused += 1
        return { status: 401, body: { error: 'The token has expired' } }
      }
    }
    if (!url.endsWith('/heartbeat')) return undefined
    const body = JSON.parse(request.postData() ?? '{}') as { position: number; lastCommandId?: string }
    if (body.lastCommandId === command.id) told.acknowledged = true
    const commands = told.isDue && !told.acknowledged ? [command] : []
    const times = { expiresAt: '', streamTokenExpiresAt: null }
    const answer = { sessionId: 's', state: 'active', playState: 'playing', position: body.position, streamToken: null, problem: null }
    return { status: 200, body: { ...answer, ...times, commands } }
  })
  const film = fixture.anyMovie('Sintel')
  await seat.watch(film, '?t=10')
  const { at } = await look(page)
  await page.evaluate(`{
    const video = document.querySelector('video')
    globalThis.jumps = []
    let before = video.currentTime
    video.addEventListener('timeupdate', () => {
          if (video.seeking || video.readyState < 3) return
      if (Math.abs(video.currentTime - before) > 2) globalThis.jumps.push([before, video.currentTime])
      before = video.currentTime
    })
  }`)
  await page.waitForFunction((at) => (document.querySelector('video')?.currentTime ?? 0) > at + 1.5, {}, at)
  // A token is as old as the last heartbeat that reached the server, and one of the same second is the same.
  const own = (await fixture.web.api.send('GET', '/v1/playback/sessions/active')).json as unknown as { items: readonly Active[] }
  const beat = { position: at, playState: 'playing' }
  t.match(await fixture.web.api.send('POST', `/v1/playback/sessions/${own.items[0]?.id}/heartbeat`, beat), { status: 200 })
  told.isDue = true
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await comesTrue(async () => told.acknowledged && told.fresh.size > 0)
  await moves(page)
  const after = (await look(page)).at
  t.ok(after >= at - 1 && after < at + 15, `from ${at} to ${after}`)
  t.strictSame(await page.evaluate('globalThis.jumps'), [])
  await page.keyboard.press('7')
  await isAt(page, film.duration * 0.7, 3)
  await moves(page)
  t.equal(told.refused, 0, 'nothing is asked for by an old token')
  finished(t, seat)
}

async function waits(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await sit(t, fixture)
  seat.expect(REFUSED)
  const refusals = { left: 1 }
  await answerFor(seat.page, (request) => {
    if (!request.url().endsWith('/v1/playback/sessions') || refusals.left === 0) return undefined
    refusals.left -= 1
    return { status: 429, headers: { 'retry-after': '2' }, body: { error: 'Too many requests' } }
  })
  await seat.page.goto(`${fixture.web.url}/watch/${fixture.anyMovie(FILM).id}`)
  await shows(seat.page, '.away', 'Too many requests')
  await moves(seat.page)
  t.equal(await seat.page.$eval('.away', ({ textContent }) => textContent), '')
  finished(t, seat)
}

async function waitsForFilm(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await sit(t, fixture)
  seat.expect(REFUSED)
  const { id } = fixture.anyMovie(FILM)
  const refusals = { left: 1 }
  await answerFor(seat.page, (request) => {
    if (!request.url().endsWith(`/v1/movies/${id}`) || refusals.left === 0) return undefined
    refusals.left -= 1
    return { status: 429, headers: { 'retry-after': '3' }, body: { error: 'Too many requests' } }
  })
  await seat.page.goto(`${fixture.web.url}/watch/${id}`)
  await shows(seat.page, '.away', 'Too many requests')
  await moves(seat.page)
  t.equal(await seat.page.$eval('.away', ({ textContent }) => textContent), '')
  finished(t, seat)
}

const TROUBLE = 'The file of this film cannot be read at the moment'

async function tellsTrouble(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await sit(t, fixture)
  seat.expect(/status of 503/)
  const film = { isAway: true }
  await answerFor(seat.page, (request) => {
    if (!film.isAway) return undefined
    // It begins to play.
    if (/\/seg-([2-9]|\d\d)/.test(request.url())) return { status: 503, body: { error: TROUBLE } }
    return request.url().endsWith('/heartbeat') ? { status: 200, body: { state: 'active', problem: TROUBLE, commands: [] } } : undefined
  })
  await seat.watch(fixture.anyMovie(FILM), '?t=0')
  await shows(seat.page, '.away', TROUBLE)
  film.isAway = false
  await moves(seat.page)
  t.equal(await seat.page.$eval('.away', ({ textContent }) => textContent), '')
  finished(t, seat)
}

async function renews(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await sit(t, fixture)
  seat.expect(REFUSED)
  await seat.watch(fixture.anyMovie(FILM), '?t=20')
  const list = (await fixture.web.api.send('GET', '/v1/playback/sessions/active')).json as unknown as { items: readonly Active[] }
  await fixture.web.api.send('DELETE', `/v1/playback/sessions/${list.items[0]?.id}`)
  await seat.page.keyboard.press('k')
  await seat.page.keyboard.press('k')
  const isNew = (line: string): boolean => line.includes('/api/stream/') && !line.includes(`${list.items[0]?.id}`)
  await comesTrue(async () => seat.requests.some(isNew))
  await isAt(seat.page, 30, 10)
  await moves(seat.page)
  const { at } = await look(seat.page)
  t.ok(at >= 20 && at < 40, `${at}`)
  t.equal(seat.requests.filter((line) => line === 'POST /v1/playback/sessions').length, 2)
  t.notOk(await seat.page.$('.over'))
  finished(t, seat)
}

async function isLimited(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await guest(t, fixture, 'Bea', { maxConcurrentStreams: 1 })
  seat.expect(REFUSED)
  await seat.watch(fixture.anyMovie(FILM), '?t=0')
  const other = await seat.context.newPage()
  await other.goto(`${fixture.web.url}/watch/${fixture.anyMovie('Sintel').id}`)
  await shows(other, '.over', 'Too many films are playing')
  await shows(other, '.over li', fixture.anyMovie(FILM).title)
  await seat.page.close({ runBeforeUnload: true })
  await comesTrue(async () =>
    (
      (await fixture.web.api.send('GET', '/v1/playback/sessions/active?scope=all')).json as unknown as { items: readonly Active[] }
    ).items.every(({ user }) => user.name !== 'Bea'),
  )
  await other.bringToFront()
  await other.locator('.over .primary').click()
  await moves(other)
  finished(t, seat)
}

async function losesGrant(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await guest(t, fixture, 'Cleo')
  seat.expect(REFUSED)
  await seat.watch(fixture.anyMovie(FILM), '?t=0')
  const { status } = await fixture.web.api.send('PATCH', `/v1/users/${seat.id}`, { libraryAccess: 'selected', libraryIds: [] })
  t.equal(status, 200)
  await shows(seat.page, '.over', 'This film is not available any more')
  const { at } = await look(seat.page)
  await setTimeout(1_500)
  t.equal((await look(seat.page)).at, at, 'what is buffered does not play on')
  finished(t, seat)
}

async function isDisabled(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await guest(t, fixture, 'Dora')
  seat.expect(REFUSED)
  await seat.watch(fixture.anyMovie(FILM), '?t=0')
  t.equal((await fixture.web.api.send('PATCH', `/v1/users/${seat.id}`, { enabled: false })).status, 200)
  await seat.page.keyboard.press('k')
  await seat.page.waitForSelector('input[name=email]')
  t.notOk(await seat.page.$('.player'), 'nothing of the film is left')
  finished(t, seat)
}

/** The same port and the same data, like an upgrade of the server. */
async function outlives(t: Test, fixture: PlayerFixture): Promise<void> {
  const { web } = fixture
  const seat = await sit(t, fixture)
  seat.expect(AWAY, REFUSED)
  await seat.watch(fixture.anyMovie(FILM), '?t=0')
  await web.server.end('SIGTERM')
  await seat.page.keyboard.press('5')
  await shows(seat.page, '.away', 'The server does not answer')
  const media = mediaSet()?.movies
  const again = await startServer({
    dataDir: web.dataDir,
    ...(media === undefined ? {} : { media }),
    env: { MARQUEE_PORT: new URL(web.url).port },
  })
  t.teardown(() => again.end('SIGTERM'))
  await seat.page.waitForFunction(() => document.querySelector('.away')?.textContent === '')
  await moves(seat.page)
  t.ok((await look(seat.page)).at >= fixture.anyMovie(FILM).duration / 2 - 1)
  t.notOk(await seat.page.$('.over'))
  finished(t, seat)
}

async function losesLibrary(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await guest(t, fixture, 'Elsa')
  seat.expect(REFUSED)
  await seat.watch(fixture.anyMovie(FILM), '?t=0')
  const { items } = (await fixture.web.api.send('GET', '/v1/libraries')).json as unknown as { items: readonly { id: string }[] }
  for (const { id } of items) t.match(await fixture.web.api.send('DELETE', `/v1/libraries/${id}`), { status: 204 })
  await shows(seat.page, '.over', 'This film is not available any more')
  await seat.page.keyboard.press('Escape')
  await seat.page.waitForFunction(() => !location.pathname.startsWith('/watch'))
  finished(t, seat)
}
