/**
 * Host: one process on a computer of its own, as the world sees it. It has a clock, and all that it asks of others goes over a
 * network. Paused it does nothing, and all that it missed comes at once; crashed it never does anything again.
 */
import type { Clock } from '../../src/ports/clock.ts'
import type { World } from './world.ts'

export interface Host {
  readonly name: string
  /** So much its clock is ahead of the world's. */
  readonly skewMs: number
  crashed: boolean
  paused: boolean
  /** No message reaches the bus from here, and none comes. */
  cut: boolean
  /** What the log has to tell does not come before. */
  stalledUntilMs: number
  /** When it was last paused, cut off or stalled, or the time is now. */
  unwellAtMs: number
  /** Called when it crashes. */
  readonly onCrash: Set<() => void>
  /** What fell due in a pause, in order. */
  readonly missed: { readonly host: Host | null; readonly label: string; readonly run: () => void; cancelled: boolean }[]
}

/** 2026-01-02T12:00:00.000Z at the beginning of every world. */
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

/** Whether nothing has been wrong with it for so long. */
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
 * A call of a server: the way there, the work, the way back. The work is done also where whoever asked has crashed meanwhile, since
 * the question was on its way; often all of it takes no time.
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

/** An answer that never comes: an error after so long instead. */
export function silence(world: World, host: Host, { ms, cause }: { readonly ms: number; readonly cause: Error }): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  world.later(ms, host, 'no answer', () => reject(cause))
  return promise
}
