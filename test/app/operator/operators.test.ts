import t, { type Test } from 'tap'
import type { ScanStep } from '../../../src/app/operator/operator-commands.ts'
import { allowed, openHouse, type House } from '../../fixtures/house.ts'

const forever = new AbortController().signal

/** A house with an administrator and these films in a library called "Filme". */
async function setUp(t: Test, ...films: readonly string[]): Promise<House> {
  const house = await openHouse(t)
  await house.person({ role: 'admin' })
  for (const film of films) house.films.put(`/films/${film}.mkv`)
  const { id } = allowed(await house.operators.addLibrary({ name: 'Filme', paths: ['/films'] }))
  const known = house.access.libraries.get(id)
  if (known && films.length > 0) await house.scan(known.id)
  return house
}

t.test('a library is scanned by its name to the end, with steps on the way', async (t) => {
  const house = await setUp(t)
  house.films.put('/films/Alien (1979).mkv')
  const steps: ScanStep[] = []
  const scanning = house.operators.scanLibrary('FILME', (step) => void steps.push(step), forever)
  await house.clock.advance(5000)
  t.match(await scanning, { state: 'completed', counts: { added: 1 }, errors: [], error: null })
  t.match(steps.at(-1), { state: 'completed', done: 1, total: 1 })
  t.ok(steps.length > 1)
  t.match(await house.operators.scanLibrary('nothing', () => {}, forever), { refusal: 'not-found' })
  t.match(await house.operators.listLibraries(), [
    { name: 'Filme', state: 'idle', movieCount: 1, roots: [{ path: '/films', available: true }] },
  ])
})

t.test('a movie is played by its title, from where the administrator stopped, under a login of its own', async (t) => {
  const house = await setUp(t, 'Alien (1979)', 'Aliens (1986)')
  const logins = house.access.logins.size
  const { sessionId, title, urls } = allowed(await house.operators.startPlay('ALIEN'))
  t.equal(title, 'Alien')
  t.equal(house.access.logins.size, logins + 1)
  const [, token = ''] = urls[0]?.split('?token=') ?? []
  t.equal(urls[0], `http://127.0.0.1:8420/api/stream/${sessionId}/master.m3u8?token=${token}`)
  t.match(await house.streamAccess.judge(token, sessionId), { session: { id: sessionId } })
  house.clock.setNow(house.clock.now() + 100_000)
  t.equal(await house.operators.beatPlay(sessionId), null)
  house.clock.setNow(house.clock.now() + 100_000)
  t.equal(house.access.session(sessionId)?.positionMs, 0, 'kept alive where it stands')
  t.equal(await house.operators.endPlay(sessionId), null)
  t.match(await house.operators.beatPlay(sessionId), { refusal: 'not-found' })
  t.equal(house.access.logins.size, logins)
})

t.test('beating without a player does not wipe out the resume point that a session began with', async (t) => {
  const house = await setUp(t, 'Alien (1979)')
  const [admin] = house.access.users.values()
  if (!admin) return t.fail('There is no administrator')
  const { caller } = await house.login(admin.id)
  const { id: movieId } = await house.movieNamed('Alien')
  const first = allowed(await house.playback.start(caller, { movieId }, { requestId: 'r', address: null, client: null }))
  allowed(
    await house.playback.heartbeat(caller, first.session.id, { positionMs: 600_000 }, { requestId: 'r', address: null, client: null }),
  )
  const { sessionId } = allowed(await house.operators.startPlay(movieId))
  t.equal(await house.operators.beatPlay(sessionId), null)
  t.equal(await house.operators.endPlay(sessionId), null)
  return t.match(await house.movies.get(caller, movieId), { own: { resume: { positionMs: 600_000 } } })
})

t.test('a title that several movies have is answered with the choices, an unknown one is not found', async (t) => {
  const house = await setUp(t, 'Dune (1984)', 'Dune (2021)', 'दिल चाहता है (2001)')
  t.match(await house.operators.startPlay('dune'), { refusal: 'conflict', message: /Dune \(1984\).*Dune \(2021\)/ })
  t.match(await house.operators.startPlay('Solaris'), { refusal: 'not-found' })
  t.ok('sessionId' in allowed(await house.operators.startPlay('दिल चाहता')), 'the beginning of a title will do, in any script')
})

t.test('the log of all that verifies', async (t) => {
  const house = await setUp(t, 'Alien (1979)')
  const { events, problems, streams } = await house.operators.verify(() => {}, forever)
  t.strictSame(problems, [])
  t.equal(events, (await house.events()).length)
  t.ok(streams >= 5)
})
