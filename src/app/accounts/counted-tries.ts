/** Counts tries at a secret before they are checked, so that many at once are no more than one after another. */
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Budget, Counters, Spent } from '../../ports/counters.ts'

export interface Tries {
  readonly key: string
  /** Wrong tries. */
  readonly budget: Budget
  /** What somebody reads who has used the budget up. */
  readonly locked: string
  /** After a right try: the wrong ones before it are forgotten, or only this one does not count. */
  readonly onRight: 'clear' | 'giveBack'
}

/** Whether it is right. A try that cannot be checked does not count. Refusal: `too-many`. */
export async function countTry(counters: Counters, tries: Tries, isRight: () => Promise<boolean>): Promise<boolean | Refusal> {
  const { key, budget, locked, onRight } = tries
  const spent = await counters.spend(key, budget)
  if (!spent.allowed) return tooMany(locked, spent)
  let right: boolean
  try {
    right = await isRight()
  } catch (cause) {
    await counters.giveBack(key, budget)
    throw cause
  }
  if (right) await (onRight === 'clear' ? counters.clear(key) : counters.giveBack(key, budget))
  return right
}

export const tooMany = (message: string, { retryAfterMs }: Spent): Refusal =>
  refuse('too-many', message, { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) })
