import t from 'tap'
import { createLruCache } from '../../src/concurrency/lru-cache.ts'

t.test('the longest unused goes first, and looking without using changes nothing', async (t) => {
  const recent = createLruCache<number>(2)
  recent.put('a', 1)
  recent.put('b', 2)
  t.equal(recent.get('a'), 1)
  t.equal(recent.peek('b'), 2)
  recent.put('c', 3)
  t.strictSame(
    [...recent.entries()],
    [
      ['a', 1],
      ['c', 3],
    ],
  )
})

t.test('with weights there is never more than the room, and what is heavier than all of it is not kept', async (t) => {
  const recent = createLruCache<string>(10)
  recent.put('a', 'a', 4)
  recent.put('b', 'b', 4)
  recent.put('c', 'c', 6)
  t.strictSame(
    [...recent.entries()],
    [
      ['b', 'b'],
      ['c', 'c'],
    ],
  )
  recent.put('d', 'd', 11)
  t.equal(recent.get('d'), undefined)
  t.equal(recent.get('c'), 'c')
})

t.test('a value put again takes the place and the weight of the one before', async (t) => {
  const recent = createLruCache<string>(10)
  recent.put('a', 'heavy', 9)
  recent.put('a', 'light', 1)
  recent.put('b', 'b', 9)
  t.equal(recent.get('a'), 'light')
  recent.remove('b')
  recent.put('c', 'c', 9)
  t.strictSame([...recent.entries()].length, 2)
})

t.test('cleared, it has all of its room again', async (t) => {
  const recent = createLruCache<string>(10)
  recent.put('a', 'a', 10)
  recent.clear()
  recent.put('b', 'b', 6)
  recent.put('c', 'c', 4)
  t.strictSame(
    [...recent.entries()].map(([key]) => key),
    ['b', 'c'],
  )
})

t.test('entries may be removed while they are listed', async (t) => {
  const recent = createLruCache<number>(4)
  for (const [value, key] of ['a', 'b', 'c', 'd'].entries()) recent.put(key, value)
  const seen: string[] = []
  for (const [key] of recent.entries()) {
    seen.push(key)
    recent.remove(key)
    recent.remove('c')
  }
  t.strictSame(seen, ['a', 'b', 'd'])
  t.strictSame([...recent.entries()], [])
  recent.put('e', 4)
  t.equal(recent.get('e'), 4)
})
