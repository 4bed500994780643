/** Finds what a person names on the command line. */
import type { AccountLine, LibraryLine } from '../app/operator/operator-commands.ts'
import { normalizeEmail } from '../domain/accounts/user.ts'
import { foldText } from '../vocabulary/text.ts'
import type { Call } from './command.ts'

/** By id or e-mail address. */
export async function findUser({ commands }: Pick<Call, 'commands'>, named: string): Promise<AccountLine | undefined> {
  const users = await commands.listUsers()
  return users.find(({ id, email }) => id === named || email === normalizeEmail(named))
}

/** As `findNamed`. */
export const findLibrary = async (call: Pick<Call, 'commands' | 'terminal'>, named: string): Promise<LibraryLine | undefined> =>
  findNamed(call, await call.commands.listLibraries(), { named, missing: `There is no library "${named}"` })

/** By id, or name in any case. If several have the name, or none, it complains: with `missing` if there is none. */
export function findNamed<Named extends { readonly id: string; readonly name: string }>(
  { terminal }: Pick<Call, 'terminal'>,
  all: readonly Named[],
  { named, missing }: { readonly named: string; readonly missing: string },
): Named | undefined {
  const byId = all.find(({ id }) => id === named)
  if (byId) return byId
  const [found, other] = all.filter(({ name }) => foldText(name) === foldText(named))
  if (found && !other) return found
  terminal.complain(found ? `Several are called ${named}: name one by its id` : missing)
  return undefined
}
