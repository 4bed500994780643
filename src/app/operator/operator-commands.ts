/**
 * What the command line may ask of the server: the commands of somebody who owns the data folder. Input and answers are plain
 * data, so that the same interface works over the local socket and, without a server, on the files themselves.
 */
import type { ImportItem, NoMatch } from '../../events/history-events.ts'
import type { Role } from '../../events/account-events.ts'
import type { ScanCounts, ScanError } from '../../events/library-events.ts'
import type { Refusal } from '../../domain/refusal.ts'

export interface NewAccount {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly role: Role
}

export interface AccountLine {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly enabled: boolean
}

export interface LibraryLine {
  readonly id: string
  readonly name: string
  readonly state: 'idle' | 'scanning' | 'offline'
  readonly movieCount: number
  readonly missingCount: number
  readonly roots: readonly { readonly path: string; readonly available: boolean }[]
}

/** How far a scan is; `total` is null while it is not known. */
export interface ScanStep {
  readonly state: string
  readonly done: number
  readonly total: number | null
}

export interface ScanSummary {
  readonly state: string
  readonly counts: ScanCounts
  /** The first problems, by file. */
  readonly errors: readonly ScanError[]
  /** Why it failed, or null. */
  readonly error: string | null
}

export interface StartedPlay {
  readonly sessionId: string
  readonly title: string
  /** Master playlist with a stream token, under each address of the server: any player takes one of them. */
  readonly urls: readonly string[]
}

export interface StreamProblem {
  readonly stream: string
  readonly revision: number
  readonly reason: string
}

export interface VerificationAsk {
  /** Signed notes, one after another. */
  readonly checkpoints?: string | undefined
  /** The keys that verify them; default: those of this installation. */
  readonly keys?: readonly string[] | undefined
}

export interface LogPlace {
  readonly seq: number
  readonly stream: string | null
  readonly revision: number | null
  readonly at: string | null
}

/** Where a log begins to differ from the one that was written. */
export interface FirstDifference extends LogPlace {
  /**
   * `missing`: an event before this one (stream null: nobody knows of which). `swapped`: the event of that stream and revision comes
   * later. `changed`: at least one event from here to `upTo` was changed, removed, inserted or swapped. `truncated`: everything from
   * here on is gone; the place is that of the first event that is gone, or the stream is null and `at` is that of the last event.
   */
  readonly kind: 'altered' | 'unreadable' | 'missing' | 'inserted' | 'swapped' | 'changed' | 'truncated'
  readonly upTo: number
  /** Of `changed`: an event that is dated later than the one after it. */
  readonly suspect: LogPlace | null
}

export interface Verification {
  readonly streams: number
  readonly events: number
  /** The first broken links; empty: every chain holds. */
  readonly problems: readonly StreamProblem[]
  /** What is wrong with the log as a whole, a sentence each. */
  readonly faults: readonly string[]
  readonly first: FirstDifference | null
  /** Checkpoints that the log was compared with, and notes that none of the keys has signed. */
  readonly notes: { readonly compared: number; readonly skipped: number }
}

/** A page of an import of history (src/app/history/history-imports.ts) for a user. */
export interface HistoryImportAsk {
  readonly user: string
  readonly source: string
  readonly importId: string | null
  readonly dryRun: boolean
  readonly items: readonly ImportItem[]
}

export interface HistoryImportAnswer {
  readonly importId: string | null
  readonly imported: number
  readonly known: number
  readonly unmatched: readonly { readonly index: number; readonly reason: NoMatch }[]
}

/** What the server knew at some time. */
export interface PastState {
  /** Of the last event of that time, and when it happened; null: there was none. */
  readonly seq: string
  readonly at: string | null
  readonly users: readonly { readonly name: string; readonly role: Role; readonly enabled: boolean }[]
  readonly libraries: readonly { readonly name: string; readonly movieCount: number; readonly missingCount: number }[]
  /** Entries of everybody's history, and what was watched in them. */
  readonly viewings: number
  readonly watchedMs: number
  /** The newest ten. `percent` of the film: where they stood. */
  readonly latest: readonly {
    readonly name: string
    readonly title: string | null
    readonly year: number | null
    readonly startedAt: string
    readonly isOver: boolean
    readonly percent: number | null
  }[]
}

export interface OperatorCommands {
  addUser(account: NewAccount): Promise<{ readonly id: string } | Refusal>
  listUsers(): Promise<readonly AccountLine[]>
  /** `user` is an e-mail address or an id here and below. Ends all logins of that user. */
  setPassword(change: { readonly user: string; readonly password: string }): Promise<Refusal | null>
  /** The libraries (ids, or names without regard to case) that the user sees from now on, and no others; or all. */
  grantLibraries(grant: { readonly user: string; readonly libraries: 'all' | readonly string[] }): Promise<Refusal | null>
  /** Disabling ends all logins for good. */
  enableUser(change: { readonly user: string; readonly enabled: boolean }): Promise<Refusal | null>
  /** Removes the account, and makes its personal data unreadable for ever; one that was removed before is named by its id. */
  eraseUser(who: { readonly user: string }): Promise<Refusal | null>
  importHistory(ask: HistoryImportAsk): Promise<HistoryImportAnswer | Refusal>
  undoImport(which: { readonly user: string; readonly importId: string }): Promise<Refusal | null>
  listLibraries(): Promise<readonly LibraryLine[]>
  /** Absolute folders; one that does not exist is taken in, too. */
  addLibrary(library: { readonly name: string; readonly paths: readonly string[] }): Promise<{ readonly id: string } | Refusal>
  /**
   * Scans a library (its id, or its name without regard to case) to the end. Calls `step` now and then. An aborted signal
   * cancels the scan; what it has found so far stays.
   */
  scanLibrary(library: string, step: (step: ScanStep) => void, signal: AbortSignal): Promise<ScanSummary | Refusal>
  /**
   * Starts a session for a movie (its id, or its title without regard to case; `conflict` names the choices when several have
   * it), as the first administrator. It begins at the stored resume point, so that beating does not wipe that out.
   */
  startPlay(movie: string): Promise<StartedPlay | Refusal>
  /** Keeps the session alive where it stands: no player tells this command where it is. */
  beatPlay(sessionId: string): Promise<Refusal | null>
  endPlay(sessionId: string): Promise<Refusal | null>
  /**
   * Checks the hash chain of every stream, and the log against checkpoints. Calls `step` now and then with the number of events so far.
   * Refusal: `invalid` (`checkpoint`, `key`).
   */
  verify(ask: VerificationAsk, step: (events: number) => void, signal: AbortSignal): Promise<Verification | Refusal>
  /** Makes another key that signs checkpoints, and gives what verifies it. */
  rotateCheckpointKey(): Promise<{ readonly verifier: string }>
  /** Folds the log to a time (RFC 3339) or an event (`seq:<n>`). Refusal: `invalid` (`until`). */
  replay(until: string, signal: AbortSignal): Promise<PastState | Refusal>
}
