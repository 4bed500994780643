/** What the pages and the history say of a film after it was played. */
import t, { type Test } from 'tap'
import { comesTrue, isAt, moves, openPlayerFixture, shows, sit, type Movie, type PlayerFixture } from './player-fixture.ts'

t.setTimeout(300_000)

interface Viewing {
  readonly startPosition: number
  readonly endPosition: number
  readonly endedAt: string | null
  readonly completed: boolean
}

const viewings = async ({ web }: PlayerFixture, { id }: Movie): Promise<readonly Viewing[]> =>
  ((await web.api.send('GET', `/v1/history?movieId=${id}`)).json as unknown as { items: readonly Viewing[] }).items

t.test('after playing', async (t) => {
  const fixture = await openPlayerFixture(t)
  if (!fixture) return
  await t.test('the page of the film says at once where to resume, and the viewing begins there', (t) => leavesAndResumes(t, fixture))
  await t.test('what was played before a jump back counts as watched', (t) => jumpsBack(t, fixture))
  await t.test('a film that ends while the network is away is watched once it is back', (t) => endsOffline(t, fixture))
})

async function leavesAndResumes(t: Test, fixture: PlayerFixture): Promise<void> {
  const film = fixture.anyMovie('Big Buck Bunny')
  const { page } = await sit(t, fixture)
  await page.goto(`${fixture.web.url}/films/${film.id}`)
  await shows(page, '[data-focus=play]', 'Play')
  await page.goto(`${fixture.web.url}/watch/${film.id}?t=30`)
  await isAt(page, 33, 2)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await shows(page, '[data-focus=play]', /Resume at 0:3/)
  await page.locator('[data-focus=play]').click()
  await moves(page)
  await comesTrue(async () => (await viewings(fixture, film)).length === 2)
  const [newest] = await viewings(fixture, film)
  t.ok((newest?.startPosition ?? 0) >= 30, `${newest?.startPosition}: the viewing begins where it was resumed`)
}

interface Items<Item> {
  readonly items: readonly Item[]
}

interface Stretch {
  readonly kind: string
  readonly from: number
  readonly to: number
}

async function jumpsBack(t: Test, fixture: PlayerFixture): Promise<void> {
  const film = fixture.anyMovie('Peach Meadow')
  const { page, watch } = await sit(t, fixture)
  await watch(film, '?t=30')
  await isAt(page, 38, 1)
  await page.keyboard.press('0')
  await isAt(page, 1, 2)
  const { items } = (await fixture.web.api.send('GET', `/v1/history?movieId=${film.id}`)).json as unknown as Items<{ readonly id: string }>
  const stretches = (): Promise<readonly Stretch[]> =>
    page.evaluate(async (path) => (await fetch(path)).json() as Promise<readonly Stretch[]>, `/v1/history/${items[0]?.id}/timeline`)
  await comesTrue(async () => (await stretches()).some(({ kind }) => kind === 'seek'))
  const played = (await stretches()).filter(({ kind, from }) => kind === 'play' && from >= 29)
  t.ok(Math.max(...played.map(({ to }) => to)) > 36, JSON.stringify(await stretches()))
}

async function endsOffline(t: Test, fixture: PlayerFixture): Promise<void> {
  const film = fixture.anyMovie('Car Park')
  const seat = await sit(t, fixture)
  const { page } = seat
  seat.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  await seat.watch(film, '?t=0')
  await page.$eval('video', (video, to) => void Object.assign(video, { currentTime: to }), film.duration - 4)
  await moves(page)
  await page.setOfflineMode(true)
  await shows(page, '.over h2', 'The end')
  t.notOk((await viewings(fixture, film))[0]?.completed)
  await page.setOfflineMode(false)
  await comesTrue(async () => (await viewings(fixture, film))[0]?.completed === true)
}
