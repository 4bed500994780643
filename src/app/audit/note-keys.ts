/** Holds the keys that sign this installation's checkpoints: secrets of the vault, one more with each rotation. */
import type { Vault } from '../../ports/vault.ts'
import { noteKey, type NoteKey } from './signed-note.ts'

export interface NoteKeys {
  /** Newest first. Makes the first key if there is none. */
  keys(this: void): Promise<readonly [NoteKey, ...NoteKey[]]>
  /** Keys that exist. */
  made(this: void): Promise<readonly NoteKey[]>
  /** Makes another key, which is the newest from then on. */
  make(this: void): Promise<NoteKey>
}

const SECRET = 'checkpoint-key'
/** Name of a key's secret in the vault, by the number of the key. */
const secretOf = (number: number): string => (number === 1 ? SECRET : `${SECRET}-${number}`)

export function createNoteKeys(vault: Pick<Vault, 'secret' | 'hasSecret'>): NoteKeys {
  /** Oldest first. */
  let known: readonly NoteKey[] = []

  /** Another node may have added a key. */
  async function keys(): Promise<readonly [NoteKey, ...NoteKey[]]> {
    const found = known.length > 0 ? [...known] : [noteKey(await vault.secret(SECRET))]
    while (await vault.hasSecret(secretOf(found.length + 1))) {
      found.push(noteKey(await vault.secret(secretOf(found.length + 1)), found[0]?.name))
    }
    known = found
    return found.toReversed() as [NoteKey, ...NoteKey[]]
  }

  return {
    keys,
    made: async () => ((await vault.hasSecret(SECRET)) ? keys() : []),
    async make() {
      const { length } = await keys()
      await vault.secret(secretOf(length + 1))
      return (await keys())[0]
    },
  }
}
