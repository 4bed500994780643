/** An account as sign-in tells it, in the shape of better-auth. */
import type { Account } from '../../app/caller.ts'
import type { SignedInBody } from '../schemas/sign-in.ts'

export function presentSignedIn(token: string, account: Account): SignedInBody {
  const { id, email, name, role, createdAt, updatedAt } = account
  return { redirect: false, token, user: { id, email, name, role, image: null, emailVerified: true, createdAt, updatedAt } }
}
