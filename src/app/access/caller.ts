/**
 * Who asks: the account and login behind a request, as they stand now, and where the request came from.
 */
import type { LoginId, UserId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import type { Viewer } from '../../domain/access/visibility.ts'

export interface Caller extends Viewer {
  readonly userId: UserId
  readonly loginId: LoginId
  /** False: the cookie of this login ends with the browser. Default true. */
  readonly rememberMe?: boolean
}

/** Where a command came from: goes into the audit metadata of its events. Address and client are sealed before they are stored. */
export interface RequestOrigin {
  readonly requestId: string
  readonly address: string | null
  /** The network that failed attempts are counted for: the address, or of IPv6 its /64. Default: the address. */
  readonly network?: string
  readonly client: string | null
  /** The same for each repeat of a request with an idempotency key (new-id.ts). */
  readonly seed?: string
  /** What the request depends on. */
  readonly precondition?: Precondition
}

/** What failed attempts of a stranger are counted for. */
export const networkOf = ({ network, address }: RequestOrigin): string => network ?? address ?? ''

/** Judged after its stream has been read and before it is appended to at that revision, so that nothing can come in between. */
export interface Precondition {
  readonly stream: string
  /** Whether it holds once all shows that has happened up to the position. */
  holds(upTo: Position): Promise<boolean>
}

/** An account with its personal fields opened. */
export interface Account extends Viewer {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly enabled: boolean
  readonly maxConcurrentStreams: number | null
  readonly createdAt: string
  readonly updatedAt: string
  /** As coarse as the view `users` has it. */
  readonly lastSeenAt: string | null
}
