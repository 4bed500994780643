/** Tests that every idempotency store must pass (src/ports/idempotency-store.ts), whatever stores the outcomes. */
import type { Test } from 'tap'
import { IDEMPOTENCY_LIFE_MS, IDEMPOTENCY_RUNNING_MS, type IdempotencyStore } from '../../src/ports/idempotency-store.ts'

/** At most five keys, three of one owner. */
export interface OutcomesUnderTest {
  readonly idempotencyStore: IdempotencyStore
  readonly elapse: (ms: number) => Promise<void>
  /** Sets the system's clock forward or back. */
  readonly jump: (ms: number) => void
  readonly close: () => Promise<void>
}

const first = { fingerprint: 'f', seed: 'seed 1', owner: 'ann' }
const repeat = { fingerprint: 'f', seed: 'seed 2', owner: 'ann' }

export function outcomesContract(t: Test, make: () => Promise<OutcomesUnderTest>): void {
  const test = (title: string, run: (t: Test, subject: OutcomesUnderTest) => Promise<void>): void => {
    t.test(title, async (t) => {
      const subject = await make()
      t.teardown(subject.close)
      await run(t, subject)
    })
  }

  test('of several at once one is carried out; once it is settled, repeats are given its answer', async (t, { idempotencyStore }) => {
    const begun = await Promise.all([first, repeat, repeat].map((request) => idempotencyStore.begin('a', request)))
    t.strictSame(begun, [{ state: 'begun', seed: 'seed 1' }, { state: 'running' }, { state: 'running' }])
    await idempotencyStore.settle('a', 'made')
    t.strictSame(await idempotencyStore.begin('a', repeat), { state: 'settled', answer: 'made' })
    t.strictSame(await idempotencyStore.begin('b', repeat), { state: 'begun', seed: 'seed 2' }, 'another key has nothing to do with it')
  })

  test('a key means one request only, running or settled', async (t, { idempotencyStore }) => {
    await idempotencyStore.begin('a', first)
    t.strictSame(await idempotencyStore.begin('a', { ...first, fingerprint: 'other' }), { state: 'other' })
    await idempotencyStore.settle('a', 'made')
    t.strictSame(await idempotencyStore.begin('a', { ...first, fingerprint: 'other' }), { state: 'other' })
  })

  test('what broke off is begun again with its seed; what was refused is forgotten', async (t, { idempotencyStore }) => {
    await idempotencyStore.begin('a', first)
    await idempotencyStore.release('a')
    t.strictSame(await idempotencyStore.begin('a', repeat), { state: 'begun', seed: 'seed 1' })
    t.strictSame(await idempotencyStore.begin('a', repeat), { state: 'running' })
    await idempotencyStore.forget('a')
    t.strictSame(await idempotencyStore.begin('a', { ...first, fingerprint: 'other', seed: 'seed 3' }), { state: 'begun', seed: 'seed 3' })
  })

  test('what runs for too long has lost its node, and is begun again with its seed', async (t, { idempotencyStore, elapse }) => {
    await idempotencyStore.begin('a', first)
    await elapse(IDEMPOTENCY_RUNNING_MS - 1)
    t.strictSame(await idempotencyStore.begin('a', repeat), { state: 'running' })
    await elapse(1)
    t.strictSame(await idempotencyStore.begin('a', repeat), { state: 'begun', seed: 'seed 1' })
  })

  test('after a day a key is new', async (t, { idempotencyStore, elapse }) => {
    await idempotencyStore.begin('a', first)
    await idempotencyStore.settle('a', 'made')
    await elapse(IDEMPOTENCY_LIFE_MS - 1)
    t.strictSame(await idempotencyStore.begin('a', repeat), { state: 'settled', answer: 'made' })
    await elapse(1)
    t.strictSame(await idempotencyStore.begin('a', repeat), { state: 'begun', seed: 'seed 2' })
  })

  test('a clock that is set forward or back begins nothing again', async (t, { idempotencyStore, elapse, jump }) => {
    await idempotencyStore.begin('running', first)
    await idempotencyStore.begin('made', first)
    await idempotencyStore.settle('made', 'made')
    for (const days of [2, -4]) {
      jump(days * IDEMPOTENCY_LIFE_MS)
      await elapse(1)
      t.strictSame(await idempotencyStore.begin('running', repeat), { state: 'running' }, `${days} days`)
      t.strictSame(await idempotencyStore.begin('made', repeat), { state: 'settled', answer: 'made' })
    }
  })

  test('there are never more than so many: the oldest goes first', async (t, { idempotencyStore, elapse }) => {
    for (const [n, key] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
      await idempotencyStore.begin(key, { ...first, owner: `${n}` })
      await idempotencyStore.settle(key, key)
      await elapse(1)
    }
    t.strictSame(await idempotencyStore.begin('f', repeat), { state: 'settled', answer: 'f' })
    t.strictSame(await idempotencyStore.begin('a', repeat), { state: 'begun', seed: 'seed 2' })
  })

  test('one owner with many keys pushes out the own oldest, and nobody else’s', async (t, { idempotencyStore, elapse }) => {
    await idempotencyStore.begin('of bob', { ...first, owner: 'bob' })
    await idempotencyStore.settle('of bob', 'made')
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      await elapse(1)
      await idempotencyStore.begin(key, first)
      await idempotencyStore.settle(key, key)
    }
    t.strictSame(await idempotencyStore.begin('of bob', { ...repeat, owner: 'bob' }), { state: 'settled', answer: 'made' })
    t.strictSame(await idempotencyStore.begin('g', repeat), { state: 'settled', answer: 'g' })
    t.strictSame(await idempotencyStore.begin('a', repeat), { state: 'begun', seed: 'seed 2' })
  })
}
