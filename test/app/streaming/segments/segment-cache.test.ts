import t from 'tap'
import { packInit, unpackInit } from '../../../../src/app/streaming/segments/init-record.ts'
import { createSegmentCache } from '../../../../src/app/streaming/segments/segment-cache.ts'
import type { SegmentStore } from '../../../../src/ports/segment-store.ts'

const bytes = (length: number) => new Uint8Array(length)
const nobody = () => []
const place = (rendition: string) => ({ source: 'film', rendition, cost: 1 })

/** A store that keeps everything, and counts its reads. */
function createStore() {
  const kept = new Map<string, Uint8Array>()
  const seen = { reads: 0, closed: 0 }
  const store: SegmentStore = {
    ready: async () => undefined,
    open: ({ rendition }) => ({
      has: (segment) => kept.has(`${rendition}/${segment}`),
      async get(segment) {
        seen.reads++
        return kept.get(`${rendition}/${segment}`)
      },
      put: (segment, bytes) => void kept.set(`${rendition}/${segment}`, bytes),
      clear: () => kept.clear(),
      close: () => void seen.closed++,
    }),
    usedBytes: () => 0,
    close: async () => undefined,
  }
  return { store, seen }
}

t.test('what was used least lately goes first, and never more is kept than the budget', async (t) => {
  const renditionCache = createSegmentCache({ memoryBytes: 30 }).open(place('a'), nobody)
  for (const segment of [0, 1, 2]) renditionCache.put(segment, bytes(10))
  await renditionCache.get(0)
  renditionCache.put(3, bytes(10))
  t.strictSame(
    [0, 1, 2, 3].map((segment) => renditionCache.has(segment)),
    [true, false, true, true],
  )
  renditionCache.put(4, bytes(25))
  t.strictSame(
    [0, 1, 2, 3, 4].map((segment) => renditionCache.has(segment)),
    [false, false, false, false, true],
  )
})

t.test('a segment made twice is counted once, and one larger than the budget is not kept', async (t) => {
  const renditionCache = createSegmentCache({ memoryBytes: 30 }).open(place('a'), nobody)
  for (let count = 0; count < 10; count++) renditionCache.put(0, bytes(10))
  renditionCache.put(1, bytes(20))
  t.strictSame([renditionCache.has(0), renditionCache.has(1)], [true, true])
  renditionCache.put(2, bytes(31))
  t.strictSame([renditionCache.has(0), renditionCache.has(1), renditionCache.has(2)], [true, true, false])
  t.equal(await renditionCache.get(2), undefined)
})

t.test('what memory lost is read from the store, once, and is the same', async (t) => {
  const { store, seen } = createStore()
  const renditionCache = createSegmentCache({ memoryBytes: 20, store }).open(place('a'), nobody)
  const first = Buffer.from('first bytes')
  renditionCache.put(0, first)
  renditionCache.put(1, bytes(15))
  t.ok(renditionCache.has(0))
  t.strictSame([await renditionCache.get(0), await renditionCache.get(0)], [first, first])
  t.equal(seen.reads, 1)
})

t.test('what the store lends is in memory from the second time, as a copy', async (t) => {
  const { store, seen } = createStore()
  createSegmentCache({ memoryBytes: 0, store }).open(place('a'), nobody).put(0, Buffer.from('lent'))
  const renditionCache = createSegmentCache({ memoryBytes: 20, store }).open(place('a'), nobody)
  const lent = await renditionCache.get(0, () => undefined)
  t.equal(await renditionCache.get(0, () => undefined), lent)
  t.equal(seen.reads, 2)
  lent?.fill(0)
  t.equal(Buffer.from((await renditionCache.get(0, () => undefined))!).toString(), 'lent')
  t.equal(seen.reads, 2)
})

t.test('what is read once only, or again after more than memory holds, takes no place in memory', async (t) => {
  const { store, seen } = createStore()
  const made = createSegmentCache({ memoryBytes: 0, store }).open(place('a'), nobody)
  for (let segment = 0; segment < 4; segment++) made.put(segment, bytes(10))
  made.put(9, bytes(31))
  const renditionCache = createSegmentCache({ memoryBytes: 30, store }).open(place('a'), nobody)
  renditionCache.put(7, bytes(30))
  for (const segment of [0, 1, 2, 3, 0, 1, 2, 3, 9, 9, 9]) await renditionCache.get(segment, () => undefined)
  t.equal(seen.reads, 11)
  await renditionCache.get(7, () => undefined)
  t.equal(seen.reads, 11, 'still in memory')
})

t.test('renditions share the memory and keep apart what is theirs', async (t) => {
  const { store, seen } = createStore()
  const cache = createSegmentCache({ memoryBytes: 100, store })
  const [one, other] = [cache.open(place('a'), nobody), cache.open(place('b'), nobody)]
  one.put(0, Buffer.from('of a'))
  other.put(0, Buffer.from('of b'))
  t.equal(Buffer.from((await one.get(0))!).toString(), 'of a')
  other.clear()
  t.strictSame([one.has(0), other.has(0)], [true, false])
  one.close()
  t.equal(seen.closed, 1)
})

t.test('an init segment is kept with its codec string', async (t) => {
  const init = { codec: 'avc1.640028', bytes: Buffer.from('moov\n\0') }
  t.strictSame(unpackInit(packInit(init)), init)
  t.equal(unpackInit(Buffer.from('no line break')), undefined)
})
