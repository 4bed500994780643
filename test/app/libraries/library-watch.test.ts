/** Automatic scans: after a change on disk, and on schedule; and the end of scans whose node is gone. */
import t, { type Test } from 'tap'
import { watchLibraries } from '../../../src/app/libraries/library-watch.ts'
import { recoverScans, scheduleScans } from '../../../src/app/scans/scan-schedule.ts'
import type { ScanDocument } from '../../../projections/views/scans.ts'
import { scanLease } from '../../../src/app/scans/scans.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const ALIEN = '/films/Alien (1979)/Alien (1979).mkv'

async function setUp(t: Test, settings = {}) {
  const fixture = await openNodeFixture(t)
  fixture.mediaFiles.put(ALIEN)
  const { caller: admin } = await fixture.person({ role: 'admin' })
  const libraryId = await fixture.newLibrary('/films')
  await fixture.scan(libraryId)
  if (Object.keys(settings).length > 0) allowed(await fixture.libraries.change(admin, libraryId, { settings }, ORIGIN))
  const problems: unknown[] = []
  const stopping = new AbortController()
  const { access, clock, mediaFiles: media, scans, cluster } = fixture
  const deps = { access, clock, media, scans, watcher: cluster.watcher, onError: (cause: unknown) => void problems.push(cause) }
  const run = (task: (given: typeof deps, signal: AbortSignal) => Promise<void>): void => {
    const running = task(deps, stopping.signal)
    t.teardown(async () => {
      stopping.abort()
      await running
    })
  }
  return { fixture, admin, libraryId, problems, run, watcher: cluster.watcher }
}

async function scansOf(fixture: NodeFixture): Promise<readonly ScanDocument[]> {
  const found: ScanDocument[] = []
  for await (const scan of fixture.readModels.scans.walk({})) found.push(scan)
  return found.sort((a, b) => (a.from < b.from ? -1 : 1)).slice(1)
}

t.test('what changes below a watched folder is scanned after a moment of quiet, just there', async (t) => {
  const { fixture, run, watcher } = await setUp(t)
  run(watchLibraries)
  await fixture.clock.advance(1000)
  t.strictSame(watcher.watched, ['/films'])
  const film = '/films/Brazil (1985)/Brazil (1985).mkv'
  fixture.mediaFiles.put(film)
  for (let n = 0; n < 4; n++) {
    watcher.change('/films/Brazil (1985)', film)
    await fixture.clock.advance(1000)
  }
  t.strictSame(await scansOf(fixture), [], 'not while it goes on')
  await fixture.clock.advance(5000)
  t.match(await scansOf(fixture), [{ trigger: 'watcher', state: 'completed', startedBy: null, counts: { seen: 1, added: 1 } }])
  const requested = (await fixture.events()).findLast(({ type }) => type === 'ScanRequested')
  t.match(requested?.data, { paths: ['/films/Brazil (1985)'] })
})

t.test('changes that do not end are scanned all the same, and hidden ones never', async (t) => {
  const { fixture, run, watcher } = await setUp(t)
  run(watchLibraries)
  await fixture.clock.advance(1000)
  for (let n = 0; n < 20; n++) {
    watcher.change('/films/.partial/a.mkv', '/films/a.mkv.part')
    await fixture.clock.advance(1000)
  }
  t.strictSame(await scansOf(fixture), [])
  for (let n = 0; n < 20; n++) {
    watcher.change(ALIEN)
    await fixture.clock.advance(1000)
  }
  t.equal((await scansOf(fixture)).length, 1)
})

t.test('a folder that is renamed keeps its movie: where it was and where it is are scanned together', async (t) => {
  const { fixture, run, watcher } = await setUp(t)
  const { id } = await fixture.movieNamed('Alien')
  run(watchLibraries)
  await fixture.clock.advance(1000)
  const to = '/films/The Alien (1979)/Alien (1979).mkv'
  fixture.mediaFiles.move(ALIEN, to)
  watcher.change('/films/Alien (1979)', '/films/The Alien (1979)')
  await fixture.clock.advance(5000)
  t.match(await scansOf(fixture), [{ counts: { moved: 1, added: 0, missing: 0 } }])
  t.match(await fixture.readModels.movies.get(id), { available: true, files: [{ path: to }] })
  t.match((await fixture.events()).findLast(({ type }) => type === 'ScanRequested')?.data, {
    paths: ['/films/Alien (1979)', '/films/The Alien (1979)'],
  })
})

t.test('a root that cannot be watched is reported once, and retried', async (t) => {
  const { fixture, problems, run, watcher } = await setUp(t)
  watcher.refuse('/films', 'no space left for watches')
  run(watchLibraries)
  await fixture.clock.advance(120_000)
  t.match(problems, [{ message: '/films cannot be watched for changes (no space left for watches): scans find them' }])
  watcher.refuse('/films')
  await fixture.clock.advance(40_000)
  t.strictSame(watcher.watched, ['/films'])
  t.match(await scansOf(fixture), [{ trigger: 'watcher', counts: { unchanged: 1 } }], 'what nobody has told is looked for')
})

t.test('a drive that goes away and comes back is noticed, and costs nothing', async (t) => {
  const { fixture, admin, libraryId, run } = await setUp(t)
  run(watchLibraries)
  await fixture.clock.advance(1000)
  fixture.mediaFiles.setHealth('/films', { available: true, device: 2, empty: true })
  await fixture.clock.advance(40_000)
  t.match(await fixture.libraries.get(admin, libraryId), { roots: [{ available: false, reason: 'unmounted' }], movieCount: 1 })
  const failed = (await scansOf(fixture)).length
  await fixture.clock.advance(120_000)
  t.equal((await scansOf(fixture)).length, failed, 'and is not looked at again and again')
  fixture.mediaFiles.setHealth('/films', { available: true, device: 1, empty: false })
  await fixture.clock.advance(40_000)
  t.match(await fixture.libraries.get(admin, libraryId), { roots: [{ available: true }], movieCount: 1 })
  t.match((await scansOf(fixture)).at(-1), { state: 'completed', counts: { unchanged: 1 } })
})

t.test('a drive below a root that goes away and comes back is noticed, watched again, and costs nothing', async (t) => {
  const brazil = '/films/usb/Brazil (1985).mkv'
  const { fixture, admin, libraryId, run, watcher } = await setUp(t)
  fixture.mediaFiles.put(brazil)
  fixture.mediaFiles.setHealth('/films/usb', { available: true, device: 2, empty: false })
  await fixture.scan(libraryId)
  run(watchLibraries)
  await fixture.clock.advance(40_000)
  const before = (await scansOf(fixture)).length
  fixture.mediaFiles.setHealth('/films/usb', { available: false, reason: 'unreadable' })
  await fixture.clock.advance(40_000)
  fixture.mediaFiles.setHealth('/films/usb', { available: true, device: 2, empty: false })
  await fixture.clock.advance(40_000)
  t.equal((await scansOf(fixture)).length, before, 'nothing to do for one that did not answer for a moment')
  fixture.mediaFiles.move(brazil, `/unplugged${brazil}`)
  fixture.mediaFiles.setHealth('/films/usb', { available: true, device: 1, empty: true })
  await fixture.clock.advance(120_000)
  t.match((await scansOf(fixture)).slice(before), [{ state: 'completed', counts: { missing: 0 }, errors: [{ file: 'usb' }] }], 'once')
  fixture.mediaFiles.move(`/unplugged${brazil}`, brazil)
  fixture.mediaFiles.setHealth('/films/usb', { available: true, device: 3, empty: false })
  await fixture.clock.advance(120_000)
  t.match((await scansOf(fixture)).slice(before + 1), [{ state: 'completed', counts: { unchanged: 2, errors: 0 }, errors: [] }])
  t.match(await fixture.libraries.get(admin, libraryId), { roots: [{ available: true }], movieCount: 2 })
  t.strictSame(watcher.watched, ['/films'])
})

t.test('a mount point in which a scan has found no film is left alone until another folder is there', async (t) => {
  const { fixture, admin, libraryId, run } = await setUp(t)
  run(watchLibraries)
  await fixture.clock.advance(1000)
  fixture.mediaFiles.move(ALIEN, `/unplugged${ALIEN}`)
  fixture.mediaFiles.put('/films/DRIVE_NOT_MOUNTED.txt')
  fixture.mediaFiles.setHealth('/films', { available: true, device: 2, empty: false })
  await fixture.clock.advance(40_000)
  t.match(await fixture.libraries.get(admin, libraryId), { roots: [{ available: false, reason: 'unmounted' }], movieCount: 1 })
  const failed = (await scansOf(fixture)).length
  await fixture.clock.advance(120_000)
  t.equal((await scansOf(fixture)).length, failed)
  fixture.mediaFiles.move(`/unplugged${ALIEN}`, ALIEN)
  fixture.mediaFiles.setHealth('/films', { available: true, device: 3, empty: false })
  await fixture.clock.advance(40_000)
  t.match(await fixture.libraries.get(admin, libraryId), { roots: [{ available: true }], movieCount: 1 })
  t.match((await scansOf(fixture)).at(-1), { state: 'completed', counts: { unchanged: 1 } })
})

t.test('a drive that was away only for the moment of a scan is noticed', async (t) => {
  const { fixture, admin, libraryId, run } = await setUp(t)
  run(watchLibraries)
  await fixture.clock.advance(1000)
  fixture.mediaFiles.setHealth('/films', { available: true, device: 2, empty: true })
  t.match(await fixture.scan(libraryId), { state: 'failed' })
  fixture.mediaFiles.setHealth('/films', { available: true, device: 1, empty: false })
  await fixture.clock.advance(40_000)
  t.match(await fixture.libraries.get(admin, libraryId), { roots: [{ available: true }] })
})

t.test('a folder that is replaced by another one on the same drive is looked over and watched', async (t) => {
  const { fixture, run, watcher } = await setUp(t)
  run(watchLibraries)
  await fixture.clock.advance(1000)
  fixture.mediaFiles.put('/films/Brazil (1985).mkv')
  fixture.mediaFiles.setHealth('/films', { available: true, device: 1, identity: 'another', empty: false })
  await fixture.clock.advance(40_000)
  t.match(await scansOf(fixture), [{ trigger: 'watcher', counts: { unchanged: 1, added: 1 } }])
  t.strictSame(watcher.watched, ['/films'])
  await fixture.clock.advance(120_000)
  t.equal((await scansOf(fixture)).length, 1, 'once')
})

t.test('what changes in a folder while another scan runs is scanned after it', async (t) => {
  const { fixture, admin, libraryId, run, watcher } = await setUp(t)
  run(watchLibraries)
  await fixture.clock.advance(1000)
  const lease = await fixture.leases.acquire(scanLease(libraryId), 15)
  const { id } = allowed(await fixture.scans.start(admin, libraryId, { mode: 'incremental', paths: null }, ORIGIN))
  watcher.change('/films/Alien (1979)')
  await fixture.clock.advance(10_000)
  await lease?.release()
  await fixture.clock.advance(10_000)
  t.match(await scansOf(fixture), [
    { id, trigger: 'manual' },
    { trigger: 'watcher', state: 'completed', counts: { seen: 1 } },
  ])
})

t.test('a node that takes the watch over looks for what changed while nobody watched, where there was a scan before', async (t) => {
  const { fixture, run } = await setUp(t)
  fixture.mediaFiles.put('/films/Brazil (1985).mkv')
  fixture.mediaFiles.put('/never scanned/Dune (1984).mkv')
  await fixture.newLibrary('/never scanned')
  run((deps, signal) => watchLibraries({ ...deps, goesOn: true }, signal))
  await fixture.clock.advance(10_000)
  t.match(await scansOf(fixture), [{ trigger: 'watcher', state: 'completed', counts: { unchanged: 1, added: 1 } }])
  t.equal((await scansOf(fixture)).length, 1)
})

t.test('a library that does not want it is not watched', async (t) => {
  const { fixture, admin, libraryId, run, watcher } = await setUp(t)
  run(watchLibraries)
  await fixture.clock.advance(1000)
  allowed(await fixture.libraries.change(admin, libraryId, { settings: { watchFiles: false } }, ORIGIN))
  await fixture.clock.advance(1000)
  t.strictSame(watcher.watched, [])
})

t.test('a library is scanned by the clock, as often as it says', async (t) => {
  const { fixture, run } = await setUp(t, { scanIntervalMinutes: 60, watchFiles: false })
  run(scheduleScans)
  await fixture.clock.advance(59 * 60_000)
  t.strictSame(await scansOf(fixture), [])
  await fixture.clock.advance(2 * 60_000)
  t.match(await scansOf(fixture), [{ trigger: 'schedule', state: 'completed' }])
  await fixture.clock.advance(61 * 60_000)
  t.equal((await scansOf(fixture)).length, 2)
})

t.test('a scan from a clock that was a week ahead does not put off the next one by a week', async (t) => {
  const { fixture, run } = await setUp(t, { scanIntervalMinutes: 60, watchFiles: false })
  run(scheduleScans)
  const rightMs = fixture.clock.now()
  fixture.clock.setNow(rightMs + 7 * 86_400_000)
  await fixture.clock.advance(61_000)
  fixture.clock.setNow(rightMs)
  for (const scans of [2, 2, 3]) {
    await fixture.clock.advance(29 * 60_000)
    t.equal((await scansOf(fixture)).length, scans)
  }
})

/** A node on which every probe runs into its timeout. */
async function setUpSlow(t: Test) {
  const cluster = createCluster()
  const givenUp: string[] = []
  const probe = async (path: string, signal: AbortSignal): Promise<never> => {
    const { promise, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => {
      givenUp.push(path)
      reject(signal.reason)
    })
    return promise
  }
  const fixture = await openNodeFixture(t, { cluster, media: { ...cluster.mediaFiles, probe } })
  const other = await openNodeFixture(t, { cluster, node: 'two' })
  cluster.mediaFiles.put(ALIEN)
  const { caller: admin } = await fixture.person({ role: 'admin' })
  const libraryId = await fixture.newLibrary('/films')
  const scan = allowed(await fixture.scans.start(admin, libraryId, { mode: 'incremental', paths: null }, ORIGIN))
  await fixture.clock.advance(1000)
  return { fixture, other, admin, libraryId, scan, givenUp }
}

t.test('a scan that is cancelled in the middle of a probe ends within a second, from any node', async (t) => {
  const { fixture, other, admin, libraryId, scan, givenUp } = await setUpSlow(t)
  t.match(await fixture.readModels.scans.get(scan.id), { state: 'probing', done: 0, total: 1 })
  t.match(await other.scans.cancel(admin, libraryId, ORIGIN), { id: scan.id, state: 'cancelled' })
  await fixture.clock.advance(100)
  t.strictSame(givenUp, [ALIEN])
  t.equal(await fixture.leases.held(scanLease(libraryId)), false)
  t.match(await other.scan(libraryId), { state: 'completed', counts: { added: 1 } })
  t.strictSame([...fixture.problems, ...other.problems], [])
})

t.test('a scan whose node is gone is noticed by another node, a living one is not cut', async (t) => {
  const { fixture, other, libraryId, scan } = await setUpSlow(t)
  const stopping = new AbortController()
  const { access, clock, scans } = other
  const recovering = recoverScans({ access, clock, scans, onError: (cause) => t.fail(String(cause)) }, stopping.signal)
  t.teardown(async () => {
    stopping.abort()
    await recovering
  })
  await clock.advance(60_000)
  t.match(await other.readModels.scans.get(scan.id), { state: 'probing' })
  fixture.leases.stall()
  await clock.advance(30_000)
  t.match(await other.readModels.scans.get(scan.id), { state: 'interrupted' })
  t.match(await other.scan(libraryId), { state: 'completed' })
})
