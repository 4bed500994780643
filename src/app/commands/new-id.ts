/** Ids of what a command makes: new ones, or, where the request may be repeated (src/ports/idempotency-store.ts), the same each time. */
import { derivedId } from '../../events/derived-id.ts'
import type { Id } from '../../vocabulary/id.ts'
import type { Ids } from '../../ports/ids.ts'
import type { RequestOrigin } from '../access/caller.ts'

export function newId<Kind extends string>(kind: Kind, ids: Ids, origin: Pick<RequestOrigin, 'seed'> | undefined): Id<Kind> {
  return origin?.seed === undefined ? ids.next<Kind>() : derivedId(kind, origin.seed)
}
