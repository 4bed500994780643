/** Presents an account in sign-in responses, in the format of better-auth. */
import type { Account } from '../../app/access/caller.ts'
import type { SignedInBody } from './sign-in-schemas.ts'

export function presentAuthUser({ id, email, name, role, createdAt, updatedAt }: Account): SignedInBody['user'] {
  return { id, email, name, role, image: null, emailVerified: true, createdAt, updatedAt }
}

export function presentSignedIn(token: string, account: Account): SignedInBody {
  return { redirect: false, token, user: presentAuthUser(account) }
}
