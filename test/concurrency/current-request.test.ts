import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { currentRequest } from '../../src/concurrency/current-request.ts'

t.test('work knows its request after awaits and timers, beside that of others', async (t) => {
  const seen = await Promise.all(
    ['01A', '01B'].map((requestId) =>
      currentRequest.within(requestId, async () => {
        await sleep(1)
        return new Promise((resolve) => void setImmediate(() => resolve(currentRequest.current())))
      }),
    ),
  )
  t.strictSame(seen, ['01A', '01B'])
  t.equal(currentRequest.current(), undefined)
})

t.test('what a request only happens to start belongs to none', async (t) => {
  const seen = await currentRequest.within('01A', () => currentRequest.outside(async () => (await sleep(1), currentRequest.current())))
  t.equal(seen, undefined)
})

t.test('an id that could forge a line of the log counts as none', async (t) => {
  for (const text of ['', 'a]\n[request b', 'a b', 'a'.repeat(65)])
    t.equal(
      currentRequest.within(text, () => currentRequest.current()),
      undefined,
      JSON.stringify(text),
    )
})
