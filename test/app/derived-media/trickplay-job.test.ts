import t, { type Test } from 'tap'
import {
  createMemoryTrickplayMaker,
  createMemoryTrickplayStore,
  type MemoryMakerOptions,
  type MemoryStoreOptions,
  type MemoryTrickplayStore,
} from '../../../src/adapters/memory/trickplay.ts'
import { runTrickplayJob } from '../../../src/app/derived-media/trickplay-job.ts'
import type { TrickplayMaker } from '../../../src/ports/trickplay-maker.ts'
import { mediaOf, videoOf } from '../../fixtures/movie-facts.ts'
import { omitUndefined } from '../../../src/vocabulary/omit-undefined.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const ALIEN = '/films/Alien (1979).mkv'
const BRAZIL = '/films/Brazil (1985).mkv'
const DAY_MS = 24 * 3_600_000
const probe = mediaOf(35_000, { video: [videoOf(1920, 1080)] })
const index = { zeroMs: 0, keyframesMs: [0, 10_400, 19_500, 31_000], videoStartMs: 0, audioStartMs: 0, videoEndMs: 35_000 }
/** The decoded frames: if a time is not a keyframe's, the decoder has guessed the frame. */
const maker: MemoryMakerOptions = { keyframesMs: [0, 7_000, 10_400, 19_500, 31_000] }

interface Keeper {
  /** Advances the clock until the films have thumbnails, or have been tried. */
  readonly until: (holds: () => Promise<boolean> | boolean) => Promise<void>
  readonly stop: () => Promise<void>
}

async function open(t: Test, { isTroubled }: Pick<MemoryStoreOptions, 'isTroubled'> = {}) {
  const store: MemoryTrickplayStore = createMemoryTrickplayStore({ now: () => node.clock.now(), ...omitUndefined({ isTroubled }) })
  const node: NodeFixture = await openNodeFixture(t, { trickplay: store })
  node.mediaFiles.put(ALIEN, { probe, index, content: 'alien' })
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  return { node, libraryId, store }
}

function start(
  { node, store }: { readonly node: NodeFixture; readonly store: MemoryTrickplayStore },
  by: TrickplayMaker,
  failures = new Set<string>(),
): Keeper {
  const { access, clock, commandHandler, readModels, readYourWrites, mediaFiles: media, cluster } = node
  const keeping = new AbortController()
  const deps = { access, clock, commandHandler, readModels, readYourWrites, log: cluster.log, maker: by, media, store, failures }
  const task = runTrickplayJob(deps, keeping.signal).catch((cause: unknown) => {
    if (!keeping.signal.aborted) throw cause
  })
  return {
    async until(holds) {
      for (let turn = 0; turn < 500; turn++) {
        if (await holds()) return
        await clock.advance(100)
      }
      throw new Error('It does not come')
    },
    async stop() {
      keeping.abort(new Error('enough'))
      await task
    },
  }
}

const madeIn = async ({ events }: NodeFixture) => (await events()).flatMap(({ type, data }) => (type === 'TrickplayMade' ? [data] : []))

t.test('films that a scan has found get their thumbnails, which is recorded once', async (t) => {
  const given = await open(t)
  const { node, libraryId, store } = given
  const { caller } = await node.person()
  const movie = await node.movieNamed('Alien')
  t.match(await node.movies.get(caller, movie.id), { trickplay: false })
  const keeper = start(given, createMemoryTrickplayMaker(maker))
  await keeper.until(async () => (await madeIn(node)).length === 1)
  const [file] = await node.readModels.filesOf(movie)
  const fingerprint = file?.fingerprint ?? ''
  t.match(await madeIn(node), [{ movieId: movie.id, fileId: file?.id, fingerprint, width: 320, height: 180, pictures: 4 }])
  t.match(await store.plan(fingerprint), { ptsMs: [0, 10_400, 19_500, 31_000], durationMs: 35_000, columns: 10, rows: 10 })
  await node.seen()
  t.match(await node.movies.get(caller, movie.id), { trickplay: true })

  node.mediaFiles.put(BRAZIL, { probe, index, content: 'brazil' })
  await node.scan(libraryId)
  await keeper.until(async () => (await madeIn(node)).length === 2)
  await keeper.stop()
  const again = createMemoryTrickplayMaker({ ...maker, reading: async () => void t.fail('nothing is made twice') })
  const second = start(given, again)
  await node.scan(libraryId, { mode: 'full' })
  await second.stop()
  t.equal((await madeIn(node)).length, 2)
  t.strictSame(node.problems, [])
})

t.test('an interval without a keyframe has the very frame at its beginning', async (t) => {
  const given = await open(t)
  const by = createMemoryTrickplayMaker({ keyframesMs: [0, 31_000], frameAtMs: (fromMs) => fromMs + 40 })
  const keeper = start(given, by)
  await keeper.until(async () => (await madeIn(given.node)).length === 1)
  await keeper.stop()
  const [made] = await madeIn(given.node)
  t.strictSame((await given.store.plan(made?.fingerprint ?? ''))?.ptsMs, [0, 10_040, 20_040, 31_000])
  t.strictSame(by.grabs, [10_000, 20_000])
})

t.test('of several keyframes the nearest stands for an interval', async (t) => {
  const given = await open(t)
  const keyframesMs = [0, 3_000, 8_000, 9_400, 10_300, 12_000, 20_000, 29_100]
  given.node.mediaFiles.put(ALIEN, { probe, index: { ...index, keyframesMs }, content: 'alien' })
  const keeper = start(given, createMemoryTrickplayMaker({ keyframesMs }))
  await keeper.until(async () => (await madeIn(given.node)).length === 1)
  await keeper.stop()
  t.strictSame((await given.store.plan((await madeIn(given.node))[0]?.fingerprint ?? ''))?.ptsMs, [0, 10_300, 20_000, 29_100])
})

t.test('a film that cannot be read, or not wholly, has none, and is tried again at the next start only', async (t) => {
  const given = await open(t)
  const { node, libraryId, store } = given
  const failures = new Set<string>()
  let tried = 0
  const broken = createMemoryTrickplayMaker({ frameAtMs: () => void tried++ })
  const keeper = start(given, broken, failures)
  await keeper.until(() => tried === 1)
  node.mediaFiles.put(BRAZIL, { probe, index, content: 'brazil' })
  await node.scan(libraryId, { mode: 'full' })
  await keeper.until(() => tried === 2)
  await keeper.stop()
  t.equal(failures.size, 2)
  t.strictSame([await store.sets(), await madeIn(node)], [[], []])

  const next = start(given, createMemoryTrickplayMaker(maker))
  await next.until(async () => (await store.sets()).length === 2)
  await next.stop()
})

t.test('a film whose drive is away for a while is not taken for a broken one', async (t) => {
  const given = await open(t)
  const { node, libraryId, store } = given
  node.mediaFiles.put(BRAZIL, { probe, index, content: 'brazil' })
  node.mediaFiles.remove(ALIEN)
  const failures = new Set<string>()
  const keeper = start(given, createMemoryTrickplayMaker(maker), failures)
  await node.scan(libraryId)
  await keeper.until(async () => (await store.sets()).length === 1)
  t.equal(failures.size, 0)
  node.mediaFiles.put(ALIEN, { probe, index, content: 'alien' })
  await node.scan(libraryId)
  await keeper.until(async () => (await madeIn(node)).length === 2)
  await keeper.stop()
})

t.test('a film that is replaced while it is read gets no thumbnails of the other one', async (t) => {
  const given = await open(t)
  const { node, libraryId, store } = given
  const longer = { probe, index, content: 'longer', modifiedAtMs: 1_767_000_009_000 }
  let read = 0
  const failures = new Set<string>()
  const reading = async () => void (read++ === 0 && node.mediaFiles.put(ALIEN, longer))
  const keeper = start(given, createMemoryTrickplayMaker({ ...maker, reading }), failures)
  await keeper.until(() => read > 0)
  await node.clock.advance(1000)
  t.strictSame([await store.sets(), failures.size], [[], 0])
  await node.scan(libraryId)
  await keeper.until(async () => (await madeIn(node)).length === 1)
  await keeper.stop()
  t.match(await madeIn(node), [{ fingerprint: (await node.readModels.filesOf(await node.movieNamed('Alien')))[0]?.fingerprint }])
})

t.test('while the views are being rebuilt no set is taken for one of no film', async (t) => {
  const given = await open(t)
  const done: string[] = []
  const waitFor = async () => void done.push('reached')
  const sets = async () => (done.push('looked through'), [])
  const node = { ...given.node, readYourWrites: { ...given.node.readYourWrites, waitFor } }
  const keeper = start({ node, store: { ...given.store, sets } }, createMemoryTrickplayMaker(maker))
  await keeper.until(() => done.length > 1)
  await keeper.stop()
  t.strictSame(done.slice(0, 2), ['reached', 'looked through'])
})

t.test('a film that takes too long is given up, and the next one has its turn', async (t) => {
  const given = await open(t)
  const { node, libraryId, store } = given
  node.mediaFiles.put(BRAZIL, { probe, index, content: 'brazil' })
  await node.scan(libraryId)
  let stuck = 0
  const reading: MemoryMakerOptions['reading'] = async ({ path }, signal) => {
    if (path !== ALIEN) return
    stuck++
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  }
  const keeper = start(given, createMemoryTrickplayMaker({ ...maker, reading }))
  await keeper.until(() => stuck === 1)
  await node.clock.advance(32 * 60_000)
  await keeper.until(async () => (await store.sets()).length === 1)
  await keeper.stop()
  t.equal(stuck, 1)
})

t.test('films that a full disk did not take get their thumbnails when there is room again', async (t) => {
  let isTroubled = true
  const given = await open(t, { isTroubled: () => isTroubled })
  const { node, libraryId } = given
  let tries = 0
  const keeper = start(
    { ...given, store: { ...given.store, keep: (...all) => (tries++, given.store.keep(...all)) } },
    createMemoryTrickplayMaker(maker),
  )
  await keeper.until(() => tries === 1)
  node.mediaFiles.put(BRAZIL, { probe, index, content: 'brazil' })
  await node.scan(libraryId)
  await node.clock.advance(15 * 60_000)
  t.ok(tries > 1 && tries < 10, `${tries} tries in a quarter of an hour`)
  t.strictSame(await madeIn(node), [])
  isTroubled = false
  await node.clock.advance(15 * 60_000)
  t.equal((await madeIn(node)).length, 2)
  await keeper.stop()
  t.strictSame(node.problems, [])
})

t.test('a scan that is under way goes first', async (t) => {
  const given = await open(t)
  const { node, store } = given
  const [library] = node.access.libraries.values()
  const scanning = new Map([['films', { ...library, scanning: true }]])
  const access = { ...node.access, libraries: new Map([...node.access.libraries, ...scanning]) as NodeFixture['access']['libraries'] }
  const keeper = start({ node: { ...node, access }, store }, createMemoryTrickplayMaker(maker))
  await node.clock.advance(60_000)
  t.strictSame(await store.sets(), [])
  Object.assign(scanning.get('films') ?? {}, { scanning: false })
  await keeper.until(async () => (await store.sets()).length === 1)
  await keeper.stop()
})

t.test('a replaced film never shows the thumbnails of the one before, and a moved one keeps its own', async (t) => {
  const given = await open(t)
  const { node, libraryId, store } = given
  const { caller } = await node.person()
  const movie = await node.movieNamed('Alien')
  const offered = async () => {
    const found = await node.movies.get(caller, movie.id)
    return 'trickplay' in found ? found.trickplay : undefined
  }
  const keeper = start(given, createMemoryTrickplayMaker(maker))
  await keeper.until(async () => (await madeIn(node)).length === 1)
  await keeper.stop()
  const [before] = await madeIn(node)

  node.mediaFiles.move(ALIEN, '/films/Alien (1979)/Alien (1979).mkv')
  await node.scan(libraryId)
  t.equal(await offered(), true, 'moved')
  node.mediaFiles.put('/films/Alien (1979)/Alien (1979).mkv', { probe, index, content: 'longer', modifiedAtMs: 1_767_000_009_000 })
  await node.scan(libraryId)
  t.equal(await offered(), false, 'replaced')
  const next = start(given, createMemoryTrickplayMaker(maker))
  await next.until(async () => (await madeIn(node)).length === 2)
  await node.seen()
  t.equal(await offered(), true, 'made again')
  const [, after] = await madeIn(node)
  t.not(after?.fingerprint, before?.fingerprint)

  t.ok(await store.plan(before?.fingerprint ?? ''), 'what belongs to no film stays for a while')
  await next.stop()
  const older = async () => (await store.sets()).map((set) => ({ ...set, usedAt: set.usedAt - 8 * DAY_MS }))
  const later = start({ node, store: { ...store, sets: older } }, createMemoryTrickplayMaker(maker))
  await later.until(async () => (await store.sets()).length === 1)
  t.ok(await store.plan(after?.fingerprint ?? ''))
  await later.stop()
})

t.test('thumbnails lost from the disk are not offered, and are made again, but not recorded again', async (t) => {
  const given = await open(t)
  const { node, store } = given
  const { caller } = await node.person()
  const movie = await node.movieNamed('Alien')
  const keeper = start(given, createMemoryTrickplayMaker(maker))
  await keeper.until(async () => (await madeIn(node)).length === 1)
  await keeper.stop()
  const [made] = await madeIn(node)
  await node.seen()
  await store.remove(made?.fingerprint ?? '')
  t.match(await node.movies.get(caller, movie.id), { trickplay: false })
  const next = start(given, createMemoryTrickplayMaker(maker))
  await next.until(async () => (await store.plan(made?.fingerprint ?? '')) !== undefined)
  await next.stop()
  t.match(await node.movies.get(caller, movie.id), { trickplay: true })
  t.equal((await madeIn(node)).length, 1)
})

t.test('a library that wants none gets none and offers none; switched on again, it has them', async (t) => {
  const given = await open(t)
  const { node, libraryId, store } = given
  const { caller } = await node.person({ role: 'admin' })
  const movie = await node.movieNamed('Alien')
  const set = async (trickplay: boolean) => allowed(await node.libraries.change(caller, libraryId, { settings: { trickplay } }, ORIGIN))
  await set(false)
  const keeper = start(given, createMemoryTrickplayMaker(maker))
  await node.clock.advance(10_000)
  t.strictSame(await store.sets(), [])
  await set(true)
  await keeper.until(async () => (await madeIn(node)).length === 1)
  await node.seen()
  t.match(await node.movies.get(caller, movie.id), { trickplay: true })
  const session = allowed(await node.playback.start(caller, { movieId: movie.id }, ORIGIN))
  t.equal(session.hasTrickplay, true)
  await set(false)
  t.match(await node.movies.get(caller, movie.id), { trickplay: false })
  t.match(await node.playback.get(caller, session.session.id), { hasTrickplay: false })
  const [made] = await madeIn(node)
  t.equal(await node.trickplay.sheet({ libraryId, fingerprint: made?.fingerprint ?? '' }, { width: 320, sheet: 0 }), undefined)
  await keeper.stop()
})

t.test('those who see the movie hear of its thumbnails', async (t) => {
  const given = await open(t)
  const { node } = given
  const heard: unknown[] = []
  node.liveEvents.listen((events) => {
    for (const { kind, payload } of events ?? []) if (kind === 'trickplay.ready') heard.push(payload)
  })
  const keeper = start(given, createMemoryTrickplayMaker(maker))
  await keeper.until(() => heard.length > 0)
  t.strictSame(heard, [{ movieId: (await node.movieNamed('Alien')).id }])
  await keeper.stop()
})
