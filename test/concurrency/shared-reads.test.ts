import t from 'tap'
import { createSharedReads } from '../../src/concurrency/shared-reads.ts'

/** Reads that end when the test says so. */
function openReads() {
  const begun: PromiseWithResolvers<number>[] = []
  const reads = createSharedReads<number>()
  const ask = (key = 'a') =>
    reads.read(key, () => {
      const read = Promise.withResolvers<number>()
      begun.push(read)
      return read.promise
    })
  return { begun, ask }
}

t.test('all who ask while a read runs share the next one, and nobody gets a value from before it asked', async (t) => {
  const { begun, ask } = openReads()
  const first = ask()
  const later = [ask(), ask(), ask()]
  const other = ask('b')
  t.equal(begun.length, 2, 'one of each key')
  begun[0]?.resolve(1)
  t.equal(await first, 1)
  await new Promise(setImmediate)
  t.equal(begun.length, 3)
  begun[2]?.resolve(2)
  t.strictSame(await Promise.all(later), [2, 2, 2])
  begun[1]?.resolve(9)
  t.equal(await other, 9)
  await new Promise(setImmediate)
  const last = ask()
  begun[3]?.resolve(3)
  t.equal(await last, 3)
})

t.test('a read that fails does not fail those who share the next', async (t) => {
  const { begun, ask } = openReads()
  const first = ask()
  const second = ask()
  begun[0]?.reject(new Error('away'))
  await t.rejects(first, { message: 'away' })
  await new Promise(setImmediate)
  begun[1]?.resolve(2)
  t.equal(await second, 2)
})
