/** A manual clock for tests: time passes only when the test advances it. */
import type { Clock } from '../../ports/clock.ts'

export interface TestClock extends Clock {
  /** Advances by so many milliseconds: fires due timers in order, letting promises settle after each. */
  advance(ms: number): Promise<void>
  /** Lets promises and immediates settle without time passing. */
  settle(): Promise<void>
  /** Time passes while the process is suspended: nothing fires, not even timers that fall due, until time is advanced. */
  pause(ms: number): void
  /** Changes the time of day only, as an administrator or a time server would. */
  setNow(ms: number): void
}

interface Timer {
  dueMs: number
  readonly order: number
  readonly callback: () => void
  /** 0 for a timer that fires once. */
  readonly everyMs: number
}

/** 2026-01-02T12:00:00.000Z */
const START_MS = 1_767_355_200_000
/** Turns of the event loop in which promises settle: enough for a chain over a bus and back. */
const SETTLE_TURNS = 5

export function createTestClock({ startMs = START_MS }: { readonly startMs?: number } = {}): TestClock {
  const timers = new Set<Timer>()
  let elapsedMs = 0
  let offsetMs = startMs
  let order = 0

  function arm(ms: number, callback: () => void, everyMs = 0): () => void {
    const timer = { dueMs: elapsedMs + Math.max(0, ms), order: order++, callback, everyMs }
    timers.add(timer)
    return () => void timers.delete(timer)
  }

  function fire(timer: Timer): void {
    elapsedMs = Math.max(elapsedMs, timer.dueMs)
    if (timer.everyMs > 0) timer.dueMs += timer.everyMs
    else timers.delete(timer)
    timer.callback()
  }

  async function advance(ms: number): Promise<void> {
    const untilMs = elapsedMs + ms
    await settle()
    for (let due = firstDue(timers, untilMs); due; due = firstDue(timers, untilMs)) {
      fire(due)
      await settle()
    }
    elapsedMs = untilMs
  }

  return {
    now: () => offsetMs + elapsedMs,
    monotonic: () => elapsedMs,
    sleep: (ms, signal) => sleepOn(arm, ms, signal),
    after: (ms, callback) => arm(ms, callback),
    every: (ms, callback) => arm(ms, callback, Math.max(1, ms)),
    advance,
    settle,
    pause: (ms) => void (elapsedMs += ms),
    setNow: (ms) => void (offsetMs = ms - elapsedMs),
  }
}

function firstDue(timers: ReadonlySet<Timer>, untilMs: number): Timer | undefined {
  let first: Timer | undefined
  for (const timer of timers) {
    if (timer.dueMs > untilMs) continue
    if (!first || timer.dueMs < first.dueMs || (timer.dueMs === first.dueMs && timer.order < first.order)) first = timer
  }
  return first
}

function sleepOn(arm: (ms: number, callback: () => void) => () => void, ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  if (signal?.aborted) reject(signal.reason)
  else {
    const abort = (): void => {
      disarm()
      reject(signal?.reason)
    }
    const disarm = arm(ms, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    signal?.addEventListener('abort', abort, { once: true })
  }
  return promise
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < SETTLE_TURNS; turn++) await new Promise((resolve) => setImmediate(resolve))
}
