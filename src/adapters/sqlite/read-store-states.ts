/** Checkpoints and fences of the collections: read once, and stored once for each transaction on disk, however many commits it holds. */
import type { Position } from '../../events/position.ts'
import { NoCollection } from '../../ports/read-store.ts'
import { COLLECTIONS } from './read-store-schema.ts'
import type { Statements } from './statements.ts'

export interface State {
  readonly checkpoint: Position
  readonly epoch: number
  /** Whether any index was built. */
  readonly indexed: boolean
}

export interface States {
  /** @throws NoCollection */
  of(this: void, name: string): State
  set(this: void, name: string, state: State): void
  /** Stores what was set. The caller holds the transaction, */
  store(this: void): void
  /** and has put it on disk. */
  stored(this: void): void
  /** Forgets what was read, since others may have changed it. */
  clear(this: void): void
  /** Forgets what was set, too, since it was undone. */
  undo(this: void): void
  drop(this: void, name: string): void
  /** What was set since the last `stored` is gone from the file. */
  lose(this: void, cause: unknown): void
  /** Why the collection lacks commits that were applied; undefined: it lacks none. */
  lost(this: void, name: string): unknown
}

interface Owed {
  readonly checkpoint: Position
  readonly cause: unknown
}

export function createStates(statements: Statements): States {
  const known = new Map<string, State>()
  const changed = new Set<string>()
  const owed = new Map<string, Owed>()

  function read(name: string): State {
    const row = statements.get(`select checkpoint, epoch, indexed from ${COLLECTIONS} where name = ?`, [name])
    if (!row) throw new NoCollection(name)
    return { checkpoint: String(row['checkpoint']) as Position, epoch: Number(row['epoch']), indexed: row['indexed'] !== 0 }
  }

  return {
    of(name) {
      const state = known.get(name) ?? read(name)
      known.set(name, state)
      return state
    },
    set(name, state) {
      known.set(name, state)
      changed.add(name)
      if (state.checkpoint >= (owed.get(name)?.checkpoint ?? '')) owed.delete(name)
    },
    store() {
      for (const name of changed) {
        const { checkpoint, epoch } = known.get(name) ?? read(name)
        statements.run(`update ${COLLECTIONS} set checkpoint = ?, epoch = ? where name = ?`, [checkpoint, epoch, name])
      }
    },
    stored: () => changed.clear(),
    clear() {
      for (const name of known.keys()) if (!changed.has(name)) known.delete(name)
    },
    undo() {
      changed.clear()
      known.clear()
    },
    drop(name) {
      known.delete(name)
      changed.delete(name)
      owed.delete(name)
    },
    lose(cause) {
      for (const name of changed) {
        const { checkpoint } = known.get(name) ?? read(name)
        if (checkpoint > (owed.get(name)?.checkpoint ?? '')) owed.set(name, { checkpoint, cause })
      }
      changed.clear()
      known.clear()
    },
    lost: (name) => owed.get(name)?.cause,
  }
}
