import t from 'tap'
import { named } from '../../fixtures/names.ts'
import { allowed, openHouse, ORIGIN } from '../../fixtures/house.ts'

t.test('a new library shows at once, with folders that are not there yet said to be away', async (t) => {
  const house = await openHouse(t)
  const admin = await house.person({ role: 'admin' })
  house.films.put('/films/Metropolis (1927).mkv')
  const made = allowed(
    await house.libraries.create(admin.caller, { name: '  Films ', paths: ['/films//', '/usb'], language: 'de' }, ORIGIN),
  )
  t.match(made, { name: 'Films', kind: 'movies', language: 'de', movieCount: 0, missingCount: 0, scanning: false, lastScan: null })
  t.match(made.roots, [
    { path: '/films', available: true, reason: null },
    { path: '/usb', available: false, reason: 'missing' },
  ])
  t.match(made.settings, { watchFiles: true, scanIntervalMinutes: 0, trickplay: true, publicImages: true })
  t.strictSame(await house.libraries.get(admin.caller, made.id), made)
})

t.test('a fault is named by its member, and makes no library', async (t) => {
  const house = await openHouse(t)
  const admin = await house.person({ role: 'admin' })
  const create = (name: string, ...paths: readonly string[]) => house.libraries.create(admin.caller, { name, paths }, ORIGIN)
  t.match(await create('   ', '/films'), { refusal: 'invalid', path: 'name' })
  t.match(await create('Films'), { refusal: 'invalid', path: 'paths' })
  t.match(await create('Films', '/films', 'films'), { refusal: 'invalid', path: 'paths.1' })
  t.match(await create('Films', '/films', '/films/'), { refusal: 'invalid', path: 'paths.1' })
  t.equal(house.access.libraries.size, 0)
})

t.test('the same folder may be in two libraries', async (t) => {
  const house = await openHouse(t)
  t.not(await house.newLibrary('/films'), await house.newLibrary('/films'))
})

t.test('libraries are listed by folded name, page by page, and only those that the caller sees', async (t) => {
  const house = await openHouse(t)
  const admin = await house.person({ role: 'admin' })
  const ids: Record<string, string> = {}
  for (const name of ['zoo', 'Älter', 'Beta', 'alpha'])
    ids[name] = allowed(await house.libraries.create(admin.caller, { name, paths: ['/x'] }, ORIGIN)).id
  const first = await house.libraries.list(admin.caller, { limit: 3 })
  t.match(first.items, [{ name: 'alpha' }, { name: 'Älter' }, { name: 'Beta' }])
  const rest = await house.libraries.list(admin.caller, { limit: 3, ...(first.next ? { after: first.next } : {}) })
  t.match(rest, { items: [{ name: 'zoo' }], next: null })
  const granted = house.access.libraries.get(ids['Beta'] ?? '')
  const ann = await house.person({ libraryAccess: 'selected', libraryIds: granted ? [granted.id] : [] })
  t.match((await house.libraries.list(ann.caller, { limit: 20 })).items, [{ name: 'Beta' }])
  t.equal((await house.libraries.list(ann.caller, { limit: 20 })).items.length, 1)
})

t.test('a library that is not granted is not there: the same answer as for an unknown one', async (t) => {
  const house = await openHouse(t)
  const libraryId = await house.newLibrary('/films')
  const ann = await house.person({ libraryAccess: 'selected', libraryIds: [] })
  const unknown = await house.libraries.get(ann.caller, named('unknown'))
  t.match(unknown, { refusal: 'not-found' })
  t.strictSame(await house.libraries.get(ann.caller, libraryId), unknown)
  t.strictSame(await house.libraries.get(ann.caller, '../etc'), unknown)
})

t.test('movies are counted apart: those that are there, and those that are missing', async (t) => {
  const house = await openHouse(t)
  const admin = await house.person({ role: 'admin' })
  for (const title of ['Alien (1979)', 'Brazil (1985)', 'Casablanca (1942)']) house.films.put(`/films/${title}.mkv`)
  const libraryId = await house.newLibrary('/films')
  await house.scan(libraryId)
  house.films.remove('/films/Brazil (1985).mkv')
  await house.scan(libraryId)
  t.match(await house.libraries.get(admin.caller, libraryId), { movieCount: 2, missingCount: 1, lastScan: { state: 'completed' } })
})

t.test('a change is told as what is different, and nothing at all where nothing is', async (t) => {
  const house = await openHouse(t)
  const admin = await house.person({ role: 'admin' })
  const libraryId = await house.newLibrary('/films')
  const change = (what: Parameters<typeof house.libraries.change>[2]) => house.libraries.change(admin.caller, libraryId, what, ORIGIN)
  const before = (await house.events()).length
  t.match(await change({}), { id: libraryId, name: '/films' })
  t.match(await change({ name: ' /films ', roots: ['/films/'] }), { id: libraryId })
  t.equal((await house.events()).length, before)
  t.match(await change({ name: 'Films', settings: { publicImages: false } }), {
    name: 'Films',
    settings: { publicImages: false, trickplay: true },
  })
  t.strictSame(
    (await house.events()).slice(before).map(({ type }) => type),
    ['LibraryRenamed', 'LibrarySettingsChanged'],
  )
  t.match(await change({ name: '' }), { refusal: 'invalid', path: 'name' })
  t.match(await change({ roots: ['/films', '/films'] }), { refusal: 'invalid', path: 'paths.1' })
})

t.test('films below a folder that is taken out of a library are missing, and are back as they were when it is added again', async (t) => {
  const house = await openHouse(t)
  const admin = await house.person({ role: 'admin' })
  house.films.put('/a/Alien (1979).mkv')
  house.films.put('/b/Brazil (1985).mkv')
  const libraryId = await house.newLibrary('/a', '/b')
  await house.scan(libraryId)
  const { id, addedAt } = await house.movieNamed('Brazil')
  allowed(await house.movieMarks.markWatched(admin.caller, id, undefined, ORIGIN))
  allowed(await house.libraries.change(admin.caller, libraryId, { roots: ['/a'] }, ORIGIN))
  await house.clock.settle()
  await house.seen()
  t.match(await house.movies.get(admin.caller, id), { movie: { available: false }, own: { watched: true } })
  allowed(await house.libraries.change(admin.caller, libraryId, { roots: ['/a', '/b'] }, ORIGIN))
  t.match(await house.scan(libraryId), { state: 'completed', counts: { restored: 1, unchanged: 1, added: 0 } })
  t.match(await house.movies.get(admin.caller, id), { movie: { available: true, addedAt }, own: { watched: true } })
})

t.test('a removed library is gone at once with its movies and sessions, and comes back with all that was in it', async (t) => {
  const house = await openHouse(t)
  const admin = await house.person({ role: 'admin' })
  house.films.put('/films/Alien (1979).mkv')
  const libraryId = await house.newLibrary('/films')
  await house.scan(libraryId)
  const { id: movieId } = await house.movieNamed('Alien')
  const { session } = allowed(await house.playback.start(admin.caller, { movieId }, ORIGIN))
  allowed(await house.playback.heartbeat(admin.caller, session.id, { positionMs: 600_000 }, ORIGIN))
  const { token } = house.streamAccess.issue(session)

  t.equal(await house.libraries.remove(admin.caller, libraryId, ORIGIN), undefined)
  for (const answer of [
    await house.libraries.get(admin.caller, libraryId),
    await house.libraries.remove(admin.caller, libraryId, ORIGIN),
    await house.scans.current(admin.caller, libraryId),
    await house.movies.get(admin.caller, movieId),
    await house.playback.heartbeat(admin.caller, session.id, { positionMs: 610_000 }, ORIGIN),
    await house.streamAccess.judge(token, session.id),
  ]) {
    t.match(answer, { refusal: 'not-found' })
  }
  t.strictSame((await house.playback.continueWatching(admin.caller, { limit: 20 })).items, [])
  await house.clock.settle()
  await house.seen()
  const ended = (await house.events()).filter(({ type }) => type === 'PlaybackEnded')
  t.match(ended, [{ data: { sessionId: session.id, reason: 'library_deleted' } }])
  t.ok(await house.films.stamp('/films/Alien (1979).mkv'), 'the files on disk are kept')

  t.match(await house.libraries.restore(admin.caller, libraryId, ORIGIN), { id: libraryId, movieCount: 1 })
  t.match(await house.movies.get(admin.caller, movieId), { own: { resume: { positionMs: 600_000 } } })
  t.match((await house.playback.continueWatching(admin.caller, { limit: 20 })).items, [{ movie: { id: movieId } }])
})
