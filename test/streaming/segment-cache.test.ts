import t from 'tap'
import { createMemoryCache } from '../../src/app/streaming/segment-cache.ts'

const bytes = (length: number) => new Uint8Array(length)

t.test('what was used least lately goes first, and never more is kept than the budget', async (t) => {
  const cache = createMemoryCache(30)
  cache.put('a', bytes(10))
  cache.put('b', bytes(10))
  cache.put('c', bytes(10))
  await cache.get('a')
  cache.put('d', bytes(10))
  t.strictSame(
    ['a', 'b', 'c', 'd'].map((key) => cache.has(key)),
    [true, false, true, true],
  )
  cache.put('e', bytes(25))
  t.strictSame(
    ['a', 'b', 'c', 'd', 'e'].map((key) => cache.has(key)),
    [false, false, false, false, true],
  )
})

t.test('a segment made twice is counted once, and one larger than the budget is not kept', async (t) => {
  const cache = createMemoryCache(30)
  for (let count = 0; count < 10; count++) cache.put('a', bytes(10))
  cache.put('b', bytes(20))
  t.strictSame(
    ['a', 'b'].map((key) => cache.has(key)),
    [true, true],
  )
  cache.put('c', bytes(31))
  t.strictSame(
    ['a', 'b', 'c'].map((key) => cache.has(key)),
    [true, true, false],
  )
  t.equal(await cache.get('c'), undefined)
})
