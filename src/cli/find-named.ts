/** Finds what a person names on the command line. */
import type { AccountLine } from '../app/operator/operator-commands.ts'
import { normalizeEmail } from '../domain/accounts/user.ts'
import { foldText } from '../vocabulary/text.ts'
import type { Call } from './command.ts'

/** By id or e-mail address. */
export async function findUser({ commands }: Pick<Call, 'commands'>, named: string): Promise<AccountLine | undefined> {
  const users = await commands.listUsers()
  return users.find(({ id, email }) => id === named || email === normalizeEmail(named))
}

/** By id, or name in any case. */
export const findNamed = <Named extends { readonly id: string; readonly name: string }>(
  all: readonly Named[],
  named: string,
): Named | undefined => all.find(({ id, name }) => id === named || foldText(name) === foldText(named))
