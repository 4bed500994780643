import t from 'tap'
import { createResponseCache, type KeptAnswer } from '../../../src/http/server/response-cache.ts'

const answer = (text: string): KeptAnswer => ({ tag: '"tag"', text })

t.test('an answer is kept under its key', (t) => {
  const kept = createResponseCache(100)
  kept.put('a', answer('[1]'))
  kept.put('a', answer('[1,2]'))
  t.equal(kept.get('a')?.text, '[1,2]')
  t.equal(kept.get('b'), undefined)
  t.end()
})

t.test('what was not asked for the longest makes room', (t) => {
  const kept = createResponseCache(160)
  for (let n = 0; n < 16; n++) kept.put(`${n}`, answer('x'.repeat(10)))
  kept.get('0')
  kept.put('16', answer('x'.repeat(10)))
  kept.put('17', answer('x'.repeat(5)))
  t.equal(kept.get('1'), undefined)
  t.equal(kept.get('2'), undefined)
  t.ok(kept.get('0'))
  t.ok(kept.get('3'))
  t.ok(kept.get('17'))
  t.end()
})

t.test('one large answer does not push out all others', (t) => {
  const kept = createResponseCache(160)
  kept.put('small', answer('x'.repeat(10)))
  kept.put('large', answer('x'.repeat(11)))
  t.equal(kept.get('large'), undefined)
  t.ok(kept.get('small'))
  t.end()
})
