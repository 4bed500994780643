/** Scans in a cluster: nodes that die or are suspended during a scan, and the other nodes meanwhile. */
import t, { type Test } from 'tap'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { createLeaseTable } from '../../../src/adapters/memory/leases.ts'
import { createReadYourWrites } from '../../../src/app/consistency/read-your-writes.ts'
import { recoverScans } from '../../../src/app/scans/scan-schedule.ts'
import { createScans } from '../../../src/app/scans/scans.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { MediaDescription } from '../../../src/vocabulary/media-description.ts'
import type { Media } from '../../../src/ports/media.ts'
import type { Commit } from '../../../src/ports/read-store.ts'
import { allowed, createCluster, openNodeFixture, opened, ORIGIN, type NodeFixture, type Cluster } from '../../fixtures/node-fixture.ts'

const TITLES = ['Alien', 'Brazil', 'Casablanca', 'Dune', 'Eraserhead', 'Fargo', 'Gilda', 'Heat']
const ASKED = { mode: 'incremental', paths: null } as const

/** Holds probes back from the third one on, whatever happens to their scan, like on a suspended node. */
function slowly(cluster: Cluster): { readonly media: Media; readonly goOn: () => void } {
  const gate = Promise.withResolvers<void>()
  let probes = 0
  async function probe(path: string): Promise<MediaDescription> {
    if (++probes > 2) await gate.promise
    return cluster.mediaFiles.probe(path, new AbortController().signal)
  }
  return { media: { ...cluster.mediaFiles, probe }, goOn: () => gate.resolve() }
}

/** Read models that lag behind the log while they are held. */
function held({ store }: Cluster) {
  let gate = Promise.resolve()
  let goOn = (): void => {}
  let isHeld = false
  return {
    store: { ...store, commit: async (...commits: readonly Commit[]) => gate.then(() => store.commit(...commits)) },
    isHeld: () => isHeld,
    hold() {
      isHeld = true
      const held = Promise.withResolvers<void>()
      gate = held.promise
      goOn = held.resolve
    },
    goOn: () => goOn(),
  }
}

function recovering(t: Test, { access, clock, scans }: NodeFixture): void {
  const stopping = new AbortController()
  const running = recoverScans({ access, clock, scans, onError: (cause) => t.fail(String(cause)) }, stopping.signal)
  t.teardown(async () => {
    stopping.abort()
    await running
  })
}

/** A node in the middle of a scan, and another one that looks for scans of dead nodes. */
async function setUp(t: Test, others: Partial<Cluster> = {}) {
  const cluster = createCluster()
  for (const title of TITLES) cluster.mediaFiles.put(`/films/${title} (1980).mkv`)
  const slow = slowly(cluster)
  const one = await openNodeFixture(t, { cluster, media: slow.media, width: 2 })
  t.teardown(slow.goOn)
  const two = await openNodeFixture(t, { cluster: { ...cluster, ...others }, node: 'two' })
  await opened(two)
  const { caller: admin } = await one.person({ role: 'admin' })
  const libraryId = await one.newLibrary('/films')
  await two.seen()
  const scan = allowed(await one.scans.start(admin, libraryId, ASKED, ORIGIN))
  await one.clock.advance(2000)
  recovering(t, two)
  return { one, two, admin, libraryId, scan, goOn: slow.goOn }
}

async function moviesIn({ readModels }: NodeFixture): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { details, files } of readModels.movies.walk({})) found.push(`${details.title} ${files.length}`)
  return found.toSorted()
}

t.test('of nodes that start a scan at once one gets 202 and the other 409; both see its progress and may cancel it', async (t) => {
  const { one, two, admin, libraryId, scan } = await setUp(t)
  for (const { scans } of [one, two]) t.match(await scans.start(admin, libraryId, ASKED, ORIGIN), { refusal: 'conflict' })
  for (const { scans } of [one, two])
    t.match(await scans.current(admin, libraryId), { id: scan.id, state: 'probing', total: TITLES.length })
  t.match(await two.scans.cancel(admin, libraryId, ORIGIN), { id: scan.id, state: 'cancelled' })
  t.match(await one.scans.current(admin, libraryId), { id: scan.id, state: 'cancelled' })
})

t.test('a scan whose node died holds nobody up for longer than its lease and one look; a new one finds every film once', async (t) => {
  const { one, two, admin, libraryId, scan } = await setUp(t)
  one.leases.stall()
  let waitedMs = 0
  for (; isRefusal(await two.scans.start(admin, libraryId, ASKED, ORIGIN)); waitedMs += 250) await two.clock.advance(250)
  t.ok(waitedMs <= 15_000 + 10_000 + 500, `${waitedMs} ms`)
  t.match(await two.scans.get(admin, libraryId, scan.id), { state: 'interrupted' })
  const { id } = allowed(await two.scans.current(admin, libraryId))
  t.match(await two.scanned(id), { state: 'completed' })
  t.strictSame(
    await moviesIn(two),
    TITLES.map((title) => `${title} 1`),
  )
})

t.test('a node that was held in the middle of a scan, and does not know yet that another one took over, doubles no film', async (t) => {
  // With a separate lease table the other node never sees this one's lease, as if this node had been suspended for long.
  const { one, two, admin, libraryId, scan, goOn } = await setUp(t, { table: createLeaseTable() })
  await two.clock.advance(11_000)
  t.match(await two.scans.get(admin, libraryId, scan.id), { state: 'interrupted' })
  t.match(await two.scan(libraryId), { state: 'completed', counts: { seen: TITLES.length, errors: 0 } })
  const before = (await two.events()).length
  goOn()
  await one.clock.advance(5000)
  t.strictSame((await one.events()).slice(before), [], 'it stores nothing')
  t.strictSame(
    await moviesIn(two),
    TITLES.map((title) => `${title} 1`),
  )
  t.equal(await one.leases.held(`scan.${libraryId}`), false, 'and it has noticed')
  t.match(await two.scan(libraryId, { mode: 'full' }), { state: 'completed', counts: { unchanged: TITLES.length, added: 0 } })
})

t.test('a scan that has ended is shown as settling on a node whose views do not have what it found', async (t) => {
  const { two, admin, libraryId, goOn, scan } = await setUp(t)
  goOn()
  t.match(await two.scanned(scan.id), { state: 'completed' })
  const { access, clock, commandHandler, readModels, leases, cluster } = two
  const behind = createReadYourWrites({ ...cluster, collections: ['movies_g999'], own: [] })
  t.teardown(() => behind.close())
  const deps = {
    access,
    bus: cluster.bus,
    clock,
    commandHandler,
    readModels,
    ids: createTestIds(),
    leases,
    log: cluster.log,
    run: () => {},
  }
  const scans = createScans({ ...deps, readYourWrites: behind })
  const running = { id: scan.id, state: 'settling', finishedAt: null }
  const asked = Promise.all([
    scans.current(admin, libraryId),
    scans.get(admin, libraryId, scan.id),
    scans.list(admin, libraryId, { limit: 5 }),
  ])
  await clock.advance(2000)
  t.match(await asked, [running, running, { items: [running] }])
  behind.passed('movies_g999', await cluster.log.head())
  t.match(await scans.current(admin, libraryId), { state: 'completed' })
})

t.test('a film is in one movie, though the scan that found it was cancelled before anybody saw what it had found', async (t) => {
  const cluster = createCluster()
  const [first, second] = ['/films/Alien (1979)/Alien (1979) 1080p.mkv', '/films/Alien (1979) 4K/Alien (1979) 4K.mkv']
  for (const path of [first, second]) cluster.mediaFiles.put(path)
  const views = held(cluster)
  // From the first film on, so that nobody sees the scan's results.
  const probe = async (path: string) => {
    if (!views.isHeld()) views.hold()
    return cluster.mediaFiles.probe(path, new AbortController().signal)
  }
  const one = await openNodeFixture(t, { cluster: { ...cluster, store: views.store }, media: { ...cluster.mediaFiles, probe } })
  t.teardown(views.goOn)
  const { caller: admin } = await one.person({ role: 'admin' })
  const libraryId = await one.newLibrary('/films')
  await one.seen()
  const asked = one.scans.start(admin, libraryId, ASKED, ORIGIN).catch(() => {})
  await one.clock.advance(400)
  const cancelled = one.scans.cancel(admin, libraryId, ORIGIN).catch(() => {})
  await one.clock.advance(400)
  const again = one.scans.start(admin, libraryId, { ...ASKED, paths: ['/films/Alien (1979) 4K'] }, ORIGIN).catch(() => {})
  await one.clock.advance(400)
  views.goOn()
  await one.clock.advance(10_000)
  await Promise.all([asked, cancelled, again])
  const { id } = allowed(await one.scans.current(admin, libraryId))
  t.match(await one.scanned(id), { state: 'completed' })
  const added = (await one.events()).filter(({ type }) => type === 'MovieFileAdded')
  t.equal(added.length, 2)
  t.strictSame(await moviesIn(one), ['Alien 2'])
})
