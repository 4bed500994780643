/**
 * A witness goes through the log with a verification and compares its Merkle tree with what is known of the log as it was: signed
 * checkpoints, and the leaf hashes that the audit view keeps. A checkpoint finds also what was rewritten with right hashes, and an
 * end that was cut off; the leaf hashes tell which event it was.
 */
import type { StoredEvent } from '../../events/envelope.ts'
import { logEntry } from '../../events/log-entry.ts'
import { grown, leafHash, rootOf, type Hash, type Tree } from '../../events/merkle-tree.ts'

export interface LogWitness {
  /** The next event of the log; undefined for one that cannot be read. */
  add(stored: StoredEvent | undefined): Promise<void>
  /** What the checkpoints say of the events so far. */
  tree(): { readonly holds: number; readonly changedAt: number | undefined; readonly beyond: number | undefined }
  /** Checkpoints that the log was compared with, and notes of other keys. */
  notes(): { readonly compared: number; readonly skipped: number }
  /** What differs, a sentence each. */
  faults(): readonly string[]
}

export interface WitnessOptions {
  readonly checkpoints: readonly Tree[]
  /** Notes of other keys. */
  readonly skipped?: number
  /** Leaf hashes (base64) of events from a seq on, as many as are known and at most `count`. */
  readonly leaves: (seq: number, count: number) => Promise<readonly string[]>
}

interface State extends WitnessOptions {
  readonly faults: string[]
  frontier: readonly Hash[]
  size: number
  /** Size of the largest tree that was found as a checkpoint says. */
  holds: number
  /** Size of the smallest tree that is not as a checkpoint says. */
  changedAt: number | undefined
  /** Those that come next, from the seq after `size` on. */
  known: readonly string[]
  knownFrom: number
  differing: number
}

const LEAVES = 1_000
/** As many events are named one by one. */
const NAMED_MAX = 20

export function createLogWitness(options: WitnessOptions): LogWitness {
  const bySize = options.checkpoints.toSorted((a, b) => a.size - b.size)
  const state: State = {
    ...options,
    checkpoints: bySize,
    faults: [],
    frontier: [],
    size: 0,
    holds: 0,
    changedAt: undefined,
    known: [],
    knownFrom: 1,
    differing: 0,
  }
  return {
    async add(stored) {
      const leaf = stored === undefined ? leafHash('') : leafHash(logEntry(stored))
      state.frontier = grown(state.frontier, state.size, leaf)
      state.size++
      await compareLeaf(state, leaf, stored)
      for (const checkpoint of state.checkpoints) if (checkpoint.size === state.size) compareRoot(state, checkpoint)
    },
    tree() {
      const { size, holds, changedAt } = state
      const last = bySize.at(-1)
      return { holds, changedAt, beyond: last && last.size > size ? last.size : undefined }
    },
    notes: () => ({ compared: bySize.length, skipped: options.skipped ?? 0 }),
    faults() {
      const beyond = state.checkpoints.filter(({ size }) => size > state.size)
      const last = beyond.at(-1)
      const cut = last ? [`The log has ${state.size} events and had ${last.size} at a checkpoint: its end was cut off`] : []
      const more = state.differing > NAMED_MAX ? [`${state.differing - NAMED_MAX} more events are not what they were`] : []
      return [...state.faults, ...more, ...cut]
    },
  }
}

async function compareLeaf(state: State, leaf: Hash, stored: StoredEvent | undefined): Promise<void> {
  const { size: seq } = state
  if (seq >= state.knownFrom + state.known.length) {
    state.known = await state.leaves(seq, LEAVES)
    state.knownFrom = seq
  }
  const known = state.known[seq - state.knownFrom]
  if (known === undefined || known === Buffer.from(leaf).toString('base64')) return
  state.differing++
  if (state.differing > NAMED_MAX) return
  const which = stored ? ` (${stored.type} of ${stored.stream}, ${stored.metadata.at})` : ''
  state.faults.push(`Event ${seq}${which} is not what the audit log holds of it`)
}

/** After the first that differs the others differ, too. */
function compareRoot(state: State, { size, root }: Tree): void {
  if (state.changedAt !== undefined) return
  if (Buffer.compare(rootOf(state.frontier), root) === 0) {
    state.holds = size
    return
  }
  state.changedAt = size
  const since = state.holds === 0 ? '' : `; the first ${state.holds} are as they were`
  state.faults.push(`Among the first ${size} events at least one is not what it was at a checkpoint${since}`)
}
