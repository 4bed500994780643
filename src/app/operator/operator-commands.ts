/**
 * Defines the commands of the command line, for a person who owns the data folder. Input and answers are plain data, so that the same
 * interface works over the local socket and, without a server, on the files themselves.
 */
import type { ImportItem, NoMatch } from '../../events/history-events.ts'
import type { AccessScope, Role } from '../../events/account-events.ts'
import type { ScanCounts, ScanError } from '../../events/library-events.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { BackupAsk, BackupSummary } from '../backup/backups.ts'
import type { BackupStep } from '../backup/write-backup.ts'

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

export interface NewTokenAsk {
  readonly user: string
  readonly name: string
  readonly scopes: readonly AccessScope[]
  readonly days: number
}

export interface TokenLine {
  readonly id: string
  readonly name: string
  readonly scopes: readonly AccessScope[]
  readonly expiresAt: string
  readonly lastUsedAt: string | null
}

export interface LibraryLine {
  readonly id: string
  readonly name: string
  readonly state: 'idle' | 'scanning' | 'offline'
  readonly movieCount: number
  readonly missingCount: number
  readonly roots: readonly { readonly path: string; readonly available: boolean }[]
}

/** Progress of a scan; `total` is null while it is unknown. */
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

/** Where a log first differs from the log as it was written. */
export interface FirstDifference extends LogPlace {
  /**
   * `missing`: an event before this one (stream null: its stream is unknown). `swapped`: the event of that stream and revision comes later.
   * `changed`: at least one event from here to `upTo` was changed, removed, inserted or swapped. `truncated`: everything from here on is
   * gone; the place is that of the first lost event, or the stream is null and `at` is the time of the last event.
   */
  readonly kind: 'altered' | 'unreadable' | 'missing' | 'inserted' | 'swapped' | 'changed' | 'truncated'
  readonly upTo: number
  /** For `changed`: an event that is dated later than its successor. */
  readonly suspect: LogPlace | null
}

export interface Verification {
  readonly streams: number
  readonly events: number
  /** The first broken links; empty if every chain is intact. */
  readonly problems: readonly StreamProblem[]
  /** Faults of the log as a whole, one sentence each. */
  readonly faults: readonly string[]
  readonly first: FirstDifference | null
  /** Number of checkpoints that the log was compared with, of notes that none of the keys has signed, and of those that were cut off. */
  readonly notes: { readonly compared: number; readonly skipped: number; readonly torn: number }
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

/** The state of the server at an earlier time. */
export interface PastState {
  /** Sequence number and time of the last event until then; null if there was none. */
  readonly seq: string
  readonly at: string | null
  readonly users: readonly { readonly name: string; readonly role: Role; readonly enabled: boolean }[]
  readonly libraries: readonly { readonly name: string; readonly movieCount: number; readonly missingCount: number }[]
  /** Number of entries in everybody's history, and their watched time. */
  readonly viewings: number
  readonly watchedMs: number
  /** The newest ten. `percent`: position in the film. */
  readonly latest: readonly {
    readonly name: string
    readonly title: string | null
    readonly year: number | null
    readonly startedAt: string
    readonly isOver: boolean
    readonly percent: number | null
  }[]
}

/** A request of the API; `path` includes the query, `body` is JSON. */
export interface ApiAsk {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body: string | null
}

export interface ApiAnswer {
  readonly status: number
  /** Empty: there is none. */
  readonly body: string
}

export interface OperatorCommands {
  /**
   * Carries out a request of the API as the first administrator. What a route answers with, errors included, is an answer. Refusals:
   * `conflict` (there is no administrator), `invalid` (the answer is no text, or too long).
   */
  callApi(ask: ApiAsk, signal: AbortSignal): Promise<ApiAnswer | Refusal>
  addUser(account: NewAccount): Promise<{ readonly id: string } | Refusal>
  listUsers(): Promise<readonly AccountLine[]>
  /** Here and below, `user` is an e-mail address or an id. Ends all logins of that user. */
  setPassword(change: { readonly user: string; readonly password: string }): Promise<Refusal | null>
  /** Exactly the libraries (ids, or names in any case) that the user may see from now on, or all. */
  grantLibraries(grant: { readonly user: string; readonly libraries: 'all' | readonly string[] }): Promise<Refusal | null>
  /** Disabling ends all logins permanently. */
  enableUser(change: { readonly user: string; readonly enabled: boolean }): Promise<Refusal | null>
  /** For somebody who has lost the device and the recovery codes. */
  resetSecondFactor(who: { readonly user: string }): Promise<Refusal | null>
  /** Removes the account and makes its personal data permanently unreadable; an account that was removed before is named by its id. */
  eraseUser(who: { readonly user: string }): Promise<Refusal | null>
  /** The text of the token is returned this once. Refusals: as of `AccessTokens.issue`, and `not-found`. */
  addToken(ask: NewTokenAsk): Promise<{ readonly token: string; readonly id: string } | Refusal>
  listTokens(who: { readonly user: string }): Promise<readonly TokenLine[] | Refusal>
  revokeToken(which: { readonly user: string; readonly id: string }): Promise<Refusal | null>
  importHistory(ask: HistoryImportAsk): Promise<HistoryImportAnswer | Refusal>
  undoImport(which: { readonly user: string; readonly importId: string }): Promise<Refusal | null>
  listLibraries(): Promise<readonly LibraryLine[]>
  /** Absolute folders; a missing one is accepted too. */
  addLibrary(library: { readonly name: string; readonly paths: readonly string[] }): Promise<{ readonly id: string } | Refusal>
  /**
   * Scans a library (its id, or its name in any case) to the end. Calls `step` now and then. An aborted signal cancels the scan; its
   * results so far stay.
   */
  scanLibrary(library: string, step: (step: ScanStep) => void, signal: AbortSignal): Promise<ScanSummary | Refusal>
  /**
   * Starts a session for a movie (its id, or its title in any case; `conflict` lists the choices if several have it), as the first
   * administrator. It starts at the stored resume point, so that heartbeats do not overwrite that.
   */
  startPlay(movie: string): Promise<StartedPlay | Refusal>
  /** Keeps the session alive at its position: no player reports a position to this command. */
  beatPlay(sessionId: string): Promise<Refusal | null>
  endPlay(sessionId: string): Promise<Refusal | null>
  /**
   * Checks the hash chain of every stream, and compares the log with checkpoints. Calls `step` now and then with the number of events so
   * far. Refusal: `invalid` (`checkpoint`, `key`).
   */
  verify(ask: VerificationAsk, step: (events: number) => void, signal: AbortSignal): Promise<Verification | Refusal>
  /**
   * Backs up log, keys and uploads, as they are at one position. Calls `step` now and then. Without a passphrase that of the settings
   * counts. Refusals: `conflict`, `invalid`.
   */
  backup(ask: BackupAsk, step: (step: BackupStep) => void, signal: AbortSignal): Promise<BackupSummary | Refusal>
  /** Makes another key that signs checkpoints, and returns its verifier. */
  rotateCheckpointKey(): Promise<{ readonly verifier: string }>
  /** Folds the log to a time (RFC 3339) or an event (`seq:<n>`). Refusal: `invalid` (`until`). */
  replay(until: string, signal: AbortSignal): Promise<PastState | Refusal>
}
