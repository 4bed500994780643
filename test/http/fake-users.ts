/** Accounts that the HTTP tests meet in place of the real ones: the admin, who is the last one, and nobody else. */
import type { Account } from '../../src/app/access/caller.ts'
import type { OpenedLogin } from '../../src/app/accounts/logins.ts'
import type { HttpServices } from '../../src/http/server/app.ts'
import { refuse, type Refusal } from '../../src/domain/refusal.ts'
import { parseId } from '../../src/vocabulary/id.ts'

const UNKNOWN = refuse('not-found', 'There is no such user')
const LAST = refuse('conflict', 'The last administrator cannot be demoted, disabled or deleted')

export function createFakeUsers(account: Account, login: OpenedLogin): Pick<HttpServices, 'users' | 'logins' | 'signUps' | 'exportData'> {
  const known = <Value>(id: string, value: Value): Value | Refusal => (id === account.id ? value : UNKNOWN)
  return {
    users: {
      list: async ({ limit, after }) => {
        const first = after ? Number(after.value) + 1 : 0
        const items = Array.from({ length: Math.min(limit, 3 - first) }, (_, n) => ({ ...account, name: `User ${first + n}` }))
        const last = first + items.length - 1
        return { items, next: last < 2 ? { value: last, id: account.id } : null }
      },
      get: async (id) => known(id, account),
      create: async (_caller, { email, name, role }) =>
        email === account.email ? refuse('conflict', 'This e-mail address is taken') : { ...account, email, name, role },
      change: async (_caller, id, { libraryIds, ...change }) =>
        change.role === 'user' || change.enabled === false
          ? known(id, LAST)
          : known(id, { ...account, ...change, libraryIds: (libraryIds ?? []).flatMap((text) => parseId<'library'>(text) ?? []) }),
      setPassword: async (_caller, id) => known(id, undefined),
      remove: async (_caller, id) => known(id, LAST),
      erase: async (_caller, id) => known(id, undefined),
    },
    logins: {
      get: async (id) => (id === login.id ? login : undefined),
      list: async () => ({ items: [login], next: null }),
      revoke: async (_userId, id) => (id === login.id ? undefined : refuse('not-found', 'There is no such login')),
      revokeOthers: async () => {},
    },
    signUps: {
      closed: () => refuse('forbidden', 'Accounts are made by an administrator here'),
      signUp: async () => ({ token: 'c'.repeat(43), account }),
    },
    exportData: async function* () {
      yield { type: 'account', id: account.id }
      yield { type: 'login', id: login.id }
    },
  }
}
