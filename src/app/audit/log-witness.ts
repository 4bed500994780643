/**
 * Compares the Merkle tree of the log, while a verification reads it, with earlier records: signed checkpoints, and the leaf hashes of the
 * audit view. A checkpoint also reveals a log that was rewritten with valid hashes, or truncated. The leaf hashes show which event was
 * changed.
 */
import type { StoredEvent } from '../../events/envelope.ts'
import { logEntry } from '../../events/log-entry.ts'
import { grow, leafHash, rootOf, type Hash, type Tree } from '../../events/merkle-tree.ts'

export interface LogWitness {
  /** Adds the next event of the log; undefined for one that cannot be read. Needs to wait for few of them: a log has millions. */
  add(stored: StoredEvent | undefined): Promise<void> | undefined
  /** The result of comparing the checkpoints with the events so far. */
  tree(): WitnessState
  /** Call it after the last event: checks whether more events were known. */
  finish(): Promise<void>
  /** Number of checkpoints that the log was compared with, of notes of other keys, and of notes that were cut off. */
  notes(): { readonly compared: number; readonly skipped: number; readonly torn: number }
  /** One sentence for each difference. */
  faults(): readonly string[]
  copy(): LogWitness
}

export interface WitnessState {
  /** Size of the largest tree that matches its checkpoint. */
  readonly holds: number
  /** Size of the smallest tree that does not match its checkpoint. */
  readonly changedAt: number | undefined
  /** Size of the largest known tree, if it is beyond the end of the log. */
  readonly beyond: number | undefined
  /** The original event at the place of the last one, if they differ. */
  readonly differs: KnownPlace | undefined
  /** The known event after the last one. */
  readonly lost: KnownPlace | undefined
}

/** The data that the audit view has of an event. */
export interface KnownPlace {
  readonly stream: string
  readonly revision: number
  readonly at: string
}

export interface KnownEvents {
  /** Number of known events. */
  readonly size: number
  /** Leaf hashes (base64) of known events from a seq on, at most `count`. */
  readonly leaves: (seq: number, count: number) => Promise<readonly string[]>
  readonly place: (seq: number) => Promise<KnownPlace | undefined>
}

export const NOTHING_KNOWN: KnownEvents = { size: 0, leaves: async () => [], place: async () => undefined }

export interface WitnessOptions {
  readonly checkpoints: readonly Tree[]
  /** Number of notes of other keys. */
  readonly skipped?: number
  /** Number of notes that were cut off. */
  readonly torn?: number
  readonly known: KnownEvents
}

interface State extends WitnessOptions {
  readonly faults: string[]
  readonly frontier: Hash[]
  size: number
  /** Which of the checkpoints comes next. */
  next: number
  /** As in `WitnessState`. */
  holds: number
  changedAt: number | undefined
  differs: KnownPlace | undefined
  lost: KnownPlace | undefined
  /** Leaf hashes of the next known events, from a seq on. */
  leaves: readonly string[]
  leavesFrom: number
  differing: number
}

const LEAVES = 1_000
/** At most this many events are named one by one. */
const NAMED_MAX = 20

export function createLogWitness(options: WitnessOptions): LogWitness {
  return witnessAt({
    ...options,
    checkpoints: options.checkpoints.toSorted((a, b) => a.size - b.size),
    faults: [],
    frontier: [],
    size: 0,
    next: 0,
    holds: 0,
    changedAt: undefined,
    differs: undefined,
    lost: undefined,
    leaves: [],
    leavesFrom: 1,
    differing: 0,
  })
}

function witnessAt(state: State): LogWitness {
  const { known, checkpoints } = state
  return {
    add(stored) {
      const leaf = stored === undefined ? leafHash('') : leafHash(logEntry(stored))
      grow(state.frontier, state.size, leaf)
      state.size++
      state.differs = undefined
      if (state.size <= known.size) return compareLeaf(state, leaf, stored).then(() => compareRoots(state))
      compareRoots(state)
      return undefined
    },
    tree() {
      const { size, holds, changedAt, differs, lost } = state
      const most = Math.max(checkpoints.at(-1)?.size ?? 0, known.size)
      return { holds, changedAt, beyond: most > size ? most : undefined, differs, lost }
    },
    async finish() {
      state.differs = undefined
      if (known.size > state.size) state.lost = await known.place(state.size + 1)
    },
    notes: () => ({ compared: checkpoints.length, skipped: state.skipped ?? 0, torn: state.torn ?? 0 }),
    faults: () => faultsAt(state),
    copy: () => witnessAt({ ...state, faults: [...state.faults], frontier: [...state.frontier] }),
  }
}

function faultsAt({ checkpoints, size, known, faults, differing }: State): readonly string[] {
  const last = checkpoints.findLast((checkpoint) => checkpoint.size > size)
  const cut = last ? [`The log has ${size} events and had ${last.size} at a checkpoint: its end was cut off`] : []
  const lost = known.size > size ? [`The log has ${size} events and the audit log holds ${known.size}: its end was cut off`] : []
  const more = differing > NAMED_MAX ? [`${differing - NAMED_MAX} more events are not what they were`] : []
  return [...faults, ...more, ...cut, ...lost]
}

async function compareLeaf(state: State, leaf: Hash, stored: StoredEvent | undefined): Promise<void> {
  const { size: seq } = state
  if (seq >= state.leavesFrom + state.leaves.length) {
    state.leaves = await state.known.leaves(seq, LEAVES)
    state.leavesFrom = seq
  }
  const known = state.leaves[seq - state.leavesFrom]
  if (known === undefined || known === Buffer.from(leaf).toString('base64')) return
  if (state.differing++ < NAMED_MAX) state.differs = await state.known.place(seq)
  if (state.differing > NAMED_MAX) return
  const which = stored ? ` (${stored.type} of ${stored.stream}, ${stored.metadata.at})` : ''
  state.faults.push(`Event ${seq}${which} is not what the audit log holds of it`)
}

function compareRoots(state: State): void {
  for (let next = state.checkpoints[state.next]; next && next.size <= state.size; next = state.checkpoints[++state.next])
    if (next.size === state.size) compareRoot(state, next)
}

/** After the first tree that differs, all larger ones differ too. */
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
