/** Runs the operator's commands on accounts: what an administrator may do, for a person who owns the data folder. */
import { parseId, type UserId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { Access } from '../access/access.ts'
import type { AccountChanges } from '../accounts/account-changes.ts'
import type { SecondFactors } from '../accounts/second-factors.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { libraryNamed } from './named-library.ts'
import type { OperatorCommands } from './operator-commands.ts'

type AccountCommands = Pick<
  OperatorCommands,
  'addUser' | 'listUsers' | 'setPassword' | 'grantLibraries' | 'enableUser' | 'resetSecondFactor' | 'eraseUser'
>

export interface AccountOperatorDependencies {
  readonly access: Access
  readonly accounts: Accounts
  readonly changes: AccountChanges
  readonly readYourWrites: ReadYourWrites
  readonly secondFactors: Pick<SecondFactors, 'reset'>
}

const by = (command: string) => ({ actor: 'cli', command })

/** By id or e-mail address. */
export async function findUser(
  { access, accounts }: Pick<AccountOperatorDependencies, 'access' | 'accounts'>,
  user: string,
): Promise<UserId | Refusal> {
  const id = access.users.get(user)?.id ?? (await accounts.findByEmail(user))
  return id ?? refuse('not-found', `There is no user ${user}`)
}

export function createAccountOperators({
  access,
  accounts,
  changes,
  readYourWrites,
  secondFactors,
}: AccountOperatorDependencies): AccountCommands {
  const find = (user: string) => findUser({ access, accounts }, user)

  async function visible(done: Position | Refusal): Promise<Refusal | null> {
    if (isRefusal(done)) return done
    await readYourWrites.waitFor(done)
    return null
  }

  return {
    async addUser(account) {
      const made = await accounts.register(account, by('registerUser'))
      if (isRefusal(made)) return made
      await readYourWrites.waitFor(made.position)
      return { id: made.userId }
    },

    async listUsers() {
      const opened = await Promise.all([...access.users.values()].map((user) => accounts.open(user)))
      return opened.map(({ id, email, name, role, enabled }) => ({ id, email, name, role, enabled }))
    },

    async setPassword({ user, password }) {
      const userId = await find(user)
      if (isRefusal(userId)) return userId
      return visible(await changes.setPassword(userId, { password, ending: { except: null } }, by('setPassword')))
    },

    async grantLibraries({ user, libraries }) {
      const userId = await find(user)
      if (isRefusal(userId)) return userId
      if (libraries === 'all') return visible(await changes.change(userId, { libraryAccess: 'all' }, by('changeUser')))
      const found = libraries.map((name) => libraryNamed(access, name))
      const refused = found.find((library) => isRefusal(library))
      if (refused) return refused
      const libraryIds = [...new Set(found.flatMap((library) => (isRefusal(library) ? [] : [library])))]
      return visible(await changes.change(userId, { libraryAccess: 'selected', libraryIds }, by('changeUser')))
    },

    async enableUser({ user, enabled }) {
      const userId = await find(user)
      return isRefusal(userId) ? userId : visible(await changes.change(userId, { enabled }, by('changeUser')))
    },

    async resetSecondFactor({ user }) {
      const userId = await find(user)
      return isRefusal(userId) ? userId : ((await secondFactors.reset(userId, by('resetSecondFactor'))) ?? null)
    },

    async eraseUser({ user }) {
      const found = await find(user)
      // A removed account can be found only by its id, or by an address that a crash has left claimed.
      const userId = isRefusal(found) ? (parseId<'user'>(user) ?? (await accounts.findEnded(user))) : found
      return userId ? visible(await changes.erase(userId, by('eraseUser'))) : isRefusal(found) ? found : null
    },
  }
}
