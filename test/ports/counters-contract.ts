/** Tests that all counters must pass (src/ports/counters.ts), whatever stores them. */
import type { Test } from 'tap'
import type { Counters } from '../../src/ports/counters.ts'
import { createRandom } from '../fixtures/random.ts'

/** The same counters as two nodes see them. */
export interface CountersUnderTest {
  readonly counters: Counters
  readonly other: Counters
  readonly elapse: (ms: number) => Promise<void>
  readonly close: () => Promise<void>
}

const BUDGET = { max: 3, windowMs: 1000 }

export function countersContract(t: Test, make: () => Promise<CountersUnderTest>): void {
  const test = (title: string, run: (t: Test, subject: CountersUnderTest) => Promise<void>): void => {
    t.test(title, async (t) => {
      const subject = await make()
      t.teardown(subject.close)
      await run(t, subject)
    })
  }

  test('a budget can be spent and then not any more', async (t, { counters }) => {
    t.strictSame(await counters.spend('a', BUDGET), { allowed: true, remaining: 2, retryAfterMs: 0, resetAfterMs: 1000 })
    t.strictSame(await counters.spend('a', BUDGET), { allowed: true, remaining: 1, retryAfterMs: 0, resetAfterMs: 1000 })
    t.strictSame(await counters.spend('a', BUDGET), { allowed: true, remaining: 0, retryAfterMs: 1000, resetAfterMs: 1000 })
    t.strictSame(await counters.spend('a', BUDGET), { allowed: false, remaining: 0, retryAfterMs: 1000, resetAfterMs: 1000 })
  })

  test('the window slides: each spending comes back a window after it was made', async (t, { counters, elapse }) => {
    for (let spent = 0; spent < 3; spent++) {
      await counters.spend('a', BUDGET)
      await elapse(300)
    }
    t.strictSame(await counters.spend('a', BUDGET), { allowed: false, remaining: 0, retryAfterMs: 100, resetAfterMs: 700 })
    await elapse(100)
    t.strictSame(await counters.spend('a', BUDGET), { allowed: true, remaining: 0, retryAfterMs: 300, resetAfterMs: 1000 })
    t.equal((await counters.spend('a', BUDGET)).allowed, false)
  })

  test('what is refused does not count', async (t, { counters, elapse }) => {
    for (let spent = 0; spent < 3; spent++) await counters.spend('a', BUDGET)
    for (let refused = 0; refused < 9; refused++) {
      await elapse(100)
      t.equal((await counters.spend('a', BUDGET)).allowed, false)
    }
    await elapse(100)
    t.equal((await counters.spend('a', BUDGET)).allowed, true)
  })

  test('steady spending below the rate is never refused', async (t, { counters, elapse }) => {
    for (let spent = 0; spent < 40; spent++) {
      t.equal((await counters.spend('a', BUDGET)).allowed, true)
      await elapse(334)
    }
  })

  test('peek answers as spend would, and spends nothing', async (t, { counters, elapse }) => {
    for (let round = 0; round < 6; round++) {
      const peeked = await counters.peek('a', BUDGET)
      t.strictSame(await counters.peek('a', BUDGET), peeked)
      t.strictSame(await counters.spend('a', BUDGET), peeked)
      await elapse(150)
    }
  })

  test('keys have budgets of their own, which all nodes share', async (t, { counters, other }) => {
    for (let spent = 0; spent < 3; spent++) await (spent % 2 ? counters : other).spend('a', BUDGET)
    for (const one of [counters, other]) t.equal((await one.spend('a', BUDGET)).allowed, false)
    t.equal((await other.spend('b', BUDGET)).remaining, 2)
  })

  test('of many who spend at once exactly as many as the budget has are allowed', async (t, { counters, other }) => {
    const budget = { max: 10, windowMs: 60_000 }
    const all = await Promise.all(Array.from({ length: 30 }, (_, number) => (number % 2 ? counters : other).spend('a', budget)))
    t.equal(all.filter(({ allowed }) => allowed).length, 10)
  })

  test('a cleared key has its whole budget', async (t, { counters, other }) => {
    for (let spent = 0; spent < 4; spent++) await counters.spend('a', BUDGET)
    await other.clear('a')
    await other.clear('nobody')
    t.equal((await counters.spend('a', BUDGET)).remaining, 2)
  })

  test('what is given back can be spent again', async (t, { counters, other, elapse }) => {
    await counters.giveBack('nobody', BUDGET)
    t.equal((await counters.spend('nobody', BUDGET)).remaining, 2)
    for (let spent = 0; spent < 3; spent++) {
      await counters.spend('a', BUDGET)
      await elapse(100)
    }
    await other.giveBack('a', BUDGET)
    t.strictSame(await counters.spend('a', BUDGET), { allowed: true, remaining: 0, retryAfterMs: 700, resetAfterMs: 1000 })
    await counters.giveBack('a', BUDGET)
    await counters.giveBack('a', BUDGET)
    t.equal((await counters.spend('a', BUDGET)).remaining, 1)
    await elapse(2000)
    await counters.giveBack('a', BUDGET)
    t.equal((await counters.spend('a', BUDGET)).remaining, 2, 'what has left the window is no longer there to give back')
  })

  test('what is given back of many that were spent at once is exact', async (t, { counters, other }) => {
    const budget = { max: 20, windowMs: 60_000 }
    await Promise.all(Array.from({ length: 20 }, (_, number) => (number % 2 ? counters : other).spend('a', budget)))
    await Promise.all(Array.from({ length: 8 }, (_, number) => (number % 2 ? counters : other).giveBack('a', budget)))
    t.equal((await counters.peek('a', budget)).remaining, 7)
  })

  test('no window ever holds more than the budget, whatever the rhythm', async (t, { counters, elapse }) => {
    const random = createRandom(3)
    const accepted: number[] = []
    let nowMs = 0
    for (let round = 0; round < 300; round++) {
      const { allowed, retryAfterMs } = await counters.spend('a', BUDGET)
      const inWindow = accepted.filter((at) => at > nowMs - BUDGET.windowMs).length
      if (allowed !== inWindow < BUDGET.max) t.fail(`round ${round}: ${inWindow} in the window, allowed: ${allowed}`)
      if (allowed) accepted.push(nowMs)
      const passMs = !allowed && random.chance(0.5) ? retryAfterMs : random.below(500)
      await elapse(passMs)
      nowMs += passMs
    }
    t.ok(accepted.length > 100)
  })
}
