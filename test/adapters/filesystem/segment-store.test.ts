import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { createDiskSegmentStore, type DiskStoreOptions } from '../../../src/adapters/filesystem/segment-store.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { INIT, type RenditionCacheKey, type WatchedRange } from '../../../src/ports/segment-store.ts'

const hex = (text: string) => Buffer.from(text.padEnd(16)).toString('hex')
const placeOf = (rendition: string, cost = 100, source = 'film') => ({ source: hex(source), rendition: hex(rendition), cost })
const nobody = (): readonly WatchedRange[] => []
const BLOCK = 4096
const FOLDERS = 2 * BLOCK
const PLENTY = 1e15

/** One box, like a segment's. */
function segmentOf(text: string, sizeBytes = BLOCK): Uint8Array {
  const bytes = Buffer.alloc(sizeBytes)
  bytes.writeUInt32BE(sizeBytes)
  bytes.write(`mdat${text}`, 4)
  return bytes
}

const textOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes.subarray(8)).toString().replace(/\0+$/, '')

function room(t: Test, options: Partial<DiskStoreOptions> = {}) {
  const folder = options.folder ?? t.testdir({})
  const problems: string[] = []
  const clock = options.clock ?? createSystemClock()
  const open = (more: Partial<DiskStoreOptions> = {}) =>
    createDiskSegmentStore({
      folder,
      clock,
      budgetBytes: 1e9,
      freeBytes: async () => PLENTY,
      onError: ({ message }, level) => void (level === 'info' || problems.push(message)),
      ...options,
      ...more,
    })
  return { folder, problems, clock, open, store: open() }
}

/** Disk usage below a folder in blocks, including folders; files that disappear meanwhile do not count. */
function blocksBelow(folder: string): number {
  return entriesOf(folder).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sum + BLOCK + blocksBelow(path)
    return sum + Math.ceil((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / BLOCK) * BLOCK
  }, 0)
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000
  while (!holds() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 2))
}

const fileOf = (folder: string, { source, rendition, cost }: RenditionCacheKey, segment: number) =>
  join(folder, source, `${rendition}-${cost}`, `${segment}.m4s`)

t.test('the next process finds what this one made: the same bytes, the init segment too', async (t) => {
  const { store, open, folder } = room(t)
  const shelf = store.open(placeOf('720p'), nobody)
  shelf.put(INIT, Buffer.from('the init segment'))
  for (const segment of [0, 7, 12]) shelf.put(segment, segmentOf(`segment ${segment}`))
  t.ok(shelf.has(7), 'at once, from memory')
  t.equal(textOf(await shelf.get(7)), 'segment 7')
  await store.close()
  const path = join(folder, hex('film'), `${hex('720p')}-100`)
  t.strictSame(readdirSync(path).sort(), ['0.m4s', '12.m4s', '7.m4s', 'init'])
  t.equal(statSync(join(path, '0.m4s')).mode & 0o777, 0o600)
  const next = open()
  await next.ready()
  const again = next.open(placeOf('720p'), nobody)
  t.strictSame(
    [0, 1, 7, 12].map((segment) => again.has(segment)),
    [true, false, true, true],
  )
  t.ok(Buffer.from((await again.get(12))!).equals(segmentOf('segment 12')))
  t.equal(Buffer.from((await again.get(INIT))!).toString(), 'the init segment')
  await next.close()
})

t.test('another program of the group may send the file of a segment, once it is known to be whole', async (t) => {
  const { store, open, folder } = room(t, { isShared: true })
  const place = placeOf('720p')
  const shelf = store.open(place, nobody)
  shelf.put(7, segmentOf('segment 7'))
  t.equal(shelf.file?.(7), undefined, 'it is not written yet')
  await store.close()
  const file = { path: fileOf(folder, place, 7), sizeBytes: BLOCK }
  t.strictSame(shelf.file?.(7), file)
  const modes = [folder, dirname(dirname(file.path)), dirname(file.path), file.path].map((path) => statSync(path).mode & 0o777)
  t.strictSame(modes, [0o750, 0o750, 0o750, 0o640])
  const next = open()
  await next.ready()
  const again = next.open(place, nobody)
  t.equal(again.file?.(7), undefined, 'a crash may have cut it short')
  await again.get(7)
  t.strictSame(again.file?.(7), file, 'now this process has read it')
  t.equal(again.file?.(8), undefined)
  await next.close()
})

t.test('bytes that are lent stay what they are until they are returned, and their memory is used again then', async (t) => {
  const { store, open } = room(t)
  const large = (text: string) => segmentOf(text, 100 * BLOCK)
  const shelf = store.open(placeOf('720p'), nobody)
  for (const segment of [0, 1, 2]) shelf.put(segment, large(`segment ${segment}`))
  await store.close()
  const next = open()
  await next.ready()
  const again = next.open(placeOf('720p'), nobody)
  const returns: (() => void)[] = []
  const lent = (segment: number) => again.get(segment, (returned) => void returns.push(returned))
  const [first, second] = [await lent(0), await lent(1)]
  t.strictSame([first, second].map(textOf), ['segment 0', 'segment 1'])
  t.ok(Buffer.from(first!).equals(large('segment 0')))
  returns[0]?.()
  const third = await lent(2)
  t.strictSame([second, third].map(textOf), ['segment 1', 'segment 2'])
  t.equal(third?.buffer, first?.buffer)
  returns.forEach((returned, index) => index > 0 && returned())
  const own = await again.get(0)
  await lent(1)
  await lent(2)
  t.equal(textOf(own), 'segment 0', 'what is not lent is nobody else’s')
  await next.close()
})

t.test('what a crash has cut short or left unfinished is not given, and files of others are left alone', async (t) => {
  const { store, open, folder } = room(t)
  const shelf = store.open(placeOf('720p'), nobody)
  for (const segment of [0, 1, 2, 3]) shelf.put(segment, segmentOf('whole'))
  await store.close()
  const path = join(folder, hex('film'), `${hex('720p')}-100`)
  truncateSync(join(path, '0.m4s'), 100)
  truncateSync(join(path, '1.m4s'), 0)
  writeFileSync(join(path, '2.m4s'), Buffer.alloc(BLOCK))
  writeFileSync(join(path, '9.m4s.part'), 'half')
  writeFileSync(join(path, 'notes.txt'), 'mine')
  const next = open()
  await next.ready()
  const again = next.open(placeOf('720p'), nobody)
  t.strictSame(await Promise.all([0, 1, 2].map((segment) => again.get(segment))), [undefined, undefined, undefined])
  t.strictSame(
    [0, 1, 2, 3, 9].map((segment) => again.has(segment)),
    [false, false, false, true, false],
  )
  t.equal(textOf(await again.get(3)), 'whole')
  await next.close()
  t.strictSame(readdirSync(path).sort(), ['3.m4s', 'notes.txt'])
})

t.test('never a byte more than the budget is on disk, at any moment, restarts included', async (t) => {
  const budgetBytes = 40 * BLOCK
  // A manual clock: closing waits for the disk, however slow it is.
  const { store, open, folder } = room(t, { clock: createTestClock(), budgetBytes })
  let most = 0
  const look = setInterval(() => (most = Math.max(most, blocksBelow(folder))), 1)
  const shelves = ['a', 'b', 'c'].map((name) => store.open(placeOf(name), nobody))
  for (let segment = 0; segment < 60; segment++) {
    for (const shelf of shelves) shelf.put(segment, segmentOf('x', BLOCK * (1 + (segment % 3))))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await store.close()
  clearInterval(look)
  most = Math.max(most, blocksBelow(folder))
  t.ok(most > budgetBytes / 2 && most <= budgetBytes, `${most} of ${budgetBytes}`)
  const smaller = open({ budgetBytes: 20 * BLOCK })
  await smaller.ready()
  await smaller.close()
  t.ok(blocksBelow(folder) <= 20 * BLOCK, 'a smaller budget holds from the start')
  t.equal(smaller.usedBytes(), blocksBelow(folder), 'what it says it takes is what it takes')
  t.ok(blocksBelow(folder) > 10 * BLOCK, 'and is used')
})

t.test('empty folders that an earlier process has left give back no room that nobody counted', async (t) => {
  const { store, open, folder } = room(t, { clock: createTestClock(), budgetBytes: 20 * BLOCK })
  await store.close()
  for (let n = 0; n < 10; n++) mkdirSync(join(folder, hex('film'), `${hex(`${n}`)}-100`), { recursive: true })
  const next = open()
  await next.ready()
  const shelf = next.open(placeOf('720p'), nobody)
  for (let segment = 0; segment < 60; segment++) shelf.put(segment, segmentOf('x'))
  await next.close()
  t.ok(blocksBelow(folder) <= 20 * BLOCK, `${blocksBelow(folder) / BLOCK} blocks`)
  t.ok(blocksBelow(folder) > 10 * BLOCK, 'and it is used')
})

t.test('copies go before what was encoded, and cheap before dear where both are as old', async (t) => {
  const clock = createTestClock()
  const { store, folder } = room(t, { clock, budgetBytes: 3 * FOLDERS + 3 * BLOCK })
  const places = [0, 10, 200].map((cost) => placeOf(`cost ${cost}`, cost))
  const [copy, small, large] = places.map((place) => store.open(place, nobody))
  for (const shelf of [small!, large!, copy!]) shelf.put(0, segmentOf('first'))
  await until(() => places.every((place) => existsSync(fileOf(folder, place, 0))))
  await clock.advance(10_000)
  await copy!.get(0)
  const left = () => [copy!, small!, large!].map((shelf) => shelf.has(0))
  const makeRoomFor = async (segment: number) => {
    large!.put(segment, segmentOf('more'))
    await until(() => existsSync(fileOf(folder, places[2]!, segment)))
  }
  await makeRoomFor(1)
  t.strictSame(left(), [false, true, true], 'the copy, although it was used last')
  await makeRoomFor(2)
  t.strictSame(left(), [false, false, true])
  await store.close()
})

t.test('what a viewer is near to stays; a viewer who needs a segment next gets room before what is only near', async (t) => {
  const watched: WatchedRange[] = [{ from: 0, through: 9, next: { from: 0, through: 2 } }]
  const { store, folder } = room(t, { budgetBytes: FOLDERS + 4 * BLOCK })
  const onDisk = (segment: number) => existsSync(fileOf(folder, placeOf('720p'), segment))
  const shelf = store.open(placeOf('720p'), () => watched)
  for (const segment of [0, 1, 8, 9]) shelf.put(segment, segmentOf('near'))
  await until(() => onDisk(9))
  shelf.put(20, segmentOf('far'))
  await until(() => !shelf.has(20))
  const has = () => [0, 1, 2, 8, 9, 20].filter((segment) => shelf.has(segment))
  t.strictSame(has(), [0, 1, 8, 9], 'no room for what nobody is near to')
  shelf.put(2, segmentOf('next'))
  await until(() => onDisk(2))
  t.strictSame(has(), [0, 1, 2, 9])
  watched.length = 0
  shelf.put(20, segmentOf('far'))
  await until(() => onDisk(20))
  t.ok(has().includes(20), 'without the viewer the rest goes')
  await store.close()
})

t.test('a disk without room above the floor stores nothing, returns what it has, and reports it once', async (t) => {
  let free = PLENTY
  const clock = createTestClock()
  const { store, folder, problems } = room(t, { clock, floorBytes: 1e6, freeBytes: async () => free })
  const shelf = store.open(placeOf('720p'), nobody)
  shelf.put(0, segmentOf('first'))
  await until(() => existsSync(fileOf(folder, placeOf('720p'), 0)))
  t.ok(blocksBelow(folder) > 0)
  free = 100_000
  for (let segment = 1; segment < 5; segment++) {
    await clock.advance(31_000)
    shelf.put(segment, segmentOf('more'))
    await until(() => !shelf.has(segment))
  }
  t.strictSame(problems, ['Segments are kept in memory only: The disk is full'])
  free = PLENTY
  await clock.advance(31_000)
  shelf.put(9, segmentOf('again'))
  await store.close()
  t.ok(existsSync(join(folder, hex('film'), `${hex('720p')}-100`, '9.m4s')), 'when there is room it goes on')
})

t.test('a tenth of what is free is the most', async (t) => {
  // Free space is read once: this disk has as much after a write.
  const { store, folder } = room(t, { clock: createTestClock(), floorBytes: 0, freeBytes: async () => 200 * BLOCK })
  const shelf = store.open(placeOf('720p'), nobody)
  for (let segment = 0; segment < 60; segment++) shelf.put(segment, segmentOf('x'))
  await store.close()
  t.ok(blocksBelow(folder) <= 20 * BLOCK, `${blocksBelow(folder) / BLOCK} blocks`)
})

t.test(
  'if the folder cannot be written, nothing is stored, playback continues, and it is reported once',
  { skip: process.getuid?.() === 0 && 'root may write everywhere' },
  async (t) => {
    const folder = t.testdir({})
    chmodSync(folder, 0o500)
    const { store, problems } = room(t, { folder })
    const shelf = store.open(placeOf('720p'), nobody)
    for (let segment = 0; segment < 5; segment++) shelf.put(segment, segmentOf('x'))
    await store.close()
    t.equal(problems.length, 1)
    t.match(problems[0], /^Segments are kept in memory only: EACCES/)
  },
)

t.test('if the path is not a folder, nothing is stored, and it is reported once', async (t) => {
  const folder = join(t.testdir({}), 'a-file')
  writeFileSync(folder, '')
  const { store, problems } = room(t, { folder })
  await store.ready()
  const shelf = store.open(placeOf('720p'), nobody)
  for (let segment = 0; segment < 5; segment++) shelf.put(segment, segmentOf('x'))
  t.equal(await shelf.get(0), undefined)
  await store.close()
  t.equal(problems.length, 1)
})

t.test('a film that nobody used for a day is gone after it, one that is open stays', async (t) => {
  const clock = createTestClock({ startMs: Date.now() })
  const { store, open, folder } = room(t, { clock })
  for (const film of ['old', 'new', 'open']) {
    const shelf = store.open(placeOf('720p', 100, film), nobody)
    shelf.put(0, segmentOf(film))
    if (film !== 'open') shelf.close()
  }
  await store.close()
  const yesterday = Date.now() / 1000 - 25 * 60 * 60
  for (const film of ['old', 'open']) {
    const path = join(folder, hex(film), `${hex('720p')}-100`)
    utimesSync(join(path, '0.m4s'), yesterday, yesterday)
    utimesSync(path, yesterday, yesterday)
  }
  const next = open()
  next.open(placeOf('720p', 100, 'open'), nobody)
  await next.ready()
  await next.close()
  t.strictSame(readdirSync(folder).sort(), [hex('new'), hex('open')].sort())
})

t.test('what is forgotten is neither given nor found again', async (t) => {
  const { store, open, folder } = room(t)
  const shelf = store.open(placeOf('720p'), nobody)
  shelf.put(0, segmentOf('old'))
  shelf.put(1, segmentOf('old'))
  await until(() => existsSync(fileOf(folder, placeOf('720p'), 1)))
  shelf.put(2, segmentOf('old'))
  shelf.clear()
  t.strictSame([await shelf.get(0), await shelf.get(2)], [undefined, undefined])
  shelf.put(0, segmentOf('new'))
  await store.close()
  const next = open()
  await next.ready()
  const again = next.open(placeOf('720p'), nobody)
  t.strictSame(
    [0, 1, 2].map((segment) => again.has(segment)),
    [true, false, false],
  )
  t.equal(textOf(await again.get(0)), 'new')
  await next.close()
})

t.test('a folder that is deleted while the server runs is made again', async (t) => {
  const { store, folder } = room(t)
  const shelf = store.open(placeOf('720p'), nobody)
  // Files are written one after the other: once the second is written, the first is no longer buffered.
  for (const segment of [0, 1]) shelf.put(segment, segmentOf('first'))
  await until(() => existsSync(fileOf(folder, placeOf('720p'), 1)))
  rmSync(join(folder, hex('film')), { recursive: true })
  t.equal(await shelf.get(0), undefined, 'made again by whoever needs it')
  shelf.put(0, segmentOf('second'))
  await store.close()
  t.match(readFileSync(join(folder, hex('film'), `${hex('720p')}-100`, '0.m4s')).toString(), /second/)
})
