/** Idempotency store of one process, in memory. Bounded: expired keys are dropped, and beyond the limits the oldest. */
import type { Clock } from '../../ports/clock.ts'
import {
  IDEMPOTENCY_LIFE_MS,
  IDEMPOTENCY_RUNNING_MS,
  IDEMPOTENCY_KEYS_OF_OWNER_MAX,
  type Begun,
  type IdempotencyStore,
} from '../../ports/idempotency-store.ts'
import { createSteadyNow } from '../shared/steady-now.ts'

interface Row {
  readonly fingerprint: string
  readonly seed: string
  readonly owner: string
  readonly beganAtMs: number
  /** 0: not running. */
  readonly runningAtMs: number
  readonly answer: string | null
}

const OUTCOMES_MAX = 10_000

export interface MemoryIdempotencyStoreOptions {
  readonly clock: Clock
  readonly max?: number
  readonly maxOfOwner?: number
}

export function createMemoryIdempotencyStore(options: MemoryIdempotencyStoreOptions): IdempotencyStore {
  const { clock, max = OUTCOMES_MAX, maxOfOwner = IDEMPOTENCY_KEYS_OF_OWNER_MAX } = options
  const steadyNow = createSteadyNow(clock)
  /** The oldest first. */
  const rows = new Map<string, Row>()

  function change(key: string, changed: Partial<Row>): void {
    const row = rows.get(key)
    if (row) rows.set(key, { ...row, ...changed })
  }

  function dropOld(): void {
    for (const [key, { beganAtMs }] of rows) {
      if (rows.size < max && beganAtMs + IDEMPOTENCY_LIFE_MS > steadyNow()) return
      rows.delete(key)
    }
  }

  function dropOldestOf(owner: string): void {
    const owned = [...rows].filter(([, row]) => row.owner === owner)
    for (const [key] of owned.slice(0, Math.max(0, owned.length - maxOfOwner + 1))) rows.delete(key)
  }

  return {
    async begin(key, { fingerprint, seed, owner }): Promise<Begun> {
      dropOld()
      if (!rows.has(key)) dropOldestOf(owner)
      const now = steadyNow()
      const row = rows.get(key) ?? { fingerprint, seed, owner, beganAtMs: now, runningAtMs: 0, answer: null }
      if (row.fingerprint !== fingerprint) return { state: 'other' }
      if (row.answer !== null) return { state: 'settled', answer: row.answer }
      if (row.runningAtMs > 0 && now - row.runningAtMs < IDEMPOTENCY_RUNNING_MS) return { state: 'running' }
      rows.set(key, { ...row, runningAtMs: now })
      return { state: 'begun', seed: row.seed }
    },
    settle: async (key, answer) => change(key, { answer }),
    release: async (key) => change(key, { runningAtMs: 0 }),
    forget: async (key) => void rows.delete(key),
    close: async () => {},
  }
}
