import { effect } from '@preact/signals-core'
import t from 'tap'
import { changeKept, heldSeconds, queryClient, whenSignedOut } from '../../../web/data/query-client.ts'
import { RequestFailed } from '../../../web/api/problems.ts'

t.afterEach(() => queryClient.clear())

const fail = (status: number, retryAfterSeconds?: number) => async (): Promise<never> => {
  throw new RequestFailed({ status, message: 'No', fields: {}, retryAfterSeconds })
}

t.test('changing what is kept leaves it to be asked for again if it was', async (t) => {
  queryClient.setQueryData(['a'], { n: 1 })
  queryClient.setQueryData(['b'], { n: 1 })
  await queryClient.invalidateQueries({ queryKey: ['a'] })
  const untouched = queryClient.getQueryState(['b'])
  changeKept(
    (data) => ((data as { n: number }).n === 1 ? { n: 2 } : data),
    ({ queryKey }) => queryKey[0] === 'a',
  )
  t.strictSame(queryClient.getQueryData(['a']), { n: 2 })
  t.equal(queryClient.getQueryState(['a'])?.isInvalidated, true)
  t.equal(queryClient.getQueryState(['b']), untouched)
})

t.test('an answer that does not change is not touched: it stays old if it was', async (t) => {
  queryClient.setQueryData(['a'], { n: 1 })
  await queryClient.invalidateQueries({ queryKey: ['a'] })
  const before = queryClient.getQueryState(['a'])
  changeKept((data) => data)
  t.equal(queryClient.getQueryState(['a']), before)
})

t.test('too many requests: the wait is the one that the server names, and it can be shown', async (t) => {
  const shown: boolean[] = []
  t.teardown(effect(() => void shown.push(heldSeconds() > 0)))
  const answers = [fail(429, 1), async () => 'there']
  const startMs = performance.now()
  t.equal(await queryClient.fetchQuery({ queryKey: ['busy'], queryFn: () => answers.shift()?.() }), 'there')
  t.ok(performance.now() - startMs >= 990)
  t.strictSame(shown.slice(0, 2), [false, true])
})

t.test('a problem that stays is not asked for again', async (t) => {
  let asked = 0
  await t.rejects(queryClient.fetchQuery({ queryKey: ['gone'], queryFn: () => (asked++, fail(404)()) }))
  t.equal(asked, 1)
})

t.test('an answer that the server no longer knows the caller signs out', async (t) => {
  let signedOut = 0
  whenSignedOut(() => void signedOut++)
  await t.rejects(queryClient.fetchQuery({ queryKey: ['secret'], queryFn: fail(401) }))
  await t.rejects(queryClient.fetchQuery({ queryKey: ['forbidden'], queryFn: fail(403) }))
  t.equal(signedOut, 1)
})
