/** Tests that every segment store must pass. */
import type { Test } from 'tap'
import { INIT, type SegmentStore } from '../../src/ports/segment-store.ts'

const place = (rendition: string) => ({ source: 'a'.repeat(32), rendition: rendition.repeat(32), cost: 1 })
const nobody = () => []

/** An MP4 box, the unit of segments. */
function box(text: string): Uint8Array {
  const bytes = Buffer.from(`    mdat${text}`)
  bytes.writeUInt32BE(bytes.byteLength)
  return bytes
}

export async function segmentStoreContract(t: Test, open: (t: Test) => SegmentStore): Promise<void> {
  t.test('what was put is there at once and stays the same; what was not is undefined', async (t) => {
    const store = open(t)
    await store.ready()
    const shelf = store.open(place('b'), nobody)
    shelf.put(3, box('three'))
    shelf.put(INIT, Buffer.from('any bytes'))
    t.strictSame([shelf.has(3), shelf.has(INIT), shelf.has(4)], [true, true, false])
    t.same(await shelf.get(3), box('three'))
    t.same(await shelf.get(INIT), Buffer.from('any bytes'))
    t.equal(await shelf.get(4), undefined)
    await store.close()
  })

  t.test('renditions are apart, and a rendition that was closed is found again', async (t) => {
    const store = open(t)
    const [one, other] = [store.open(place('b'), nobody), store.open(place('c'), nobody)]
    one.put(0, box('one'))
    other.put(0, box('other'))
    one.close()
    t.same(await store.open(place('b'), nobody).get(0), box('one'))
    t.same(await other.get(0), box('other'))
    await store.close()
  })

  t.test('clearing forgets one rendition, and what is put after it is kept', async (t) => {
    const store = open(t)
    const [one, other] = [store.open(place('b'), nobody), store.open(place('c'), nobody)]
    for (const shelf of [one, other]) shelf.put(0, box('before'))
    one.clear()
    t.strictSame([one.has(0), await one.get(0), other.has(0)], [false, undefined, true])
    one.put(0, box('after'))
    t.same(await one.get(0), box('after'))
    await store.close()
  })
}
