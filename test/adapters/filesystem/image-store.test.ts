import { mkdirSync, readdirSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createDiskImageStore, type ImageStoreOptions } from '../../../src/adapters/filesystem/image-store.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'

const keyOf = (n: number) => n.toString(16).padStart(2, '0').repeat(16)
const image = (n: number, sizeBytes = 4000) => ({ bytes: Buffer.alloc(sizeBytes, n), type: 'image/webp' as const })
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
const bytesIn = (folder: string) => filesIn(folder).reduce((sum, file) => sum + statSync(file).size, 0)

function open(folder: string, more: Partial<ImageStoreOptions> = {}) {
  const problems: string[] = []
  const store = createDiskImageStore({
    clock: createTestClock({ startMs: Date.now() }),
    folder,
    budgetBytes: 1e9,
    freeBytes: async () => 100e9,
    onError: ({ message }, level) => void (level === 'info' || problems.push(message)),
    ...more,
  })
  return { store, problems }
}

t.test('what is put is there at once, with a tag that follows from its bytes', async (t) => {
  const { store } = open(join(t.testdir(), 'images'))
  const put = store.put(keyOf(1), image(1))
  t.match(put.tag, /^[\w-]{22}$/)
  t.strictSame(await store.get(keyOf(1)), put)
  t.equal(store.put(keyOf(2), image(1)).tag, put.tag)
  t.not(store.put(keyOf(3), image(3)).tag, put.tag)
  t.equal(await store.get(keyOf(4)), undefined)
  await store.close()
})

t.test('a restart keeps what was made', async (t) => {
  const folder = join(t.testdir(), 'images')
  const before = open(folder)
  const put = before.store.put(keyOf(1), image(1))
  await before.store.close()
  const { store } = open(folder)
  t.strictSame(await store.get(keyOf(1)), put)
  await store.close()
})

t.test('the budget holds, and what was not used for longest goes first', async (t) => {
  const folder = join(t.testdir(), 'images')
  const { store } = open(folder, { budgetBytes: 10 * 4096, memoryBytes: 0 })
  for (let n = 1; n <= 10; n++) store.put(keyOf(n), image(n))
  await store.close()
  t.equal(bytesIn(folder), 10 * 4000)
  await store.get(keyOf(1))
  for (let n = 11; n <= 13; n++) store.put(keyOf(n), image(n))
  await store.close()
  t.equal(bytesIn(folder), 10 * 4000)
  t.ok(await store.get(keyOf(1)), 'it was used')
  for (const gone of [2, 3, 4]) t.equal(await store.get(keyOf(gone)), undefined)
  for (const kept of [5, 10, 11, 13]) t.ok(await store.get(keyOf(kept)))
  store.put(keyOf(99), image(99, 50_000))
  await store.close()
  t.equal(bytesIn(folder), 10 * 4000, 'what is larger than all of it pushes nothing out')
})

t.test('a smaller budget holds from the start on', async (t) => {
  const folder = join(t.testdir(), 'images')
  const before = open(folder)
  for (let n = 1; n <= 10; n++) before.store.put(keyOf(n), image(n))
  await before.store.close()
  // The seventh was used last.
  for (const file of filesIn(folder)) utimesSync(file, 1000, file.includes(keyOf(7)) ? 2000 : 1000)
  const { store } = open(folder, { budgetBytes: 3 * 4096 })
  t.ok(await store.get(keyOf(7)))
  t.equal(filesIn(folder).length, 3)
  await store.close()
})

t.test('what a crash has cut short is not sent, and what it left half written is removed', async (t) => {
  const folder = join(t.testdir(), 'images')
  const before = open(folder)
  before.store.put(keyOf(1), image(1))
  await before.store.close()
  const [file = ''] = filesIn(folder)
  truncateSync(file, 100)
  mkdirSync(join(folder, 'ab'))
  writeFileSync(join(folder, 'ab', 'half.webp.part'), 'half')
  writeFileSync(join(folder, 'notes.txt'), 'of somebody else')
  const { store } = open(folder)
  t.equal(await store.get(keyOf(1)), undefined)
  t.strictSame(filesIn(folder), [join(folder, 'notes.txt')])
  const again = store.put(keyOf(1), image(1))
  await store.close()
  t.strictSame(await open(folder).store.get(keyOf(1)), again)
})

t.test('an unwritable folder is reported once, and images are held in memory', async (t) => {
  const folder = join(t.testdir({ file: 'no folder' }), 'file', 'images')
  const { store, problems } = open(folder)
  const put = store.put(keyOf(1), image(1))
  store.put(keyOf(2), image(2))
  await store.close()
  t.strictSame(await store.get(keyOf(1)), put)
  t.equal(problems.length, 1)
  t.match(problems[0], /^Images are kept in memory only: /)
})

t.test('a full disk is reported once, and written to again when there is room', async (t) => {
  const folder = join(t.testdir(), 'images')
  const clock = createTestClock({ startMs: Date.now() })
  let freeBytes = 1e9
  const { store, problems } = open(folder, { clock, freeBytes: async () => freeBytes })
  store.put(keyOf(1), image(1))
  await store.close()
  store.put(keyOf(2), image(2))
  await store.close()
  t.strictSame(problems, ['Images are kept in memory only: The disk is full'])
  freeBytes = 100e9
  await clock.advance(31_000)
  store.put(keyOf(3), image(3))
  await store.close()
  t.equal(filesIn(folder).length, 1)
})

t.test('memory holds no more than its bytes', async (t) => {
  const folder = join(t.testdir(), 'images')
  const { store } = open(folder, { memoryBytes: 3 * 4000 })
  for (let n = 1; n <= 5; n++) store.put(keyOf(n), image(n))
  await store.close()
  for (const file of filesIn(folder)) truncateSync(file, 0)
  for (const gone of [1, 2]) t.equal(await store.get(keyOf(gone)), undefined, 'only on disk, and spoilt there')
  for (const held of [3, 4, 5]) t.ok(await store.get(keyOf(held)))
})
