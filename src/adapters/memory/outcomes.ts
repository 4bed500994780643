/** Outcomes of one process, in memory. Bounded: those whose time has passed are dropped, and beyond `max` the oldest. */
import type { Clock } from '../../ports/clock.ts'
import { OUTCOME_LIFE_MS, OUTCOME_RUNNING_MS, type Begun, type Outcomes } from '../../ports/outcomes.ts'

interface Row {
  readonly fingerprint: string
  readonly seed: string
  readonly beganAtMs: number
  /** 0: nobody is at it. */
  readonly runningAtMs: number
  readonly answer: string | null
}

const OUTCOMES_MAX = 10_000

export function createMemoryOutcomes({ clock, max = OUTCOMES_MAX }: { readonly clock: Clock; readonly max?: number }): Outcomes {
  /** The oldest first. */
  const rows = new Map<string, Row>()

  function change(key: string, changed: Partial<Row>): void {
    const row = rows.get(key)
    if (row) rows.set(key, { ...row, ...changed })
  }

  function dropOld(): void {
    for (const [key, { beganAtMs }] of rows) {
      if (rows.size < max && beganAtMs + OUTCOME_LIFE_MS > clock.now()) return
      rows.delete(key)
    }
  }

  return {
    async begin(key, { fingerprint, seed }): Promise<Begun> {
      dropOld()
      const now = clock.now()
      const row = rows.get(key) ?? { fingerprint, seed, beganAtMs: now, runningAtMs: 0, answer: null }
      if (row.fingerprint !== fingerprint) return { state: 'other' }
      if (row.answer !== null) return { state: 'settled', answer: row.answer }
      if (row.runningAtMs > 0 && now - row.runningAtMs < OUTCOME_RUNNING_MS) return { state: 'running' }
      rows.set(key, { ...row, runningAtMs: now })
      return { state: 'begun', seed: row.seed }
    },
    settle: async (key, answer) => change(key, { answer }),
    release: async (key) => change(key, { runningAtMs: 0 }),
    forget: async (key) => void rows.delete(key),
    close: async () => {},
  }
}
