/** Finds the user whom a path names. */
import { NO_SUCH_USER } from '../../domain/accounts/refusals.ts'
import { parseId, type UserId } from '../../vocabulary/id.ts'
import type { HttpServices } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'

/** @throws HttpError 404 */
export async function knownUser({ users }: Pick<HttpServices, 'users'>, id: string): Promise<UserId> {
  const { id: known } = unwrap(await users.get(id))
  return unwrap(parseId<'user'>(known) ?? NO_SUCH_USER)
}
