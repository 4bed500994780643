/** Playback in the browser: films of each kind to their end, resuming, seeking, keys, fullscreen, the system's media controls. */
import t, { type Test } from 'tap'
import {
  choose,
  comesTrue,
  isAt,
  isPaused,
  look,
  moves,
  openPlayerFixture,
  shows,
  sit,
  wake,
  type Movie,
  type PlayerFixture,
  type Seat,
} from './player-fixture.ts'

t.setTimeout(600_000)

/** One for each method: the file, copied streams, copied video, everything transcoded, no audio. */
const KINDS = ['Big Buck Bunny', 'Car Park Vertical', 'Sintel', 'Big Buck Bunny (PAL DVD)', 'Chaplin Street Scene']
const FROM_END_S = 3

const finished = (t: Test, { complaints }: Seat) => t.strictSame(complaints, [], 'the browser complains of nothing')
const sessions = async ({ web }: PlayerFixture) => {
  const { items } = (await web.api.send('GET', '/v1/playback/sessions/active')).json as unknown as { items: readonly { id: string }[] }
  return items.map(({ id }) => id)
}
const movieOf = async ({ web }: PlayerFixture, { id }: Movie) =>
  (await web.api.send('GET', `/v1/movies/${id}`)).json as unknown as {
    watched: boolean
    position: number
    trickplay: boolean
  }

t.test('the player', async (t) => {
  const fixture = await openPlayerFixture(t)
  if (!fixture) return
  const isWhole = process.env['MARQUEE_TEST_PLAYERS'] === 'all'
  const films = isWhole || !fixture.movie('Sintel') ? [...fixture.movies.values()] : KINDS.map(fixture.anyMovie)

  for (const film of films) {
    await t.test(`${film.title} plays to its end and counts as watched`, async (t) => {
      const seat = await sit(t, fixture)
      await seat.watch(film, '?t=0')
      await seat.page.keyboard.press('9')
      await moves(seat.page)
      await seat.page.$eval('video', (video, to) => void Object.assign(video, { currentTime: to }), film.duration - FROM_END_S)
      await shows(seat.page, '.over h2', 'The end')
      await comesTrue(async () => (await movieOf(fixture, film)).watched)
      finished(t, seat)
    })
  }

  await t.test('it resumes where the tab was closed, and starts over on request', (t) => resumes(t, fixture))
  await t.test('a link to a position past the end plays the film all the same', (t) => startsPastTheEnd(t, fixture))
  await t.test('opening and closing changes nothing', (t) => opensAndCloses(t, fixture))
  await t.test('the slider seeks by mouse, keyboard and touch, with the right thumbnail', (t) => slides(t, fixture))
  await t.test('each key does what the list says', (t) => presses(t, fixture))
  await t.test('Escape closes the menu, hides the controls, leaves fullscreen, then the page', (t) => escapes(t, fixture))
  await t.test('Back closes the menu, then leaves fullscreen, then the page', (t) => goesBack(t, fixture))
  await t.test('touches show and hide the controls, and two jump', (t) => touches(t, fixture))
  await t.test("the system's media controls know the film", (t) => mediaSession(t, fixture))
  await t.test('picture in picture goes on below another page', (t) => pictureInPicture(t, fixture))
})

async function resumes(t: Test, fixture: PlayerFixture): Promise<void> {
  const film = fixture.anyMovie('Tears of Steel')
  const seat = await sit(t, fixture)
  await seat.watch(film, '?t=20')
  await isAt(seat.page, 22, 1)
  await seat.page.keyboard.press('k')
  await isPaused(seat.page, true)
  const { at } = await look(seat.page)
  await seat.page.close({ runBeforeUnload: true })
  await comesTrue(async () => Math.abs((await movieOf(fixture, film)).position - at) < 1)
  const other = await sit(t, fixture)
  await other.watch(film)
  t.ok((await look(other.page)).at >= at - 1, 'it begins where it was left')
  await other.watch(film, '?t=0')
  t.ok((await look(other.page)).at < 10, 'it begins at the start')
  finished(t, other)
}

async function startsPastTheEnd(t: Test, fixture: PlayerFixture): Promise<void> {
  const film = fixture.anyMovie('Tears of Steel')
  const seat = await sit(t, fixture)
  seat.expect(/status of 422/)
  await seat.watch(film, `?t=${Math.ceil(film.duration) + 60}`)
  t.ok((await look(seat.page)).at < film.duration)
  t.equal(seat.requests.filter((line) => line === 'POST /v1/playback/sessions').length, 2)
  finished(t, seat)
}

async function opensAndCloses(t: Test, fixture: PlayerFixture): Promise<void> {
  const film = fixture.anyMovie('Peach Meadow')
  const before = await movieOf(fixture, film)
  // A page that was closed before may have left one.
  const others = await sessions(fixture)
  const seat = await sit(t, fixture)
  // No video ever arrives.
  await seat.page.setRequestInterception(true)
  seat.page.on('request', (request) => void (request.url().includes('/api/stream/') ? undefined : request.continue()))
  await seat.page.goto(`${fixture.web.url}/watch/${film.id}`)
  await comesTrue(async () => seat.requests.some((line) => line.includes('/api/stream/')))
  const [own = '', ...more] = (await sessions(fixture)).filter((id) => !others.includes(id))
  t.ok(own)
  t.strictSame(more, [])
  await seat.page.goto('about:blank')
  await comesTrue(async () => !(await sessions(fixture)).includes(own))
  t.notOk(seat.requests.some((line) => line.includes('heartbeat')))
  t.strictSame(await movieOf(fixture, film), before)
  finished(t, seat)
}

async function slides(t: Test, fixture: PlayerFixture): Promise<void> {
  const film = fixture.anyMovie('Peach Meadow')
  const seat = await sit(t, fixture)
  const { page } = seat
  await comesTrue(async () => (await movieOf(fixture, film)).trickplay, 120_000)
  await seat.watch(film, '?t=0')
  await wake(page)
  const box = await (await page.waitForSelector('.slider'))?.boundingBox()
  if (!box) throw new Error('There is no slider')
  const x = (share: number) => box.x + box.width * share
  const y = box.y + box.height / 2
  await page.mouse.move(x(0.5), y)
  await page.waitForSelector('.thumbnail')
  // 120 s, a thumbnail every ten seconds, ten per row: the seventh is that of a minute.
  const place = await page.$eval('.thumbnail', (picture) => [
    picture.getAttribute('data-sheet'),
    getComputedStyle(picture).backgroundPosition,
  ])
  t.match(place, ['0', /^-1920px 0(px)?$/])
  await page.mouse.down()
  await page.mouse.move(x(0.25), y, { steps: 4 })
  await page.mouse.up()
  await isAt(page, film.duration * 0.25, 3)
  await page.focus('.slider')
  await page.keyboard.press('PageUp')
  t.match(await page.$eval('.slider', (slider) => slider.getAttribute('aria-valuetext')), /^1 minute \d+ of 2 minutes 0/)
  await isAt(page, film.duration * 0.25 + 60, 5)
  await page.keyboard.press('Home')
  await isAt(page, 0, 3)
  await page.touchscreen.tap(x(0.75), y)
  await isAt(page, film.duration * 0.75, 3)
  finished(t, seat)
}

async function presses(t: Test, fixture: PlayerFixture): Promise<void> {
  const film = fixture.anyMovie('Sintel')
  const seat = await sit(t, fixture)
  const { page } = seat
  const press = async (key: string) => page.keyboard.press(key as 'k')
  await seat.watch(film, '?t=0')
  await press('k')
  await isPaused(page, true)
  await press('5')
  await isAt(page, film.duration / 2)
  await press('j')
  await isAt(page, film.duration / 2 - 10)
  await press('l')
  await press('ArrowRight')
  await isAt(page, film.duration / 2 + 5)
  await press('ArrowLeft')
  await isAt(page, film.duration / 2)
  const before = (await look(page)).at
  await press('.')
  await page.waitForFunction((before) => (document.querySelector('video')?.currentTime ?? 0) > before, {}, before)
  await press(',')
  await isAt(page, before, 0.05)
  await press('ArrowDown')
  t.match(await look(page), { volume: 0.95 })
  await press('ArrowUp')
  await press('m')
  t.match(await look(page), { volume: 1, muted: true })
  await press('m')
  await press('>')
  t.match(await look(page), { muted: false, rate: 1.25 })
  await page.$eval('.volume input', (input) => {
    input.value = '0'
    input.dispatchEvent(new Event('input'))
  })
  t.match(await look(page), { volume: 0, muted: true })
  await page.keyboard.press('m')
  t.match(await look(page), { volume: 0.5, muted: false })
  await press('<')
  t.match(await look(page), { rate: 1 })
  await press('?')
  await shows(page, 'dialog h2', 'Keys')
  await press('?')
  await press('c')
  await page.waitForSelector('.opens-subtitles.on')
  await page.keyboard.down('Shift')
  await press('C')
  await page.keyboard.up('Shift')
  await shows(page, '.note', 'German')
  await press('a')
  await shows(page, '.note', 'German')
  await press('Space')
  await isPaused(page, false)
  await page.focus('.filled')
  await press('Space')
  await isPaused(page, true)
  await page.keyboard.down('Control')
  await press('k')
  await page.keyboard.up('Control')
  t.match(await look(page), { paused: true }, 'a key with a modifier is not the player’s')
  const title = await page.title()
  await press('n')
  await page.waitForFunction((title) => document.title !== title, {}, title)
  finished(t, seat)
}

async function escapes(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await sit(t, fixture)
  const { page } = seat
  await seat.watch(fixture.anyMovie('Sintel'), '?t=0')
  await page.keyboard.press('f')
  await page.waitForFunction(() => document.fullscreenElement?.id === 'player')
  await page.keyboard.press('?')
  await page.waitForSelector('.panel')
  t.ok(await page.$eval('.panel', (panel) => document.fullscreenElement?.contains(panel)), 'the panel is in fullscreen')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.panel', { hidden: true })
  t.ok(await page.evaluate(() => document.fullscreenElement !== null), 'only the menu closes')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.player.asleep')
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.fullscreenElement === null)
  await page.waitForSelector('.player.awake, .player.asleep')
  if (await page.$('.player.awake')) await page.keyboard.press('Escape')
  await page.waitForSelector('.player.asleep')
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => !location.pathname.startsWith('/watch'))
  t.notOk(await page.$('.player'))
  finished(t, seat)
}

async function goesBack(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await sit(t, fixture)
  const { page } = seat
  const film = fixture.anyMovie('Sintel')
  await page.goto(`${fixture.web.url}/films/${film.id}`)
  await page.locator('[data-focus=play]').click()
  await moves(page)
  const back = () => page.evaluate(() => history.back())
  await choose(page, '.opens-settings')
  await page.waitForSelector('.panel')
  await back()
  await page.waitForSelector('.panel', { hidden: true })
  t.equal(await page.evaluate(() => location.pathname), `/watch/${film.id}`)
  // Fullscreen, and a menu over it or under it.
  await page.keyboard.press('f')
  await page.waitForFunction(() => document.fullscreenElement?.id === 'player')
  await choose(page, '.opens-settings')
  await page.waitForSelector('.panel')
  await back()
  await page.waitForSelector('.panel', { hidden: true })
  t.ok(await page.evaluate(() => document.fullscreenElement !== null), 'only the menu closes')
  await back()
  await page.waitForFunction(() => document.fullscreenElement === null)
  t.equal(await page.evaluate(() => location.pathname), `/watch/${film.id}`)
  await choose(page, '.opens-settings')
  await page.waitForSelector('.panel')
  const layer = () => page.evaluate(() => Reflect.get(Object(history.state), 'layer') as unknown)
  const menu = await layer()
  // Without a pause: the step back from the menu's entry and the new entry of fullscreen meet.
  await page.keyboard.press('f')
  await page.waitForFunction(() => document.fullscreenElement?.id === 'player')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.panel', { hidden: true })
  await comesTrue(async () => ![menu, undefined].includes(await layer()))
  await back()
  await page.waitForFunction(() => document.fullscreenElement === null)
  t.equal(await page.evaluate(() => location.pathname), `/watch/${film.id}`)
  // A menu that is closed in another way leaves nothing in the history.
  await choose(page, '.opens-settings', 'Quality')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.panel', { hidden: true })
  await moves(page)
  await back()
  await page.waitForSelector('article.movie')
  t.equal(await page.evaluate(() => location.pathname), `/films/${film.id}`)
  t.notOk(await page.$('.player'))
  finished(t, seat)
}

async function touches(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await sit(t, fixture)
  const { page } = seat
  await seat.watch(fixture.anyMovie('Peach Meadow'), '?t=30')
  await page.touchscreen.tap(640, 400)
  await page.waitForSelector('.player.asleep')
  await page.touchscreen.tap(640, 400)
  await page.waitForSelector('.player.awake')
  const { at } = await look(page)
  await page.touchscreen.tap(1200, 400)
  await page.touchscreen.tap(1200, 400)
  await isAt(page, at + 10, 3)
  finished(t, seat)
}

async function mediaSession(t: Test, fixture: PlayerFixture): Promise<void> {
  const film = fixture.anyMovie('Sintel')
  const seat = await sit(t, fixture)
  await seat.watch(film, '?t=0')
  const known = await seat.page.waitForFunction(() => navigator.mediaSession.metadata?.title)
  t.equal(await known.jsonValue(), film.title)
  t.match(
    await seat.page.evaluate(() => ({
      state: navigator.mediaSession.playbackState,
      artwork: navigator.mediaSession.metadata?.artwork.map(({ sizes }) => sizes),
    })),
    { state: 'playing' },
  )
  finished(t, seat)
}

async function pictureInPicture(t: Test, fixture: PlayerFixture): Promise<void> {
  const seat = await sit(t, fixture)
  const { page } = seat
  await page.goto(`${fixture.web.url}/films/${fixture.anyMovie('Peach Meadow').id}`)
  await page.locator('[data-focus=play]').click()
  await moves(page)
  if (!(await page.evaluate(() => document.pictureInPictureEnabled))) return t.comment('This Chromium has no picture in picture')
  await page.keyboard.press('p')
  await page.waitForFunction(() => document.pictureInPictureElement !== null)
  await page.evaluate(() => history.back())
  await page.waitForSelector('.player.as-bar')
  const { at } = await look(page)
  await page.waitForFunction((at) => (document.querySelector('video')?.currentTime ?? 0) > at, {}, at)
  await page.locator('.bar-row button:last-child').click()
  await page.waitForSelector('.player', { hidden: true })
  finished(t, seat)
}
