import t from 'tap'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { named } from '../../fixtures/names.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

const ASKED = { mode: 'incremental', paths: null } as const
const START = { ...ASKED, trigger: 'start', startedBy: null } as const
const AUTHOR = { actor: 'cli', command: 'test' }

t.test('a scan that was started can be looked at, running and ended', async (t) => {
  const fixture = await openNodeFixture(t)
  const admin = await fixture.person({ role: 'admin' })
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
  const libraryId = await fixture.newLibrary('/films')
  t.match(await fixture.scans.current(admin.caller, libraryId), { refusal: 'not-found' }, 'never scanned')
  const scan = allowed(await fixture.scans.start(admin.caller, libraryId, ASKED, ORIGIN))
  t.match(scan, { libraryId, mode: 'incremental', trigger: 'manual', startedBy: admin.caller.userId, finishedAt: null })
  t.equal(fixture.access.libraries.get(libraryId)?.scanning, true)
  t.match(await fixture.scans.current(admin.caller, libraryId), { id: scan.id, finishedAt: null })
  const ended = await fixture.scanned(scan.id)
  t.match(ended, { state: 'completed', counts: { added: 1 } })
  t.match(await fixture.scans.current(admin.caller, libraryId), { id: scan.id, state: 'completed' })
  t.match(await fixture.scans.get(admin.caller, libraryId, scan.id), { id: scan.id })
  t.equal(fixture.access.libraries.get(libraryId)?.scanning, false)
  t.match(fixture.access.libraries.get(libraryId)?.lastScan, { id: scan.id, state: 'completed' })
})

t.test('the scans of a library are for those who see it, and are not found under another one', async (t) => {
  const fixture = await openNodeFixture(t)
  const [films, other] = [await fixture.newLibrary('/films'), await fixture.newLibrary('/other')]
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
  const { id } = await fixture.scan(films)
  const ann = await fixture.person({ libraryAccess: 'selected', libraryIds: [other] })
  for (const answer of [
    await fixture.scans.current(ann.caller, films),
    await fixture.scans.get(ann.caller, films, id),
    await fixture.scans.get(ann.caller, other, id),
    await fixture.scans.get(ann.caller, other, named('unknown')),
    await fixture.scans.current(ann.caller, named('unknown')),
  ]) {
    t.match(answer, { refusal: 'not-found' })
  }
})

t.test('of many that ask for a scan at once exactly one gets it', async (t) => {
  const cluster = createCluster()
  const [one, two] = [await openNodeFixture(t, { cluster }), await openNodeFixture(t, { cluster, node: 'two' })]
  cluster.mediaFiles.put('/films/Metropolis (1927).mkv')
  const libraryId = await one.newLibrary('/films')
  await two.seen()
  const racers = [one, two].flatMap(({ scans }) => Array.from({ length: 8 }, () => scans.request(libraryId, START, AUTHOR)))
  const answers = await Promise.all(racers)
  const scanIds = answers.flatMap((answer) => (isRefusal(answer) ? [] : [answer]))
  t.equal(scanIds.length, 1)
  t.match(answers.find(isRefusal), { refusal: 'conflict', message: 'A scan is already running' })
  for (const scanId of scanIds) t.match(await one.scanned(scanId), { state: 'completed' })
})

t.test('folders that are no plain folders of the library are refused by their place in the list', async (t) => {
  const fixture = await openNodeFixture(t)
  const admin = await fixture.person({ role: 'admin' })
  const libraryId = await fixture.newLibrary('/films')
  for (const path of ['/etc', '/films/../etc', '/films/a/../../etc', 'films', '', '/filmset', '/films/a\0b']) {
    const answer = await fixture.scans.start(admin.caller, libraryId, { mode: 'incremental', paths: ['/films/good', path] }, ORIGIN)
    t.match(answer, { refusal: 'invalid', path: 'paths.1' }, JSON.stringify(path))
  }
  const paths = ['/films/good', '/etc', '/films', '/filmset']
  const answer = await fixture.scans.start(admin.caller, libraryId, { mode: 'incremental', paths }, ORIGIN)
  t.match(answer, { path: 'paths.1', others: [{ path: 'paths.3', message: 'This is not a folder of the library' }] })
})

t.test('a scan whose program is gone is marked as interrupted by the next start, and another one can run', async (t) => {
  const cluster = createCluster()
  const fixture = await openNodeFixture(t, { cluster })
  cluster.mediaFiles.put('/films/Metropolis (1927).mkv')
  const libraryId = await fixture.newLibrary('/films')
  const scanId = allowed(await fixture.scans.request(libraryId, START, AUTHOR))
  await fixture.stop()
  const restarted = await openNodeFixture(t, { cluster, node: 'two' })
  await cluster.clock.settle()
  t.match(await restarted.scans.request(libraryId, START, AUTHOR), { refusal: 'conflict' })
  const recovered = restarted.scans.recover()
  await cluster.clock.advance(1000)
  await recovered
  await restarted.seen()
  t.match(await restarted.readModels.scans.get(scanId), { state: 'interrupted' })
  t.match(await restarted.scan(libraryId), { state: 'completed', counts: { seen: 1 } })
})

t.test('a scan that runs on another node is not taken for one whose program is gone', async (t) => {
  const cluster = createCluster()
  const [one, two] = [await openNodeFixture(t, { cluster }), await openNodeFixture(t, { cluster, node: 'two' })]
  cluster.mediaFiles.put('/films/Metropolis (1927).mkv')
  const libraryId = await one.newLibrary('/films')
  await two.seen()
  const scanId = allowed(await one.scans.request(libraryId, START, AUTHOR))
  await cluster.clock.settle()
  const recovered = two.scans.recover()
  await cluster.clock.advance(300)
  await recovered
  t.match(await two.scanned(scanId), { state: 'completed' })
})

t.test('a scan that is asked for while the last one’s lease is not yet free runs when it is', async (t) => {
  const fixture = await openNodeFixture(t)
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
  const libraryId = await fixture.newLibrary('/films')
  const lease = await fixture.leases.acquire(`scan.${libraryId}`, 15)
  const scanId = allowed(await fixture.scans.request(libraryId, START, AUTHOR))
  await fixture.clock.advance(1000)
  await lease?.release()
  t.match(await fixture.scanned(scanId), { state: 'completed' })
})
