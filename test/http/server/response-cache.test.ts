import t from 'tap'
import { createResponseCache } from '../../../src/http/server/response-cache.ts'

t.test('an answer is kept under its tag', (t) => {
  const kept = createResponseCache(100)
  kept.put('W/"a"', '[1]')
  kept.put('W/"a"', '[1,2]')
  t.equal(kept.get('W/"a"'), '[1,2]')
  t.equal(kept.get('W/"b"'), undefined)
  t.end()
})

t.test('what was not asked for the longest makes room', (t) => {
  const kept = createResponseCache(160)
  for (let n = 0; n < 16; n++) kept.put(`${n}`, 'x'.repeat(10))
  kept.get('0')
  kept.put('16', 'x'.repeat(10))
  kept.put('17', 'x'.repeat(5))
  t.equal(kept.get('1'), undefined)
  t.equal(kept.get('2'), undefined)
  t.ok(kept.get('0'))
  t.ok(kept.get('3'))
  t.ok(kept.get('17'))
  t.end()
})

t.test('one large answer does not push out all others', (t) => {
  const kept = createResponseCache(160)
  kept.put('small', 'x'.repeat(10))
  kept.put('large', 'x'.repeat(11))
  t.equal(kept.get('large'), undefined)
  t.ok(kept.get('small'))
  t.end()
})
