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
  tree(): WitnessState
  /** Call it after the last event: looks whether more was known. */
  finish(): Promise<void>
  /** Checkpoints that the log was compared with, and notes of other keys. */
  notes(): { readonly compared: number; readonly skipped: number }
  /** What differs, a sentence each. */
  faults(): readonly string[]
}

export interface WitnessState {
  /** Size of the largest tree that was found as a checkpoint says. */
  readonly holds: number
  /** Size of the smallest tree that is not as a checkpoint says. */
  readonly changedAt: number | undefined
  /** Size of the largest tree that is known, if it is beyond the end. */
  readonly beyond: number | undefined
  /** The event that was where the last one is, if it was another. */
  readonly differs: KnownPlace | undefined
  /** The event that was after the last one. */
  readonly lost: KnownPlace | undefined
}

/** What the audit log holds of an event. */
export interface KnownPlace {
  readonly stream: string
  readonly revision: number
  readonly at: string
}

export interface KnownEvents {
  /** How many are known. */
  readonly size: number
  /** Leaf hashes (base64) of events from a seq on, as many as are known and at most `count`. */
  readonly leaves: (seq: number, count: number) => Promise<readonly string[]>
  readonly place: (seq: number) => Promise<KnownPlace | undefined>
}

export const NOTHING_KNOWN: KnownEvents = { size: 0, leaves: async () => [], place: async () => undefined }

export interface WitnessOptions {
  readonly checkpoints: readonly Tree[]
  /** Notes of other keys. */
  readonly skipped?: number
  readonly known: KnownEvents
}

interface State extends WitnessOptions {
  readonly faults: string[]
  frontier: readonly Hash[]
  size: number
  /** As in `WitnessState`. */
  holds: number
  changedAt: number | undefined
  differs: KnownPlace | undefined
  lost: KnownPlace | undefined
  /** Known leaves that come next, from a seq on. */
  leaves: readonly string[]
  leavesFrom: number
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
    differs: undefined,
    lost: undefined,
    leaves: [],
    leavesFrom: 1,
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
      const { size, holds, changedAt, differs, lost } = state
      const most = Math.max(bySize.at(-1)?.size ?? 0, options.known.size)
      return { holds, changedAt, beyond: most > size ? most : undefined, differs, lost }
    },
    async finish() {
      state.differs = undefined
      if (options.known.size > state.size) state.lost = await options.known.place(state.size + 1)
    },
    notes: () => ({ compared: bySize.length, skipped: options.skipped ?? 0 }),
    faults() {
      const beyond = state.checkpoints.filter(({ size }) => size > state.size)
      const last = beyond.at(-1)
      const cut = last ? [`The log has ${state.size} events and had ${last.size} at a checkpoint: its end was cut off`] : []
      const { size } = options.known
      const lost = size > state.size ? [`The log has ${state.size} events and the audit log holds ${size}: its end was cut off`] : []
      const more = state.differing > NAMED_MAX ? [`${state.differing - NAMED_MAX} more events are not what they were`] : []
      return [...state.faults, ...more, ...cut, ...lost]
    },
  }
}

async function compareLeaf(state: State, leaf: Hash, stored: StoredEvent | undefined): Promise<void> {
  const { size: seq } = state
  state.differs = undefined
  if (seq >= state.leavesFrom + state.leaves.length) {
    state.leaves = seq <= state.known.size ? await state.known.leaves(seq, LEAVES) : []
    state.leavesFrom = seq
  }
  const known = state.leaves[seq - state.leavesFrom]
  if (known === undefined || known === Buffer.from(leaf).toString('base64')) return
  if (state.differing++ < NAMED_MAX) state.differs = await state.known.place(seq)
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
