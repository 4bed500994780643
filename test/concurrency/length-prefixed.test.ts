import t from 'tap'
import { pack, packedSize, unpack } from '../../src/concurrency/length-prefixed.ts'

t.test('what was packed comes out as it was', async (t) => {
  for (const contents of [[], [Buffer.alloc(0)], [Buffer.from('one'), Buffer.alloc(70_000, 7), Buffer.alloc(0), Buffer.from([0])]]) {
    const bytes = pack(contents)
    t.equal(bytes.byteLength, packedSize(contents))
    t.strictSame(
      unpack(bytes, 10)?.map((content) => Buffer.from(content).toString('hex')),
      contents.map((one) => one.toString('hex')),
    )
  }
})

t.test('what was packed by nobody is none, and neither is more than was expected', async (t) => {
  t.equal(unpack(Buffer.from('nonsense'), 10), undefined)
  t.equal(unpack(Buffer.from([0, 0, 0]), 10), undefined)
  t.equal(unpack(pack([Buffer.from('cut off')]).subarray(0, 9), 10), undefined)
  t.equal(unpack(pack([Buffer.from('1'), Buffer.from('2'), Buffer.from('3')]), 2), undefined)
})
