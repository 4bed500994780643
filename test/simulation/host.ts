/**
 * A host of a simulation: one process on one computer, with a clock and a network. A paused host does nothing, and afterwards all missed
 * events run at once. A crashed host never does anything again.
 */
import type { Clock } from '../../src/ports/clock.ts'
import type { World } from './world.ts'

export interface Host {
  readonly name: string
  /** How far its clock is ahead of the world's. */
  readonly skewMs: number
  crashed: boolean
  paused: boolean
  /** Cut off from the bus in both directions. */
  cut: boolean
  /** Events of the log are delayed until then. */
  stalledUntilMs: number
  /** When it was last paused, cut off or stalled; now, if it still is. */
  unwellAtMs: number
  /** Called when it crashes. */
  readonly onCrash: Set<() => void>
  /** Events that came due during a pause, in order. */
  readonly missed: { readonly host: Host | null; readonly label: string; readonly run: () => void; cancelled: boolean }[]
}

/** 2026-01-02T12:00:00.000Z, the start of every world. */
export const START_MS = 1_767_355_200_000

export const createHost = (name: string, skewMs: number): Host => ({
  name,
  skewMs,
  crashed: false,
  paused: false,
  cut: false,
  stalledUntilMs: 0,
  unwellAtMs: -Infinity,
  onCrash: new Set(),
  missed: [],
})

export function crash(world: World, host: Host): void {
  host.crashed = true
  host.unwellAtMs = world.now()
  for (const tell of host.onCrash) tell()
}

export function resume(world: World, host: Host): void {
  host.paused = false
  for (const { label, run, ...one } of host.missed.splice(0)) if (!one.cancelled) world.later(0, host, `${label} (late)`, run)
}

/** Whether it has had no fault for this long. */
export const isWell = (world: World, host: Host, forMs: number): boolean =>
  !host.crashed && !host.paused && !host.cut && world.now() - Math.max(host.unwellAtMs, host.stalledUntilMs) >= forMs

export function createHostClock(world: World, host: Host): Clock {
  function every(ms: number, callback: () => void): () => void {
    let stop = (): void => {}
    const arm = (): void => {
      stop = world.later(Math.max(1, ms), host, `every ${ms}`, () => {
        arm()
        callback()
      })
    }
    arm()
    return () => stop()
  }

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abort = (): void => {
      disarm()
      reject(signal?.reason)
    }
    const disarm = world.later(ms, host, `sleep ${ms}`, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    signal?.addEventListener('abort', abort, { once: true })
    return promise
  }

  return {
    now: () => Math.floor(START_MS + world.now() + host.skewMs),
    monotonic: () => world.now(),
    sleep,
    every,
    after: (ms, callback) => world.later(ms, host, `after ${ms}`, callback),
  }
}

/**
 * Calls a server: request, work, response. The work is done even if the caller has crashed meanwhile, since the request was in flight;
 * often all of it takes no time.
 */
export function callServer<Answer>(world: World, host: Host, work: () => Promise<Answer>): Promise<Answer> {
  if (world.chance(100) < world.quickness) return work()
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const back = (settle: () => void): void => void world.later(world.latencyMs(), host, 'answer', settle)
  world.later(world.latencyMs(), null, `call of ${host.name}`, () => {
    work().then(
      (answer) => back(() => resolve(answer)),
      (cause: unknown) => back(() => reject(cause)),
    )
  })
  return promise
}

/** A lost response: fails with an error after this time instead. */
export function silence(world: World, host: Host, { ms, cause }: { readonly ms: number; readonly cause: Error }): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  world.later(ms, host, 'no answer', () => reject(cause))
  return promise
}
