/** Checkpoints: what the log was at some size, signed, so that an old one that was kept elsewhere shows if the log was changed since. */
import type { Tree } from '../../events/merkle-tree.ts'
import type { Vault } from '../../ports/vault.ts'
import type { AuditTree } from './audit-tree.ts'
import { noteKey, openedCheckpoint, signedCheckpoint, type NoteFault, type NoteKey } from './signed-note.ts'

export interface Checkpoints {
  /** Of the log as it is now: a signed note. */
  current(): Promise<string>
  /** Of its first events, as many as there are at most. */
  of(size: number): Promise<string>
  /** What others verify notes with, `<name>+<hash>+<key>`. */
  verifier(): Promise<string>
  /** Whether a note is a checkpoint of this log, as it still stands. */
  verify(note: string): Promise<Verdict>
}

export type Verdict =
  | { readonly valid: true; readonly origin: string; readonly tree: Tree }
  /** `truncated`: the log is shorter than it was. `changed`: an event before that size is not what it was. */
  | { readonly valid: false; readonly reason: NoteFault | 'truncated' | 'changed' }

const SECRET = 'checkpoint-key'

export function createCheckpoints({ tree, vault }: { readonly tree: AuditTree; readonly vault: Pick<Vault, 'secret'> }): Checkpoints {
  let made: Promise<NoteKey> | undefined
  function key(): Promise<NoteKey> {
    made ??= vault.secret(SECRET).then(noteKey)
    // The vault may be away for a moment.
    made.catch(() => (made = undefined))
    return made
  }
  const of = async (size: number) => signedCheckpoint(await tree.at(size), await key())
  return {
    current: async () => of(await tree.size()),
    of,
    verifier: async () => (await key()).verifier,
    async verify(note) {
      const own = await key()
      const claimed = openedCheckpoint(note, [own])
      if (typeof claimed === 'string') return { valid: false, reason: claimed }
      if (claimed.size > (await tree.size())) return { valid: false, reason: 'truncated' }
      const { root } = await tree.at(claimed.size)
      return Buffer.compare(root, claimed.root) === 0
        ? { valid: true, origin: own.name, tree: claimed }
        : { valid: false, reason: 'changed' }
    },
  }
}
