/** The keys that sign this installation's checkpoints: secrets of the vault, one more for each rotation. */
import type { Vault } from '../../ports/vault.ts'
import { noteKey, type NoteKey } from './signed-note.ts'

export interface NoteKeys {
  /** The newest first. Makes the first one. */
  keys(this: void): Promise<readonly [NoteKey, ...NoteKey[]]>
  /** Those that are there. */
  made(this: void): Promise<readonly NoteKey[]>
  /** Makes another one, which is the newest from then on. */
  make(this: void): Promise<NoteKey>
}

const SECRET = 'checkpoint-key'
/** Names of the secrets of the first key and those that follow. */
const secretOf = (number: number): string => (number === 1 ? SECRET : `${SECRET}-${number}`)

export function createNoteKeys(vault: Pick<Vault, 'secret' | 'hasSecret'>): NoteKeys {
  /** The oldest first. */
  let known: readonly NoteKey[] = []

  /** Another node may have made one. */
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
