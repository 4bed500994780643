import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { createMemoryImageStore } from '../../../src/adapters/memory/image-store.ts'
import { createTestClock, type TestClock } from '../../../src/adapters/memory/clock.ts'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { createSharpImageMaker } from '../../../src/adapters/sharp/sharp-image-maker.ts'
import { createImages, type ImageRequest, type Images, type ImagesDependencies } from '../../../src/app/images/images.ts'
import type { Access } from '../../../src/app/access/access.ts'
import type { ReadModels } from '../../../src/app/read-models/read-models.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import { badImages, jpeg, striped } from '../../fixtures/images.ts'
import { admin, ann, file, idOf, library, movie } from '../../fixtures/samples.ts'

const POSTER = idOf<'image'>('poster')
const STILL = idOf<'image'>('still')
const ASK: ImageRequest = { width: 300, height: 450, fit: 'cover', form: 'image/webp' }
const bad = await badImages()
const poster = await jpeg(600, 900)

/** A film with a poster at this path, and one without; counts calls of the image maker. */
function node(path: string, changed: Partial<ImagesDependencies> = {}, publicImages = true) {
  const clock = createTestClock()
  const calls = { make: 0, still: 0 }
  const maker = createSharpImageMaker()
  const documents = new Map([
    [POSTER, { source: 'file', kind: 'poster', id: POSTER, movieId: movie.id, path }],
    [STILL, { source: 'file', kind: 'poster', id: STILL, movieId: movie.id, path: file.path }],
  ])
  const seen = { ...library, settings: { ...library.settings, publicImages } }
  const images = createImages({
    clock,
    access: {
      libraries: new Map([[library.id, seen]]),
      library: ({ role }: { role: string }) => (role === 'admin' ? seen : undefined),
    } as unknown as Access,
    readModels: {
      images: { get: async (id: typeof POSTER) => documents.get(id) },
      movies: { get: async () => movie, getPart: async () => movie },
      filesOf: async () => [{ ...file, media: { durationMs: 1000 } }],
    } as unknown as ReadModels,
    media: createMedia({ start: mediaFfmpeg('ffmpeg'), clock, indexFolder: '/nowhere' }),
    stills: { still: async () => (calls.still++, poster) },
    store: createMemoryImageStore(),
    maker: {
      ...maker,
      make: (bytes, making) => (calls.make++, maker.make(bytes, making)),
    },
    ...changed,
  })
  return { clock, calls, images, get: (ask = ASK, id: string = POSTER) => taken(images, id, ask) }
}

/** Settles once a timer of at most this duration is set. */
function whenArmed(clock: TestClock, askedMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const after = clock.after.bind(clock)
  clock.after = (ms, callback) => {
    if (ms === askedMs) resolve()
    return after(ms, callback)
  }
  return promise
}

async function taken(images: Images, id: string, ask: ImageRequest) {
  const answer = await images.get(id, ask, { caller: null, signal: () => AbortSignal.timeout(60_000) })
  if (isRefusal(answer)) throw new Error(answer.message)
  return answer
}

t.test('a poster is made once for each variant, however often and by how many it is asked for', async (t) => {
  const { calls, get } = node(join(t.testdir({ 'poster.jpg': poster }), 'poster.jpg'))
  const [first, second] = await Promise.all([get(), get({ ...ASK, width: 310, height: 465 })])
  t.equal(calls.make, 1, 'two that race, in the same bucket')
  t.strictSame(second, first)
  t.match(await sharp(first.bytes).metadata(), { format: 'webp', width: 320, height: 480 })
  t.strictSame((await get()).tag, first.tag)
  t.equal(calls.make, 1)
  t.not((await get({ ...ASK, form: 'image/jpeg' })).tag, first.tag)
  t.not((await get({ ...ASK, width: 600, height: 900 })).tag, first.tag)
  t.equal(calls.make, 3)
})

t.test('an image that changes on disk has another tag, without a scan', async (t) => {
  const path = join(t.testdir({ 'poster.jpg': poster }), 'poster.jpg')
  const { clock, get } = node(path)
  const before = await get()
  writeFileSync(path, await striped(400, 600).negate().jpeg({ quality: 50 }).toBuffer())
  await clock.advance(2_000)
  t.not((await get()).tag, before.tag)
})

t.test('an image whose drive is away is shown as it was made, and others have a placeholder that is not remembered', async (t) => {
  const path = join(t.testdir({ 'poster.jpg': poster }), 'poster.jpg')
  const { clock, get } = node(path)
  const before = await get()
  rmSync(path)
  await clock.advance(2_000)
  t.strictSame(await get(), before)
  t.equal((await get({ ...ASK, width: 96, height: 144 })).isPlaceholder, true)
  writeFileSync(path, poster)
  await clock.advance(2_000)
  t.equal((await get({ ...ASK, width: 96, height: 144 })).isPlaceholder, false)
})

for (const [what, bytes] of Object.entries(bad).filter(([name]) => !name.includes('fiftieth'))) {
  t.test(`${what} leaves a placeholder in the asked size, and is looked at once`, async (t) => {
    const path = join(t.testdir({ 'poster.jpg': bytes }), 'poster.jpg')
    const { clock, calls, get } = node(path, { stills: { still: async () => undefined } })
    const first = await get()
    t.match(first, { isPlaceholder: true, type: 'image/webp' })
    t.match(await sharp(first.bytes).metadata(), { width: 320, height: 480 })
    const { make } = calls
    t.strictSame(await get(), first)
    t.equal((await get({ ...ASK, width: 600, height: 900 })).isPlaceholder, true)
    t.ok(calls.make <= make + 1, 'only the neutral image is made in the other size')
    await clock.advance(5 * 60_000)
    t.equal((await get()).isPlaceholder, true)
  })
}

t.test('a broken poster beside a film gives way to an image out of the film', async (t) => {
  const { calls, get } = node(join(t.testdir({ 'poster.jpg': 'no image' }), 'poster.jpg'))
  const image = await get()
  t.match(image, { isPlaceholder: false, type: 'image/webp' })
  t.strictSame(await get(), image)
  t.equal(calls.still, 1)
})

t.test('what is no file, too large a file or no longer there leaves a placeholder', { timeout: 60_000 }, async (t) => {
  const folder = t.testdir()
  const at = (name: string) => join(folder, name)
  mkdirSync(at('folder.jpg'))
  execFileSync('mkfifo', [at('pipe.jpg')])
  symlinkSync('/dev/zero', at('zero.jpg'))
  symlinkSync(at('loop.jpg'), at('loop.jpg'))
  writeFileSync(at('large.jpg'), poster)
  truncateSync(at('large.jpg'), 21 * 1024 * 1024)
  for (const name of ['folder.jpg', 'pipe.jpg', 'zero.jpg', 'loop.jpg', 'large.jpg', 'none.jpg'])
    t.match(await node(at(name)).get(), { isPlaceholder: true, isPublic: true }, name)
})

t.test('a film without a poster shows an image out of the film', async (t) => {
  const { calls, get } = node('/nowhere')
  const still = await get(ASK, STILL)
  t.match(still, { isPlaceholder: false })
  await get(ASK, STILL)
  t.equal(calls.still, 1)
})

t.test('a film that gives none leaves a placeholder, and one that takes too long is asked for again', async (t) => {
  t.match(await node('/nowhere', { stills: { still: async () => undefined } }).get(ASK, STILL), { isPlaceholder: true })
  const begun = Promise.withResolvers<void>()
  const still = () => (begun.resolve(), new Promise<never>(() => {}))
  const { clock, images } = node('/nowhere', { stills: { still } })
  const asked = images.get(STILL, ASK, { caller: null, signal: () => AbortSignal.timeout(60_000) })
  await begun.promise
  await clock.advance(20_000)
  t.match(await asked, { refusal: 'unavailable', retryAfterSeconds: 2 })
})

t.test('too many requests at once are asked to come back later, and a disconnected client costs nothing', async (t) => {
  const busy = Promise.withResolvers<Uint8Array>()
  const begun = Promise.withResolvers<void>()
  let made = 0
  const maker = {
    ...createSharpImageMaker(),
    atOnce: 1,
    make: async () => {
      made++
      begun.resolve()
      return { bytes: await busy.promise, type: 'image/webp' } as const
    },
  }
  const { images } = node(join(t.testdir({ 'poster.jpg': poster }), 'poster.jpg'), { maker })
  const leave = new AbortController()
  const ask = (n: number, signal: AbortSignal) =>
    images.get(POSTER, { width: 96 + n, height: 3000, fit: 'cover', form: 'image/webp' }, { caller: null, signal: () => signal })
  const first = ask(0, AbortSignal.timeout(60_000))
  await begun.promise
  const second = ask(1000, leave.signal)
  second.catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 100))
  leave.abort()
  await t.rejects(second, { name: 'AbortError' })
  busy.resolve(poster)
  t.match(await first, { isPlaceholder: false })
  t.equal(made, 1)
})

t.test('a full queue is refused', async (t) => {
  const maker = { ...createSharpImageMaker(), atOnce: 1, make: () => new Promise<never>(() => {}) }
  const { clock, images } = node(join(t.testdir({ 'poster.jpg': poster }), 'poster.jpg'), { maker })
  const by = { caller: null, signal: () => AbortSignal.timeout(60_000) }
  const isQueued = whenArmed(clock, 15_000)
  // Either may be the one that is being made, and is never ready: the files are read at the same time.
  const both = [ASK, { ...ASK, width: 1000 }].map((ask) => images.get(POSTER, ask, by))
  await isQueued
  await clock.advance(15_000)
  t.match(await Promise.race(both), { refusal: 'unavailable', retryAfterSeconds: 2 })
})

t.test('who may not see the library sees none of its images', async (t) => {
  const { images } = node(join(t.testdir({ 'poster.jpg': poster }), 'poster.jpg'), {}, false)
  const signal = () => AbortSignal.timeout(60_000)
  t.match(await images.get(POSTER, ASK, { caller: null, signal }), { refusal: 'not-found' })
  t.match(await images.get(POSTER, ASK, { caller: { ...ann, role: 'user' }, signal }), { refusal: 'not-found' })
  t.match(await images.get(idOf('unknown'), ASK, { caller: admin, signal }), { refusal: 'not-found' })
  t.match(await images.get(POSTER, ASK, { caller: admin, signal }), { isPublic: false, isPlaceholder: false })
})
