/**
 * Collects garbage when the process has nothing to do. V8 collects only while something is allocated, so what a start, a scan or an evening
 * of films has left behind would stay for as long as nobody asks for anything.
 */
import { getHeapSpaceStatistics } from 'node:v8'
import type { Clock } from '../ports/clock.ts'

const LOOK_EVERY_MS = 20_000
/** Share of a core that an idle process may use. */
const IDLE_SHARE = 0.01
/** The old generation must have grown so much since the last collection, which takes some 50 ms. */
const GROWTH_MIN_BYTES = 2_000_000

export interface IdleCollectionOptions {
  readonly clock: Clock
  /** Default: a full collection; undefined unless Node was started with `--expose-gc`. */
  readonly collect?: (() => void) | undefined
  /** Processor time of all threads so far. */
  readonly cpuMs?: () => number
  readonly heapBytes?: () => number
}

/** Returns a function that ends it. */
export function collectWhenIdle({
  clock,
  collect = collectAll(),
  cpuMs = ownCpuMs,
  heapBytes = oldGeneration,
}: IdleCollectionOptions): () => void {
  if (!collect) return () => {}
  let [lastCpuMs, keptBytes] = [cpuMs(), 0]
  return clock.every(LOOK_EVERY_MS, () => {
    const now = cpuMs()
    const isIdle = now - lastCpuMs < LOOK_EVERY_MS * IDLE_SHARE
    lastCpuMs = now
    if (!isIdle || heapBytes() - keptBytes < GROWTH_MIN_BYTES) return
    collect()
    ;[lastCpuMs, keptBytes] = [cpuMs(), heapBytes()]
  })
}

function collectAll(): (() => void) | undefined {
  const { gc } = globalThis
  // The only one after which V8 gives the pages back: others leave them in its heap, half empty.
  return gc && (() => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }))
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const oldGeneration = (): number =>
  getHeapSpaceStatistics().reduce((sum, { space_name: name, space_used_size: bytes }) => (name.startsWith('new_') ? sum : sum + bytes), 0)
