/**
 * Describes the caller of a request: the current account and login, and where the request came from.
 */
import type { LoginId, UserId } from '../../vocabulary/id.ts'
import type { AccessScope } from '../../events/account-events.ts'
import type { Position } from '../../events/position.ts'
import type { Viewer } from '../../domain/access/visibility.ts'

export interface Caller extends Viewer {
  readonly userId: UserId
  readonly loginId: LoginId
  /** False: the cookie of this login ends with the browser. Default true. */
  readonly rememberMe?: boolean
  /** Of an access token; undefined: a sign-in, which may do all that the user may. */
  readonly scopes?: readonly AccessScope[]
  /** The command line, as the first administrator. It has no login: no document has its `loginId`. */
  readonly isOperator?: true
}

/** Whether the caller sees what only administrators see. An access token needs its scope `admin` for that, too. */
export const actsAsAdmin = ({ role, scopes }: Pick<Caller, 'role' | 'scopes'>): boolean =>
  role === 'admin' && (scopes === undefined || scopes.includes('admin'))

/** Origin of a command, for the audit metadata of its events. Address and client are sealed before they are stored. */
export interface RequestOrigin {
  readonly requestId: string
  readonly address: string | null
  /** The network that failed attempts are counted for: the address, or the /64 of an IPv6 address. Default: the address. */
  readonly network?: string
  readonly client: string | null
  /** Equal for every retry of a request with an idempotency key (new-id.ts). */
  readonly seed?: string
  /** Precondition of the request. */
  readonly precondition?: Precondition
  /** The command line: its events name it as their actor, as those of its other commands. */
  readonly isOperator?: true
}

/** Key under which failed attempts without a login are counted. */
export const networkOf = ({ network, address }: RequestOrigin): string => network ?? address ?? ''

/** Checked after the stream was read and before the append at that revision, so that no other write can come in between. */
export interface Precondition {
  readonly stream: string
  /** Whether it holds once the views show everything up to the position. */
  holds(upTo: Position): Promise<boolean>
}

/** An account with its personal fields decrypted. */
export interface Account extends Viewer {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly enabled: boolean
  readonly maxConcurrentStreams: number | null
  readonly createdAt: string
  readonly updatedAt: string
  /** As coarse as in the view `users`. */
  readonly lastSeenAt: string | null
  /** With an account at the identity provider. */
  readonly linked: boolean
  /** As in the view `users`. */
  readonly linkConsentUntil: string | null
}
