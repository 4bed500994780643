/**
 * Signs checkpoints: the size and root of the log at a time. An old checkpoint that was kept elsewhere reveals later changes of the log.
 */
import type { Tree } from '../../events/merkle-tree.ts'
import { INSTALLATION_STREAM } from '../../events/streams.ts'
import { installation, rotateKey } from '../../domain/installation.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'
import type { AuditTree } from './audit-tree.ts'
import { createNoteKeys } from './note-keys.ts'
import { notesIn, openedCheckpoint, readVerifier, signedCheckpoint, type NoteFault, type VerifierKey } from './signed-note.ts'
import { withoutTornNotes } from './torn-note.ts'

export interface Checkpoints {
  /** A signed note of the current log. */
  current(): Promise<string>
  /** A signed note of the first `size` events, or of all events if there are fewer. */
  of(size: number): Promise<string>
  /** The newest key's verifier for other programs, `<name>+<hash>+<key>`. */
  verifier(): Promise<string>
  /** Makes another key and returns its verifier. Notes are signed with the new key and the one before; notes of all keys stay valid. */
  rotate(this: void, author: Author): Promise<string>
  /** Whether a note is a checkpoint of this log, as the log is now. */
  verify(note: string): Promise<Verdict>
  /**
   * The trees in a text of notes, for `LogWitness`. `verifiers`: of the keys that signed them; default: this installation's. Refusal:
   * `invalid` (`checkpoint`, `key`).
   */
  read(text: string, verifiers?: readonly string[]): Promise<ReadCheckpoints | Refusal>
}

export interface ReadCheckpoints {
  /** From notes that one of the keys has signed: at least one. */
  readonly trees: readonly Tree[]
  /** Number of notes that only other keys have signed. */
  readonly skipped: number
  /** Number of notes that were cut off while they were written. */
  readonly torn: number
}

export type Verdict =
  | { readonly valid: true; readonly origin: string; readonly tree: Tree }
  /** `truncated`: the log is shorter than it was. `changed`: an event within that size differs from the original. */
  | { readonly valid: false; readonly reason: NoteFault | 'truncated' | 'changed' }

/** Sign with two keys: a verifier that knows only the older key can still verify notes, and has time to take over the new one. */
const SIGNING = 2

const FAULTS: Readonly<Record<Exclude<NoteFault, 'unknown_key'>, string>> = {
  malformed: 'it is no signed note of a log',
  bad_signature: 'its signature does not fit',
}

const TARGET = { stream: INSTALLATION_STREAM, decider: installation }

const NO_KEY = refuse('invalid', 'This is no verifier key: it reads <name>+<hash>+<key>', { path: 'key' })

export interface CheckpointsDependencies {
  readonly tree: AuditTree
  readonly vault: Pick<Vault, 'secret' | 'hasSecret'>
  readonly commandHandler: Pick<CommandHandler, 'execute'>
}

export function createCheckpoints({ tree, vault, commandHandler }: CheckpointsDependencies): Checkpoints {
  const { keys, make } = createNoteKeys(vault)

  async function of(size: number): Promise<string> {
    const [newest, ...before] = await keys()
    return signedCheckpoint(await tree.at(size), newest, ...before.slice(0, SIGNING - 1))
  }

  return {
    current: async () => of(await tree.size()),
    of,
    verifier: async () => (await keys())[0].verifier,
    async rotate(author) {
      const { verifier } = await make()
      const recorded = await commandHandler.execute(TARGET, rotateKey(verifier), author)
      if (isRefusal(recorded)) throw new Error(recorded.message)
      return verifier
    },
    async verify(note) {
      const own = await keys()
      const claimed = openedCheckpoint(note, own)
      if (typeof claimed === 'string') return { valid: false, reason: claimed }
      if (claimed.size > (await tree.size())) return { valid: false, reason: 'truncated' }
      const { root } = await tree.at(claimed.size)
      return Buffer.compare(root, claimed.root) === 0
        ? { valid: true, origin: own[0].name, tree: claimed }
        : { valid: false, reason: 'changed' }
    },
    async read(text, verifiers) {
      return verifiers === undefined ? treesIn(text, await keys()) : readCheckpoints(text, verifiers)
    },
  }
}

/**
 * The trees of a text of notes. Notes of other keys are skipped: a file that spans several rotations holds some that only earlier or later
 * keys have signed. Notes that were cut off are skipped, too. Refusal: `invalid` (`checkpoint`).
 */
export function treesIn(text: string, keys: readonly VerifierKey[]): ReadCheckpoints | Refusal {
  const { text: whole, torn } = withoutTornNotes(text, [...new Set(keys.map(({ name }) => name))])
  const notes = notesIn(whole)
  if (notes.length === 0) {
    return refuse('invalid', `There is no ${torn > 0 ? 'whole checkpoint' : 'checkpoint'} in this file`, { path: 'checkpoint' })
  }
  const trees: Tree[] = []
  for (const [n, note] of notes.entries()) {
    const tree = openedCheckpoint(note, keys)
    if (tree === 'unknown_key') continue
    if (typeof tree === 'string') return refuse('invalid', `Checkpoint ${n + 1} of this file: ${FAULTS[tree]}`, { path: 'checkpoint' })
    trees.push(tree)
  }
  if (trees.length > 0) return { trees, skipped: notes.length - trees.length, torn }
  return refuse('invalid', `None of these keys has signed any of the ${notes.length} checkpoints of this file`, { path: 'checkpoint' })
}

/** The same, from the texts of the keys alone. Refusal: `invalid` (`checkpoint`, `key`). */
export function readCheckpoints(text: string, verifiers: readonly string[]): ReadCheckpoints | Refusal {
  const keys = verifiers.flatMap((verifier) => readVerifier(verifier) ?? [])
  return keys.length > 0 && keys.length === verifiers.length ? treesIn(text, keys) : NO_KEY
}
