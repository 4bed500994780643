/** Checkpoints: what the log was at some size, signed, so that an old one that was kept elsewhere shows if the log was changed since. */
import type { Tree } from '../../events/merkle-tree.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Vault } from '../../ports/vault.ts'
import type { AuditTree } from './audit-tree.ts'
import {
  noteKey,
  notesIn,
  openedCheckpoint,
  readVerifier,
  signedCheckpoint,
  type NoteFault,
  type NoteKey,
  type VerifierKey,
} from './signed-note.ts'

export interface Checkpoints {
  /** Of the log as it is now: a signed note. */
  current(): Promise<string>
  /** Of its first events, as many as there are at most. */
  of(size: number): Promise<string>
  /** What others verify notes with, `<name>+<hash>+<key>`. */
  verifier(): Promise<string>
  /** Whether a note is a checkpoint of this log, as it still stands. */
  verify(note: string): Promise<Verdict>
  /**
   * What a text of notes says the log was, for `LogWitness`. `verifier`: of a key that signed them; default: this installation's.
   * Refusal: `invalid` (`checkpoint`, `key`).
   */
  read(text: string, verifier?: string): Promise<readonly Tree[] | Refusal>
}

export type Verdict =
  | { readonly valid: true; readonly origin: string; readonly tree: Tree }
  /** `truncated`: the log is shorter than it was. `changed`: an event before that size is not what it was. */
  | { readonly valid: false; readonly reason: NoteFault | 'truncated' | 'changed' }

const SECRET = 'checkpoint-key'

const FAULTS: Readonly<Record<NoteFault, string>> = {
  malformed: 'it is no signed note of a log',
  unknown_key: 'another key has signed it',
  bad_signature: 'its signature does not fit',
}

const NO_KEY = refuse('invalid', 'This is no verifier key: it reads <name>+<hash>+<key>', { path: 'key' })

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
    async read(text, verifier) {
      return verifier === undefined ? treesIn(text, await key()) : readCheckpoints(text, verifier)
    },
  }
}

/** The trees of a text of notes that a key has signed. Refusal: `invalid` (`checkpoint`). */
function treesIn(text: string, key: VerifierKey): readonly Tree[] | Refusal {
  const notes = notesIn(text)
  if (notes.length === 0) return refuse('invalid', 'There is no checkpoint in this file', { path: 'checkpoint' })
  const trees: Tree[] = []
  for (const [n, note] of notes.entries()) {
    const tree = openedCheckpoint(note, [key])
    if (typeof tree === 'string') return refuse('invalid', `Checkpoint ${n + 1} of this file: ${FAULTS[tree]}`, { path: 'checkpoint' })
    trees.push(tree)
  }
  return trees
}

/** The same with nothing but the text of the key. Refusal: `invalid` (`checkpoint`, `key`). */
export function readCheckpoints(text: string, verifier: string): readonly Tree[] | Refusal {
  const key = readVerifier(verifier)
  return key ? treesIn(text, key) : NO_KEY
}
