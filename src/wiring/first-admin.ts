/** Creates the account of the first start, so that somebody can sign in, and names it for as long as nobody has. */
import { randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { isRefusal } from '../domain/refusal.ts'
import type { FirstAdmin } from '../process/start-text.ts'
import type { Services } from './services.ts'

const RANDOM_PASSWORD_BYTES = 12

/** Only at the first start. A random password is shown once, and stored nowhere. */
export async function makeFirstAdmin(
  { accounts }: Pick<Services, 'accounts'>,
  { adminEmail, adminPassword }: Config,
): Promise<FirstAdmin | undefined> {
  const password = adminPassword ?? randomBytes(RANDOM_PASSWORD_BYTES).toString('base64url')
  const account = { email: adminEmail, name: 'Administrator', password }
  const made = await accounts.registerFirstAdmin(account, { actor: 'system', command: 'registerFirstAdmin' })
  if (!made) return undefined
  if (isRefusal(made)) throw new Error(made.message)
  return { email: adminEmail, ...(adminPassword === undefined ? { password } : {}) }
}

/**
 * The e-mail address of the only account, if it has never been used. A first start that was killed may have stored the account without
 * showing its password.
 */
export async function unusedAccount({ access, accounts }: Pick<Services, 'access' | 'accounts'>): Promise<string | undefined> {
  const [user, ...others] = access.users.values()
  if (user === undefined || others.length > 0 || user.lastSeenAt !== null) return undefined
  return (await accounts.open(user)).email
}
