import t, { type Test } from 'tap'
import { walkFilesForTask, type BackgroundFiles, type FileTask } from '../../../src/app/tasks/file-walk.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const ALIEN = '/films/Alien (1979).mkv'
const BRAZIL = '/series/Brazil (1985).mkv'

interface Changed extends Partial<BackgroundFiles> {
  /** Each film takes until this settles. */
  readonly taking?: Promise<void>
}

/**
 * Processes films until the test ends. Returns a function that advances the time until this many were processed, and returns their paths.
 */
function start(t: Test, node: NodeFixture, { taking = Promise.resolve(), ...changed }: Changed = {}) {
  const { access, readModels, readYourWrites, mediaFiles: media } = node
  const taken: string[] = []
  const stopping = new AbortController()
  const task: FileTask = {
    isKept: async () => false,
    async make({ path }) {
      taken.push(path)
      await taking
    },
  }
  const ended = walkFilesForTask({ access, readModels, readYourWrites, log: node.cluster.log, media, ...changed }, task, stopping.signal)
  t.teardown(async () => {
    stopping.abort(new Error('enough'))
    await ended.catch((cause: unknown) => t.match(cause, { message: 'enough' }))
  })
  return async function until(count: number): Promise<readonly string[]> {
    for (let turn = 0; turn < 200 && taken.length < count; turn++) await node.clock.advance(10)
    await node.clock.advance(100)
    return taken.splice(0)
  }
}

t.test('a film that the views do not hold yet at the start is not passed over', async (t) => {
  const node = await openNodeFixture(t)
  node.mediaFiles.put(ALIEN)
  await node.scan(await node.newLibrary('/films'))
  const { files } = node.readModels
  let isBehind = true
  const behind = { ...files, walk: ((...asked) => (isBehind ? nothing() : files.walk(...asked))) satisfies typeof files.walk }
  const waitFor = async () => void (isBehind = false)
  const until = start(t, node, { readModels: { files: behind }, readYourWrites: { waitFor } })
  t.strictSame(await until(1), [ALIEN])
})

t.test('films of a library that was removed are left alone until it is back', async (t) => {
  const node = await openNodeFixture(t)
  const { caller } = await node.person({ role: 'admin' })
  for (const path of [ALIEN, BRAZIL]) node.mediaFiles.put(path)
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  await node.scan(await node.newLibrary('/series'))
  t.equal(await node.libraries.remove(caller, libraryId, ORIGIN), undefined)
  const until = start(t, node)
  t.strictSame(await until(1), [BRAZIL])
  allowed(await node.libraries.restore(caller, libraryId, ORIGIN))
  t.ok((await until(1)).includes(ALIEN))
})

t.test('films whose drive was away at the start are taken once it is back', async (t) => {
  const node = await openNodeFixture(t)
  node.mediaFiles.put(ALIEN)
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  node.mediaFiles.setHealth('/films', { available: false, reason: 'missing' })
  await node.scan(libraryId)
  const until = start(t, node)
  t.strictSame(await until(1), [], 'no program is started for a film that cannot be read')
  node.mediaFiles.setHealth('/films', { available: true, device: 1, empty: false })
  await node.scan(libraryId)
  t.strictSame(await until(1), [ALIEN])
})

t.test('a drive that has come back many times while films were read brings its films once more', async (t) => {
  const node = await openNodeFixture(t)
  for (const path of [ALIEN, BRAZIL]) node.mediaFiles.put(path)
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  await node.scan(await node.newLibrary('/series'))
  const { promise, resolve } = Promise.withResolvers<void>()
  const until = start(t, node, { taking: promise })
  const first = await until(1)
  for (let times = 0; times < 4; times++) {
    node.mediaFiles.setHealth('/films', { available: false, reason: 'missing' })
    await node.scan(libraryId)
    node.mediaFiles.setHealth('/films', { available: true, device: 1, empty: false })
    await node.scan(libraryId)
  }
  resolve()
  const all = [...first, ...(await until(2))]
  t.strictSame(all.toSorted(), [ALIEN, ALIEN, BRAZIL], 'at the start, and once more')
  t.equal((await node.events()).filter(({ type }) => type === 'LibraryCameOnline').length, 4)
})

t.test('a film that was not at its place is taken once it is found again', async (t) => {
  const node = await openNodeFixture(t)
  const other = '/films/Brazil (1985)/Brazil (1985).mkv'
  for (const path of [ALIEN, other]) node.mediaFiles.put(path)
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  node.mediaFiles.remove(ALIEN)
  await node.scan(libraryId)
  const until = start(t, node)
  t.strictSame(await until(1), [other])
  node.mediaFiles.put(ALIEN)
  await node.scan(libraryId)
  t.strictSame(await until(1), [ALIEN])
})

t.test('a film that was replaced after its scan waits for the next one', async (t) => {
  const node = await openNodeFixture(t)
  node.mediaFiles.put(ALIEN)
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  node.mediaFiles.put(ALIEN, { sizeBytes: 12_345, modifiedAtMs: 1_000 })
  const until = start(t, node)
  t.strictSame(await until(1), [])
  await node.scan(libraryId)
  t.strictSame(await until(1), [ALIEN])
})

async function* nothing(): AsyncGenerator<never> {}
