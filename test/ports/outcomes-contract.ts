/** What all outcomes promise (src/ports/outcomes.ts), whatever keeps them. */
import type { Test } from 'tap'
import { OUTCOME_LIFE_MS, OUTCOME_RUNNING_MS, type Outcomes } from '../../src/ports/outcomes.ts'

/** At most five keys, three of one owner. */
export interface OutcomesUnderTest {
  readonly outcomes: Outcomes
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

  test('of several at once one is carried out; once it is settled, repeats are given its answer', async (t, { outcomes }) => {
    const begun = await Promise.all([first, repeat, repeat].map((request) => outcomes.begin('a', request)))
    t.strictSame(begun, [{ state: 'begun', seed: 'seed 1' }, { state: 'running' }, { state: 'running' }])
    await outcomes.settle('a', 'made')
    t.strictSame(await outcomes.begin('a', repeat), { state: 'settled', answer: 'made' })
    t.strictSame(await outcomes.begin('b', repeat), { state: 'begun', seed: 'seed 2' }, 'another key has nothing to do with it')
  })

  test('a key means one request only, running or settled', async (t, { outcomes }) => {
    await outcomes.begin('a', first)
    t.strictSame(await outcomes.begin('a', { ...first, fingerprint: 'other' }), { state: 'other' })
    await outcomes.settle('a', 'made')
    t.strictSame(await outcomes.begin('a', { ...first, fingerprint: 'other' }), { state: 'other' })
  })

  test('what broke off is begun again with its seed; what was refused is forgotten', async (t, { outcomes }) => {
    await outcomes.begin('a', first)
    await outcomes.release('a')
    t.strictSame(await outcomes.begin('a', repeat), { state: 'begun', seed: 'seed 1' })
    t.strictSame(await outcomes.begin('a', repeat), { state: 'running' })
    await outcomes.forget('a')
    t.strictSame(await outcomes.begin('a', { ...first, fingerprint: 'other', seed: 'seed 3' }), { state: 'begun', seed: 'seed 3' })
  })

  test('what runs for too long has lost its node, and is begun again with its seed', async (t, { outcomes, elapse }) => {
    await outcomes.begin('a', first)
    await elapse(OUTCOME_RUNNING_MS - 1)
    t.strictSame(await outcomes.begin('a', repeat), { state: 'running' })
    await elapse(1)
    t.strictSame(await outcomes.begin('a', repeat), { state: 'begun', seed: 'seed 1' })
  })

  test('after a day a key is new', async (t, { outcomes, elapse }) => {
    await outcomes.begin('a', first)
    await outcomes.settle('a', 'made')
    await elapse(OUTCOME_LIFE_MS - 1)
    t.strictSame(await outcomes.begin('a', repeat), { state: 'settled', answer: 'made' })
    await elapse(1)
    t.strictSame(await outcomes.begin('a', repeat), { state: 'begun', seed: 'seed 2' })
  })

  test('a clock that is set forward or back begins nothing again', async (t, { outcomes, elapse, jump }) => {
    await outcomes.begin('running', first)
    await outcomes.begin('made', first)
    await outcomes.settle('made', 'made')
    for (const days of [2, -4]) {
      jump(days * OUTCOME_LIFE_MS)
      await elapse(1)
      t.strictSame(await outcomes.begin('running', repeat), { state: 'running' }, `${days} days`)
      t.strictSame(await outcomes.begin('made', repeat), { state: 'settled', answer: 'made' })
    }
  })

  test('there are never more than so many: the oldest goes first', async (t, { outcomes, elapse }) => {
    for (const [n, key] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
      await outcomes.begin(key, { ...first, owner: `${n}` })
      await outcomes.settle(key, key)
      await elapse(1)
    }
    t.strictSame(await outcomes.begin('f', repeat), { state: 'settled', answer: 'f' })
    t.strictSame(await outcomes.begin('a', repeat), { state: 'begun', seed: 'seed 2' })
  })

  test('one owner with many keys pushes out the own oldest, and nobody else’s', async (t, { outcomes, elapse }) => {
    await outcomes.begin('of bob', { ...first, owner: 'bob' })
    await outcomes.settle('of bob', 'made')
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      await elapse(1)
      await outcomes.begin(key, first)
      await outcomes.settle(key, key)
    }
    t.strictSame(await outcomes.begin('of bob', { ...repeat, owner: 'bob' }), { state: 'settled', answer: 'made' })
    t.strictSame(await outcomes.begin('g', repeat), { state: 'settled', answer: 'g' })
    t.strictSame(await outcomes.begin('a', repeat), { state: 'begun', seed: 'seed 2' })
  })
}
