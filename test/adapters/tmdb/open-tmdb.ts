/** The adapter over a fake provider's server, on a clock that advances only while the adapter waits for it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Test } from 'tap'
import { createDiskImageStore } from '../../../src/adapters/filesystem/image-store.ts'
import { createTestClock, type TestClock } from '../../../src/adapters/memory/clock.ts'
import { createTmdb, type TmdbOptions } from '../../../src/adapters/tmdb/tmdb.ts'
import type { OnlineMetadata } from '../../../src/ports/online-metadata.ts'
import { startTmdb, TMDB_KEY, type TmdbOptions as ServerOptions, type TmdbServer } from '../../fakes/tmdb.ts'

export interface Opened {
  readonly server: TmdbServer
  readonly online: OnlineMetadata
  readonly clock: PatientClock
  /** Folder of cached responses and images. */
  readonly folder: string
  readonly problems: readonly string[]
  /** The same folder and server, like after a restart. */
  reopen(this: void, more?: Partial<TmdbOptions>): Promise<OnlineMetadata>
}

export interface PatientClock extends TestClock {
  /** The sleeps, in order. */
  readonly slept: readonly number[]
  /** The outcome; the clock advances whenever only time is waited for. */
  settled<Value>(promise: Promise<Value>): Promise<Value>
}

const LOOK_EVERY_MS = 2
const GIVE_UP_MS = 30_000

export const never = (): AbortSignal => new AbortController().signal

export async function openTmdb(t: Test, given: ServerOptions & { readonly more?: Partial<TmdbOptions> } = {}): Promise<Opened> {
  const server = await startTmdb(t, given)
  const clock = createPatientClock()
  const folder = t.testdir()
  const problems: string[] = []
  const onError = ({ message }: Error): void => void problems.push(message)
  const stores: { close(): Promise<void> }[] = []
  t.teardown(async () => Promise.all(stores.map((store) => store.close())))

  function open(more: Partial<TmdbOptions> = {}): OnlineMetadata {
    const place = { clock, folder: `${folder}/images`, budgetBytes: 1e8, memoryBytes: 0, freeBytes: async () => 1e12, onError }
    const images = createDiskImageStore(place)
    stores.push(images)
    return createTmdb({ key: TMDB_KEY, url: server.url, folder: `${folder}/answers`, images, clock, onError, ...given.more, ...more })
  }

  return {
    server,
    online: open(),
    clock,
    folder,
    problems,
    async reopen(more) {
      await Promise.all(stores.map((store) => store.close()))
      return open(more)
    },
  }
}

export function createPatientClock(): PatientClock {
  const clock = createTestClock({ startMs: Date.now() })
  const slept: number[] = []
  const sleeping = new Map<symbol, number>()

  async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const own = Symbol('sleep')
    slept.push(ms)
    sleeping.set(own, clock.monotonic() + ms)
    await clock.sleep(ms, signal).finally(() => sleeping.delete(own))
  }

  return {
    ...clock,
    sleep,
    slept,
    async settled(promise) {
      const state = { isSettled: false }
      const end = (): void => void (state.isSettled = true)
      promise.then(end, end)
      for (const deadline = Date.now() + GIVE_UP_MS; !state.isSettled && Date.now() < deadline;) {
        const due = Math.min(...sleeping.values())
        if (Number.isFinite(due)) await clock.advance(due - clock.monotonic())
        else await pause(LOOK_EVERY_MS)
      }
      return promise
    },
  }
}

/** Real time, for results that depend on a socket. */
export async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + GIVE_UP_MS; !holds();) {
    if (Date.now() > deadline) throw new Error('It did not come to that')
    await pause(LOOK_EVERY_MS)
  }
}
