import sharp from 'sharp'
import t, { type Test } from 'tap'
import { runTintJob, type TintJobDependencies } from '../../../src/app/images/tint-job.ts'
import { OnlineAway } from '../../../src/ports/online-metadata.ts'
import type { ImageId } from '../../../src/vocabulary/id.ts'
import { createCluster, openNodeFixture, type NodeFixture } from '../../fixtures/node-fixture.ts'
import { createScriptedProvider, movieFactsOf } from '../scripted-provider.ts'

const FOLDER = '/films/Alien (1979)'
const plain = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 90, channels: 3, background } })
    .jpeg({ quality: 100 })
    .toBuffer()
const [red, blue, green] = [await plain('#c02020'), await plain('#2020c0'), await plain('#20c020')]

/** Red, green or blue, if it is one of them. */
function hueOf(tint: string | null): string | null {
  if (tint === null) return null
  const channels = [1, 3, 5].map((at) => Number.parseInt(tint.slice(at, at + 2), 16))
  return ['red', 'green', 'blue'][channels.findIndex((value) => value > 180)] ?? tint
}

/** A node with a film, images beside it, and a provider that knows the film. */
async function open(t: Test, beside: Readonly<Record<string, Uint8Array>> = {}) {
  const cluster = createCluster()
  const images = new Map<string, Uint8Array>()
  const media = {
    ...cluster.mediaFiles,
    readSmall: async (path: string, most: number) => images.get(path) ?? cluster.mediaFiles.readSmall(path, most),
  }
  const provider = createScriptedProvider({ 348: movieFactsOf('Alien', 1979) })
  const stills: { isBackground: boolean | undefined; still: Uint8Array | undefined } = { isBackground: undefined, still: green }
  const still = async ({ isBackground }: { readonly isBackground?: boolean }) => ((stills.isBackground = isBackground), stills.still)
  const node = await openNodeFixture(t, { cluster, media, online: provider, stills: { still } })
  let puts = 0
  const put = (name: string, bytes: Uint8Array): void => {
    images.set(`${FOLDER}/${name}`, bytes)
    node.mediaFiles.put(`${FOLDER}/${name}`, { content: name, modifiedAtMs: 1_767_000_000_000 + 1000 * puts++ })
  }
  node.mediaFiles.put(`${FOLDER}/Alien (1979).mkv`)
  for (const [name, bytes] of Object.entries(beside)) put(name, bytes)
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  await node.seen()
  return { node, libraryId, provider, stills, put }
}

function start(node: NodeFixture, more: Partial<TintJobDependencies> = {}) {
  const { access, clock, commandHandler, readModels, images, readYourWrites, cluster } = node
  const keeping = new AbortController()
  const problems: unknown[] = []
  const asked: string[] = []
  const tint = (id: string) => (asked.push(id), images.tint(id))
  const onError = (cause: unknown): void => void problems.push(cause)
  const own = { log: cluster.log, images: { tint }, failures: new Set<ImageId>(), onError }
  const deps: TintJobDependencies = { access, clock, commandHandler, readModels, readYourWrites, ...own, ...more }
  const task = runTintJob(deps, keeping.signal).catch((cause: unknown) => {
    if (!keeping.signal.aborted) throw cause
  })
  return {
    asked,
    problems,
    async until(holds: () => Promise<boolean> | boolean): Promise<void> {
      for (let turn = 0; turn < 1000; turn++) {
        if (await holds()) return
        await clock.advance(100)
        // Images are decoded in real time.
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      throw new Error('It does not come')
    },
    async stop(): Promise<void> {
      keeping.abort(new Error('enough'))
      await task
    },
  }
}

async function shown(node: NodeFixture) {
  const { card } = await node.movieNamed('Alien')
  return { poster: hueOf(card.posterTint), backdrop: hueOf(card.backdropTint) }
}

const told = async ({ events }: NodeFixture) => (await events()).flatMap(({ type, data }) => (type === 'MovieImagesTinted' ? [data] : []))

t.test('images that a scan has found get their tints, both in one event, recorded once', async (t) => {
  const { node, libraryId } = await open(t, { 'poster.jpg': red, 'fanart.jpg': blue })
  t.strictSame(await shown(node), { poster: null, backdrop: null })
  const keeper = start(node)
  await keeper.until(async () => (await shown(node)).backdrop !== null)
  t.strictSame(await shown(node), { poster: 'red', backdrop: 'blue' })
  await keeper.stop()
  const again = start(node)
  await node.scan(libraryId, { mode: 'full' })
  await again.stop()
  t.strictSame([(await told(node)).length, again.asked, keeper.problems], [1, [], []])
})

t.test('another image under the same name has no tint until it has its own', async (t) => {
  const { node, libraryId, put } = await open(t, { 'poster.jpg': red })
  const keeper = start(node)
  await keeper.until(async () => (await shown(node)).poster === 'red')
  await keeper.stop()
  put('poster.jpg', blue)
  await node.scan(libraryId)
  await node.seen()
  t.equal((await shown(node)).poster, null)
  const next = start(node)
  await next.until(async () => (await shown(node)).poster === 'blue')
  await next.stop()
})

t.test('a film that comes while the job runs gets its tint, and who sees it hears of that once', async (t) => {
  const { node, libraryId, put } = await open(t)
  const heard: string[] = []
  const keeper = start(node)
  await keeper.until(async () => (await shown(node)).poster !== null)
  node.liveEvents.listen((events) => void heard.push(...(events ?? []).map(({ kind }) => kind).filter((kind) => kind.startsWith('movie.'))))
  put('poster.jpg', red)
  await node.scan(libraryId)
  await keeper.until(async () => (await shown(node)).poster === 'red')
  await keeper.until(() => heard.length > 1)
  await keeper.stop()
  t.strictSame(heard, ['movie.updated', 'movie.updated'], 'the poster, then its tint')
})

t.test('a film without a poster has the tint of an image out of it, made when there is time', async (t) => {
  const { node, stills } = await open(t)
  const keeper = start(node)
  await keeper.until(async () => (await shown(node)).poster === 'green')
  await keeper.stop()
  t.equal(stills.isBackground, true)
})

t.test('a provider’s image is fetched small for its tint', async (t) => {
  const { node, provider } = await open(t)
  provider.images.set('/poster348.jpg', blue)
  const keeper = start(node)
  await keeper.until(async () => (await shown(node)).poster === 'green')
  await node.onlineFinder?.findSoon((await node.movieNamed('Alien')).id)
  await keeper.until(async () => (await shown(node)).poster === 'blue')
  await keeper.stop()
  t.strictSame(
    provider.asked.filter((ask) => ask.includes('image')),
    ['small image /poster348.jpg'],
  )
})

t.test('a broken poster has the tint of what is shown in its place', async (t) => {
  const { node } = await open(t, { 'poster.jpg': Buffer.from('no image') })
  const keeper = start(node)
  await keeper.until(async () => (await shown(node)).poster === 'green')
  await keeper.stop()
})

t.test('an image that nothing can be decoded for is tried once, also by a task that begins again', async (t) => {
  const { node, libraryId, put } = await open(t, { 'poster.jpg': red, 'fanart.jpg': red.subarray(0, 200) })
  const failures = new Set<ImageId>()
  const keeper = start(node, { failures })
  await keeper.until(async () => failures.size === 1 && (await shown(node)).poster === 'red')
  await node.clock.advance(11 * 60_000)
  await keeper.stop()
  const { card } = await node.movieNamed('Alien')
  t.strictSame(keeper.asked, [card.poster, card.backdrop])
  put('fanart.jpg', blue)
  const next = start(node, { failures })
  await node.scan(libraryId)
  await next.until(async () => (await shown(node)).backdrop === 'blue')
  await next.stop()
  t.equal(next.asked.includes(card.backdrop ?? ''), false)
})

t.test('an image that cannot be had at the moment is tried again later, at longer and longer intervals', async (t) => {
  const { node, provider } = await open(t)
  await node.onlineFinder?.findSoon((await node.movieNamed('Alien')).id)
  provider.images.set('/poster348.jpg', blue)
  provider.fail(new OnlineAway('It does not answer'))
  await node.seen()
  const keeper = start(node)
  await keeper.until(() => keeper.asked.length === 1)
  await node.clock.advance(9 * 60_000)
  t.equal(keeper.asked.length, 1)
  await node.clock.advance(60_000)
  await keeper.until(() => keeper.asked.length === 2)
  await node.clock.advance(19 * 60_000)
  t.equal(keeper.asked.length, 2)
  provider.fail()
  await keeper.until(async () => (await shown(node)).poster === 'blue')
  await keeper.stop()
})

t.test('what fails for another reason is reported, and does not keep the other films waiting', async (t) => {
  const { node, libraryId } = await open(t)
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  await node.scan(libraryId)
  await node.seen()
  const { card } = await node.movieNamed('Alien')
  const tint = async (id: string) => (id === card.poster ? Promise.reject(new Error('A bug')) : '#102030')
  const keeper = start(node, { images: { tint } })
  await keeper.until(async () => (await node.movieNamed('Brazil')).card.posterTint === '#102030')
  await keeper.stop()
  t.match(keeper.problems, [{ message: 'A bug' }])
})

t.test('a scan that is under way goes first', async (t) => {
  const { node } = await open(t)
  const [library] = node.access.libraries.values()
  const other = { ...library, scanning: true }
  const libraries = new Map<string, unknown>([...node.access.libraries, ['other', other]]) as unknown as NodeFixture['access']['libraries']
  const keeper = start(node, { access: { libraries } })
  await node.clock.advance(60_000)
  t.strictSame(keeper.asked, [])
  other.scanning = false
  await keeper.until(async () => (await shown(node)).poster === 'green')
  await keeper.stop()
})

t.test('it stops while an image is not to be had', async (t) => {
  const { node } = await open(t)
  const waiting = Promise.withResolvers<void>()
  const keeper = start(node, { images: { tint: () => (waiting.resolve(), new Promise(() => {})) } })
  await waiting.promise
  await keeper.stop()
  t.strictSame(keeper.problems, [])
})
