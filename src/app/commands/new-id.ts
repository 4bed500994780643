/** Creates ids for new objects: random ones or, if the request may be retried (src/ports/idempotency-store.ts), the same ones each time. */
import { derivedId } from '../../events/derived-id.ts'
import type { Id } from '../../vocabulary/id.ts'
import type { Ids } from '../../ports/ids.ts'
import type { RequestOrigin } from '../access/caller.ts'

export function newId<Kind extends string>(kind: Kind, ids: Ids, origin: Pick<RequestOrigin, 'seed'> | undefined): Id<Kind> {
  return origin?.seed === undefined ? ids.next<Kind>() : derivedId(kind, origin.seed)
}
