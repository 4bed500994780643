/** The life of a library: changed, removed, restored, scanned, cancelled; and the changes of each scan. */
import t, { type Test } from 'tap'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'
import type { LibraryId } from '../../../src/vocabulary/id.ts'
import { named } from '../../fixtures/names.ts'

const ALIEN = '/films/Alien (1979)/Alien (1979).mkv'
const BRAZIL = '/more/Brazil (1985).mkv'

async function setUp(t: Test) {
  const node = await openNodeFixture(t)
  for (const path of [ALIEN, BRAZIL]) node.mediaFiles.put(path)
  const { caller: admin } = await node.person({ role: 'admin' })
  const { caller: ann } = await node.person()
  const libraryId = await node.newLibrary('/films', '/more')
  await node.scan(libraryId)
  const alien = await node.movieNamed('Alien')
  return { node, admin, ann, libraryId, alien }
}

/** Advances the clock until the condition holds. */
async function until(node: NodeFixture, holds: () => Promise<boolean>): Promise<void> {
  for (let patience = 0; patience < 100; patience++) {
    if (await holds()) return
    await node.clock.advance(100)
  }
  throw new Error('It does not come to pass')
}

const titles = async (node: NodeFixture, libraryId: LibraryId): Promise<readonly string[]> => {
  const found: string[] = []
  for await (const { libraryId: id, available, details } of node.readModels.movies.walk({}))
    if (id === libraryId && available) found.push(details.title)
  return found.sort()
}

t.test('films below a folder that is taken away are missing; when it is added again one scan brings all of it back', async (t) => {
  const { node, admin, ann, libraryId, alien } = await setUp(t)
  allowed(await node.movieMarks.markWatched(ann, alien.id, undefined, ORIGIN))
  const changed = allowed(await node.libraries.change(admin, libraryId, { roots: ['/more/'] }, ORIGIN))
  t.strictSame(
    changed.roots.map(({ path }) => path),
    ['/more'],
  )
  await until(node, async () => (await titles(node, libraryId)).join() === 'Brazil')
  allowed(await node.libraries.change(admin, libraryId, { roots: ['/more', '/films'] }, ORIGIN))
  t.match(await node.scan(libraryId), { counts: { restored: 1, added: 0 } })
  t.match(await node.movies.get(ann, alien.id), { movie: { card: { addedAt: alien.addedAt, available: true } }, own: { watched: true } })
})

t.test('an absent folder is marked as away as soon as it is named', async (t) => {
  const { node, admin, libraryId } = await setUp(t)
  const changed = allowed(await node.libraries.change(admin, libraryId, { roots: ['/films', '/nowhere'] }, ORIGIN))
  t.match(changed.roots, [
    { path: '/films', available: true },
    { path: '/nowhere', available: false, reason: 'missing' },
  ])
  const events = (await node.events()).length
  allowed(await node.libraries.change(admin, libraryId, {}, ORIGIN))
  t.equal((await node.events()).length, events, 'nothing asked for is no event')
})

t.test('what cannot be is refused by its name', async (t) => {
  const { node, admin, libraryId } = await setUp(t)
  const change = (what: Parameters<NodeFixture['libraries']['change']>[2]) => node.libraries.change(admin, libraryId, what, ORIGIN)
  t.match(await change({ name: '  ' }), { refusal: 'invalid', path: 'name' })
  t.match(await change({ roots: ['/films', 'films'] }), { refusal: 'invalid', path: 'paths.1' })
  t.match(await change({ roots: [] }), { refusal: 'invalid', path: 'paths' })
  t.match(await node.libraries.change(admin, named('another'), { name: 'x' }, ORIGIN), { refusal: 'not-found' })
})

t.test('a removed library is nowhere for anybody, its sessions end, and all of it can come back', async (t) => {
  const { node, admin, ann, libraryId, alien } = await setUp(t)
  allowed(await node.movieMarks.markWatched(ann, alien.id, undefined, ORIGIN))
  const { session } = allowed(await node.playback.start(ann, { movieId: alien.id }, ORIGIN))
  t.equal(await node.libraries.remove(admin, libraryId, ORIGIN), undefined)
  for (const caller of [admin, ann]) {
    t.match(await node.libraries.get(caller, libraryId), { refusal: 'not-found' })
    t.match(await node.movies.get(caller, alien.id), { refusal: 'not-found' })
    t.match(await node.scans.current(caller, libraryId), { refusal: 'not-found' })
    t.match(await node.libraryStatistics.of(caller, libraryId), { refusal: 'not-found' })
  }
  t.equal(node.access.session(session.id), undefined, 'refused at once')
  await until(node, async () => (await node.events()).some(({ type }) => type === 'PlaybackEnded'))
  const ended = (await node.events()).find(({ type }) => type === 'PlaybackEnded')
  t.match(ended?.data, { sessionId: session.id, reason: 'library_deleted' })
  t.match(await node.libraries.remove(admin, libraryId, ORIGIN), { refusal: 'not-found' })
  t.match(node.libraries.removed(), [{ id: libraryId, removedAt: /Z$/ }], 'administrators find it to restore it')
  t.match(await node.libraries.restore(admin, libraryId, ORIGIN), { id: libraryId, movieCount: 2 })
  t.strictSame(node.libraries.removed(), [])
  t.match(await node.movies.get(ann, alien.id), { own: { watched: true } })
  t.match(await node.libraries.restore(admin, libraryId, ORIGIN), { id: libraryId }, 'again: it is there')
})

t.test('a scan that is cancelled ends as cancelled, at once, and another one may follow', async (t) => {
  const { node, admin, libraryId } = await setUp(t)
  const scan = allowed(await node.scans.start(admin, libraryId, { mode: 'full', paths: null }, ORIGIN))
  t.match(await node.scans.cancel(admin, libraryId, ORIGIN), { id: scan.id, state: 'cancelled' })
  t.match(await node.scans.cancel(admin, libraryId, ORIGIN), { refusal: 'not-found' })
  t.match(allowed(await node.libraries.get(admin, libraryId)), { scanning: false, lastScan: { id: scan.id, state: 'cancelled' } })
  t.match(await node.scan(libraryId), { state: 'completed', counts: { unchanged: 2 } })
  t.strictSame(node.problems, [])
})

t.test('a removed library is scanned no further', async (t) => {
  const { node, admin, libraryId } = await setUp(t)
  const scan = allowed(await node.scans.start(admin, libraryId, { mode: 'full', paths: null }, ORIGIN))
  await node.libraries.remove(admin, libraryId, ORIGIN)
  t.match(await node.readModels.scans.get(scan.id), { state: 'cancelled' })
})

t.test('scans are listed newest first, and each lists what it has changed, page by page', async (t) => {
  const { node, ann, libraryId, alien } = await setUp(t)
  node.clock.setNow(node.clock.now() + 60_000)
  node.mediaFiles.move(ALIEN, '/films/Alien (1979)/Alien.mkv')
  node.mediaFiles.remove(BRAZIL)
  node.mediaFiles.put('/more/Casablanca (1942).mkv')
  const second = await node.scan(libraryId)
  const { items } = allowed(await node.scans.list(ann, libraryId, { limit: 20 }))
  t.match(items, [{ id: second.id }, { counts: { added: 2 } }])
  const ids = { libraryId, scanId: second.id }
  const all = allowed(await node.scans.changes(ann, ids, { limit: 20 }))
  t.equal(all.next, null)
  const told = all.items.map(({ kind, title, path }) => `${kind} ${title} ${path}`)
  t.strictSame(told.toSorted(), [
    'added Casablanca /more/Casablanca (1942).mkv',
    'missing Brazil /more/Brazil (1985).mkv',
    'moved Alien /films/Alien (1979)/Alien.mkv',
  ])
  t.equal(all.items.find(({ kind }) => kind === 'moved')?.movieId, alien.id)
  const walked: string[] = []
  for (let after: { value: null; id: string } | undefined, rounds = 0; rounds < 10; rounds++) {
    const page = allowed(await node.scans.changes(ann, ids, { limit: 1, ...(after ? { after } : {}) }))
    walked.push(...page.items.map(({ id }) => id))
    if (!page.next) break
    after = { value: null, id: page.next.id }
  }
  t.strictSame(
    walked,
    all.items.map(({ id }) => id),
  )
  t.match(await node.scans.changes(ann, { libraryId: named('another'), scanId: second.id }, { limit: 1 }), { refusal: 'not-found' })
})

t.test('statistics count what is there, and the caller’s own doing', async (t) => {
  const { node, admin, ann, libraryId, alien } = await setUp(t)
  allowed(await node.movieMarks.markWatched(ann, alien.id, undefined, ORIGIN))
  const counts = { movies: 2, missing: 0, files: 2, addedLast7Days: 2 }
  t.match(await node.libraryStatistics.of(ann, libraryId), { ...counts, watched: 1, inProgress: 0, unwatched: 1 })
  t.match(await node.libraryStatistics.of(admin, libraryId), {
    ...counts,
    watched: 0,
    unwatched: 2,
    videoCodecs: [{ value: 'h264', count: 2 }],
  })
  const then = new Date(node.clock.now()).toISOString()
  node.clock.setNow(node.clock.now() + 8 * 86_400_000)
  const past = allowed(await node.past.at(ann.userId, then, new AbortController().signal))
  t.match(await node.libraryStatistics.of(ann, libraryId, past), counts, 'as of that time, new in its week')
  node.mediaFiles.remove(BRAZIL)
  node.mediaFiles.put('/more/other.mkv')
  await node.scan(libraryId)
  t.match(await node.libraryStatistics.of(ann, libraryId), {
    movies: 2,
    missing: 1,
    decades: [{ value: '1970s', count: 1 }],
  })
})

t.test('all films of a folder gone at once is worth an alert, and costs nothing', async (t) => {
  const { node, admin, libraryId } = await setUp(t)
  const names = Array.from({ length: 11 }, (_, n) => `/films/Film ${n} (2000).mkv`)
  for (const name of names) node.mediaFiles.put(name)
  await node.scan(libraryId)
  node.mediaFiles.setHealth('/films', { available: true, device: 1, empty: true })
  for (const name of [...names, ALIEN]) node.mediaFiles.remove(name)
  t.match(await node.scan(libraryId), { state: 'completed', counts: { missing: 12 } })
  const alert = (await node.events()).filter(({ type }) => type === 'LibraryMassMissing')
  t.match(alert, [{ data: { libraryId, root: '/films', files: 12 } }])
  t.match(await node.libraries.get(admin, libraryId), { movieCount: 1, missingCount: 12 })
  for (const name of [...names, ALIEN]) node.mediaFiles.put(name)
  t.match(await node.scan(libraryId), { counts: { restored: 12, added: 0 } })
})
