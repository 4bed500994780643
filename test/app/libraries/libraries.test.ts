import t from 'tap'
import { named } from '../../fixtures/names.ts'
import { allowed, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

t.test('a new library appears at once, with absent folders marked as away', async (t) => {
  const node = await openNodeFixture(t)
  const admin = await node.person({ role: 'admin' })
  node.mediaFiles.put('/films/Metropolis (1927).mkv')
  const made = allowed(await node.libraries.create(admin.caller, { name: '  Films ', paths: ['/films//', '/usb'], language: 'de' }, ORIGIN))
  t.match(made, { name: 'Films', kind: 'movies', language: 'de', movieCount: 0, missingCount: 0, scanning: false, lastScan: null })
  t.match(made.roots, [
    { path: '/films', available: true, reason: null },
    { path: '/usb', available: false, reason: 'missing' },
  ])
  t.match(made.settings, { watchFiles: true, scanIntervalMinutes: 0, trickplay: true, publicImages: true })
  t.strictSame(await node.libraries.get(admin.caller, made.id), made)
})

t.test('a fault is named by its member, and makes no library', async (t) => {
  const node = await openNodeFixture(t)
  const admin = await node.person({ role: 'admin' })
  const create = (name: string, ...paths: readonly string[]) => node.libraries.create(admin.caller, { name, paths }, ORIGIN)
  t.match(await create('   ', '/films'), { refusal: 'invalid', path: 'name' })
  t.match(await create('Films'), { refusal: 'invalid', path: 'paths' })
  t.match(await create('Films', '/films', 'films'), { refusal: 'invalid', path: 'paths.1' })
  t.match(await create('Films', '/films', '/films/'), { refusal: 'invalid', path: 'paths.1' })
  t.equal(node.access.libraries.size, 0)
})

t.test('the same folder may be in two libraries', async (t) => {
  const node = await openNodeFixture(t)
  t.not(await node.newLibrary('/films'), await node.newLibrary('/films'))
})

t.test('libraries are listed by folded name, page by page, and only those that the caller sees', async (t) => {
  const node = await openNodeFixture(t)
  const admin = await node.person({ role: 'admin' })
  const ids: Record<string, string> = {}
  for (const name of ['zoo', 'Älter', 'Beta', 'alpha'])
    ids[name] = allowed(await node.libraries.create(admin.caller, { name, paths: ['/x'] }, ORIGIN)).id
  const first = await node.libraries.list(admin.caller, { limit: 3 })
  t.match(first.items, [{ name: 'alpha' }, { name: 'Älter' }, { name: 'Beta' }])
  const rest = await node.libraries.list(admin.caller, { limit: 3, ...(first.next ? { after: first.next } : {}) })
  t.match(rest, { items: [{ name: 'zoo' }], next: null })
  const granted = node.access.libraries.get(ids['Beta'] ?? '')
  const ann = await node.person({ libraryAccess: 'selected', libraryIds: granted ? [granted.id] : [] })
  t.match((await node.libraries.list(ann.caller, { limit: 20 })).items, [{ name: 'Beta' }])
  t.equal((await node.libraries.list(ann.caller, { limit: 20 })).items.length, 1)
})

t.test('a library that is not granted is not there: the same answer as for an unknown one', async (t) => {
  const node = await openNodeFixture(t)
  const libraryId = await node.newLibrary('/films')
  const ann = await node.person({ libraryAccess: 'selected', libraryIds: [] })
  const unknown = await node.libraries.get(ann.caller, named('unknown'))
  t.match(unknown, { refusal: 'not-found' })
  t.strictSame(await node.libraries.get(ann.caller, libraryId), unknown)
  t.strictSame(await node.libraries.get(ann.caller, '../etc'), unknown)
})

t.test('movies are counted apart: those that are there, and those that are missing', async (t) => {
  const node = await openNodeFixture(t)
  const admin = await node.person({ role: 'admin' })
  for (const title of ['Alien (1979)', 'Brazil (1985)', 'Casablanca (1942)']) node.mediaFiles.put(`/films/${title}.mkv`)
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  node.mediaFiles.remove('/films/Brazil (1985).mkv')
  await node.scan(libraryId)
  t.match(await node.libraries.get(admin.caller, libraryId), { movieCount: 2, missingCount: 1, lastScan: { state: 'completed' } })
})

t.test('a change contains what is different, and nothing if nothing is', async (t) => {
  const node = await openNodeFixture(t)
  const admin = await node.person({ role: 'admin' })
  const libraryId = await node.newLibrary('/films')
  const change = (what: Parameters<typeof node.libraries.change>[2]) => node.libraries.change(admin.caller, libraryId, what, ORIGIN)
  const before = (await node.events()).length
  t.match(await change({}), { id: libraryId, name: '/films' })
  t.match(await change({ name: ' /films ', roots: ['/films/'] }), { id: libraryId })
  t.equal((await node.events()).length, before)
  t.match(await change({ name: 'Films', settings: { publicImages: false } }), {
    name: 'Films',
    settings: { publicImages: false, trickplay: true },
  })
  t.strictSame(
    (await node.events()).slice(before).map(({ type }) => type),
    ['LibraryRenamed', 'LibrarySettingsChanged'],
  )
  t.match(await change({ name: '' }), { refusal: 'invalid', path: 'name' })
  t.match(await change({ roots: ['/films', '/films'] }), { refusal: 'invalid', path: 'paths.1' })
})

t.test('films below a folder that is taken out of a library are missing, and are back as they were when it is added again', async (t) => {
  const node = await openNodeFixture(t)
  const admin = await node.person({ role: 'admin' })
  node.mediaFiles.put('/a/Alien (1979).mkv')
  node.mediaFiles.put('/b/Brazil (1985).mkv')
  const libraryId = await node.newLibrary('/a', '/b')
  await node.scan(libraryId)
  const { id, addedAt } = await node.movieNamed('Brazil')
  allowed(await node.movieMarks.markWatched(admin.caller, id, undefined, ORIGIN))
  allowed(await node.libraries.change(admin.caller, libraryId, { roots: ['/a'] }, ORIGIN))
  await node.clock.settle()
  await node.seen()
  t.match(await node.movies.get(admin.caller, id), { movie: { card: { available: false } }, own: { watched: true } })
  allowed(await node.libraries.change(admin.caller, libraryId, { roots: ['/a', '/b'] }, ORIGIN))
  t.match(await node.scan(libraryId), { state: 'completed', counts: { restored: 1, unchanged: 1, added: 0 } })
  t.match(await node.movies.get(admin.caller, id), { movie: { card: { available: true, addedAt } }, own: { watched: true } })
})

t.test('a removed library is gone at once with its movies and sessions, and comes back with all that was in it', async (t) => {
  const node = await openNodeFixture(t)
  const admin = await node.person({ role: 'admin' })
  node.mediaFiles.put('/films/Alien (1979).mkv')
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  const { id: movieId } = await node.movieNamed('Alien')
  const { session } = allowed(await node.playback.start(admin.caller, { movieId }, ORIGIN))
  allowed(await node.playback.heartbeat(admin.caller, session.id, { positionMs: 600_000 }, ORIGIN))
  const { token } = node.streamAccess.issue(session)

  t.equal(await node.libraries.remove(admin.caller, libraryId, ORIGIN), undefined)
  for (const answer of [
    await node.libraries.get(admin.caller, libraryId),
    await node.libraries.remove(admin.caller, libraryId, ORIGIN),
    await node.scans.current(admin.caller, libraryId),
    await node.movies.get(admin.caller, movieId),
    await node.playback.heartbeat(admin.caller, session.id, { positionMs: 610_000 }, ORIGIN),
    await node.streamAccess.authorize(token, session.id),
  ]) {
    t.match(answer, { refusal: 'not-found' })
  }
  t.strictSame((await node.playback.continueWatching(admin.caller, { limit: 20 })).items, [])
  await node.clock.settle()
  await node.seen()
  const ended = (await node.events()).filter(({ type }) => type === 'PlaybackEnded')
  t.match(ended, [{ data: { sessionId: session.id, reason: 'library_deleted' } }])
  t.ok(await node.mediaFiles.stamp('/films/Alien (1979).mkv'), 'the files on disk are kept')

  t.match(await node.libraries.restore(admin.caller, libraryId, ORIGIN), { id: libraryId, movieCount: 1 })
  t.match(await node.movies.get(admin.caller, movieId), { own: { resume: { positionMs: 600_000 } } })
  t.match((await node.playback.continueWatching(admin.caller, { limit: 20 })).items, [{ movie: { id: movieId } }])
})
