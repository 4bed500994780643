import t from 'tap'
import { createResponseCache, type KeptAnswer, type ResponseCache } from '../../../src/http/server/response-cache.ts'

const answer = (text: string): KeptAnswer => ({ tag: '"tag"', text })

t.test('an answer is kept under its key', (t) => {
  const kept = createResponseCache(100)
  kept.put('a', answer('[1]'))
  kept.put('a', answer('[1,2]'))
  t.equal(kept.get('a')?.text, '[1,2]')
  t.equal(kept.get('b'), undefined)
  t.end()
})

/** An answer that is kept for long. */
function putTwice(kept: ResponseCache, key: string, length: number): void {
  for (let n = 0; n < 2; n++) kept.put(key, answer('x'.repeat(length)))
}

t.test('what was not asked for the longest makes room', (t) => {
  const kept = createResponseCache(160)
  for (let n = 0; n < 16; n++) putTwice(kept, `${n}`, 10)
  kept.get('0')
  putTwice(kept, '16', 10)
  putTwice(kept, '17', 5)
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

t.test('what is asked for once leaves soon, and what is asked for again stays', (t) => {
  const kept = createResponseCache()
  const others = (name: string) => {
    for (let n = 0; n < 100; n++) kept.put(`${name} ${n}`, answer('other'))
  }
  for (const key of ['once', 'got', 'put']) kept.put(key, answer(key))
  t.equal(kept.get('got')?.text, 'got', 'at once it is there')
  others('before')
  t.equal(kept.get('once'), undefined)
  t.equal(kept.get('put'), undefined)
  kept.put('put', answer('put'))
  others('after')
  t.equal(kept.get('got')?.text, 'got')
  t.equal(kept.get('put')?.text, 'put')
  t.end()
})
