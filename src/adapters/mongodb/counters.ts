/**
 * Counters in MongoDB: one budget for all nodes together, counted exactly. Concurrent callers for one key on one node share a round trip.
 * All nodes count by the server's time, as far as they have measured it, and for one key time never goes back: spendings of a node whose
 * measurement is ahead expire later by the difference. What lies further ahead counts as spent now, so a wrong clock locks nobody out for
 * longer than the window.
 *
 * An outage of MongoDB must not take the API down: each node then counts with the fallback until MongoDB answers again, so at most one
 * budget for each node. The first caller waits half a second for that, the others do not wait. Those counts are not carried over. Without a
 * fallback callers get ServerUnavailable.
 */
import { withTimeout as unlessLate } from '../../concurrency/timeout.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Budget, Counters, Spent } from '../../ports/counters.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import type { MongoConnection } from './connection.ts'
import { createCounterChains, type CounterChains } from './counter-chains.ts'
import { answer, timeOf, withOne, within, withoutNewest, type Times } from './sliding-window.ts'

export interface MongoCountersOptions {
  readonly connection: MongoConnection
  /** `now`: the server's time of day. */
  readonly clock: Clock
  readonly fallback?: Counters
}

interface Waiting {
  readonly budget: Budget
  readonly resolve: (spent: Spent) => void
  readonly reject: (error: unknown) => void
}

/** Longest wait for an answer of the server. */
const PATIENCE_MS = 500
const ASK_AGAIN_MS = 1_000
/** Pause between two groups for one key, if there was none anyway. */
const PACE_MS = 20

interface State extends MongoCountersOptions {
  /** Callers that wait for their key's round trip and join the next one. */
  readonly queues: Map<string, Waiting[]>
  away: boolean
  askedAtMs: number
  readonly chains: CounterChains
}

export function createMongoCounters(options: MongoCountersOptions): Counters {
  const { connection, clock } = options
  const chains = createCounterChains({ connection, clock, answered: (work) => answered(state, work) })
  const state: State = { ...options, queues: new Map(), away: false, askedAtMs: 0, chains }

  return {
    spend: (key, budget) =>
      shared(
        state,
        () => spendTogether(state, key, budget),
        (counters) => counters.spend(key, budget),
      ),
    peek: (key, budget) =>
      shared(
        state,
        async () => peekAt(await chains.read(key), budget, clock.now()),
        (counters) => counters.peek(key, budget),
      ),
    giveBack: (key, budget) =>
      shared(
        state,
        () => chains.change(key, budget.windowMs, (times) => (times.length > 0 ? withoutNewest(times) : undefined)),
        (counters) => counters.giveBack(key, budget),
      ),
    clear: (key) =>
      shared(
        state,
        () => chains.change(key, 0, (times) => (times.length > 0 ? [] : undefined)),
        (counters) => counters.clear(key),
      ),
  }
}

const answered = <T>({ connection, clock }: State, work: () => Promise<T>): Promise<T> =>
  connection.guarded(() => unlessLate(work(), { clock, ms: PATIENCE_MS, message: 'Too slow to count on' }))

async function askAgain(state: State): Promise<void> {
  const { clock, connection } = state
  if (clock.monotonic() - state.askedAtMs < ASK_AGAIN_MS) return
  state.askedAtMs = clock.monotonic()
  await connection.engine.check()
  state.away = false
}

/** On MongoDB, or on the fallback during an outage. */
async function shared<T>(state: State, work: () => Promise<T>, alone: (counters: Counters) => Promise<T>): Promise<T> {
  const { fallback } = state
  if (state.away && fallback) {
    askAgain(state).catch(() => {})
    return alone(fallback)
  }
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServerUnavailable) || !fallback) throw error
    state.away = true
    return alone(fallback)
  }
}

function spendTogether(state: State, key: string, budget: Budget): Promise<Spent> {
  const { queues } = state
  const { promise, resolve, reject } = Promise.withResolvers<Spent>()
  const waiting = { budget, resolve, reject }
  const queue = queues.get(key)
  if (queue) queue.push(waiting)
  else {
    queues.set(key, [waiting])
    void serve(state, key)
  }
  return promise
}

/** Serves all waiting callers, and those that arrive meanwhile. */
async function serve(state: State, key: string): Promise<void> {
  const { queues, clock } = state
  // Lets the other callers of this turn join.
  await Promise.resolve()
  for (let group = queues.get(key)?.splice(0) ?? []; group.length > 0; group = queues.get(key)?.splice(0) ?? []) {
    await serveGroup(state, key, group)
    // Under contention for this key: a node without a pause would leave no gap for the others, which must read first.
    if (queues.get(key)?.length) await clock.sleep(PACE_MS)
  }
  queues.delete(key)
}

async function serveGroup(state: State, key: string, group: readonly Waiting[]): Promise<void> {
  try {
    const spent = await spendAll(
      state,
      key,
      group.map(({ budget }) => budget),
    )
    for (const [index, one] of spent.entries()) group[index]?.resolve(one)
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}

async function spendAll({ chains, clock }: State, key: string, budgets: readonly Budget[]): Promise<readonly Spent[]> {
  let spent: readonly Spent[] = []
  const windowMs = Math.max(...budgets.map((budget) => budget.windowMs))
  await chains.change(key, windowMs, (before) => {
    const after = spendEach(before, budgets, clock.now())
    spent = after.spent
    return after.times
  })
  return spent
}

function peekAt(times: Times, budget: Budget, clockMs: number): Spent {
  const nowMs = timeOf(times, clockMs)
  return answer(within(times, budget, nowMs), budget, nowMs)
}

/** One after another. `times`: undefined if none was accepted. */
function spendEach(before: Times, budgets: readonly Budget[], clockMs: number): { spent: readonly Spent[]; times: Times | undefined } {
  const nowMs = timeOf(before, clockMs)
  let times = before
  let changed = false
  const spent = budgets.map((budget) => {
    const inside = within(times, budget, nowMs)
    const one = answer(inside, budget, nowMs)
    times = one.allowed ? withOne(inside, budget, nowMs) : times
    changed ||= one.allowed
    return one
  })
  return { spent, times: changed ? times : undefined }
}
