/** Lists the logins of an account, and ends them from another device. */
import type { LoginId, UserId } from '../../vocabulary/id.ts'
import { later, START, type Position } from '../../events/position.ts'
import { loginStream } from '../../events/streams.ts'
import type { LoginDocument } from '../../../projections/views/logins.ts'
import { login, revoke } from '../../domain/accounts/login.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { Access } from '../access/access.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { pageOf, type ListPage, type PageRequest } from '../read-models/page.ts'
import type { Sealer } from '../commands/sealer.ts'

/** A login and its origin, without its token or the token's hash. */
export interface OpenedLogin {
  readonly id: LoginId
  readonly userId: UserId
  readonly createdAt: string
  readonly updatedAt: string
  readonly expiresAt: string
  readonly address: string | null
  readonly client: string | null
}

export interface Logins {
  get(loginId: LoginId): Promise<OpenedLogin | undefined>
  /** Active logins, newest first. */
  list(userId: UserId, page: PageRequest): Promise<ListPage<OpenedLogin>>
  /** Ends one of the user's logins; the author may be anybody. Refusal: `not-found`. */
  revoke(userId: UserId, loginId: string, author: Author): Promise<void | Refusal>
  /** Ends all logins of the user except this one. */
  revokeOthers(userId: UserId, kept: LoginId, author: Author): Promise<void>
}

export interface LoginsDependencies {
  readonly access: Access
  readonly commandHandler: CommandHandler
  readonly readYourWrites: ReadYourWrites
  readonly sealer: Sealer
}

const UNKNOWN = refuse('not-found', 'There is no such login')

export function createLogins({ access, commandHandler, readYourWrites, sealer }: LoginsDependencies): Logins {
  const holds = (document: LoginDocument) => access.callerByLogin(document.id) !== undefined
  const held = (userId: UserId) => [...access.logins.values()].filter((document) => document.userId === userId && holds(document))

  async function open({ id, userId, createdAt, updatedAt, expiresAt, address, client }: LoginDocument): Promise<OpenedLogin> {
    const opened = async (sealed: typeof address) => (sealed && (await sealer.open(sealed))) ?? null
    return { id, userId, createdAt, updatedAt, expiresAt, address: await opened(address), client: await opened(client) }
  }

  async function end(loginId: LoginId, author: Author): Promise<Position> {
    const result = await commandHandler.execute({ stream: loginStream(loginId), decider: login }, revoke, author)
    if (isRefusal(result)) throw new Error(result.message)
    return result.position
  }

  return {
    async get(loginId) {
      const document = access.logins.get(loginId)
      return document && open(document)
    },

    async list(userId, request) {
      const page = pageOf(held(userId), request, ({ createdAt }) => createdAt, true)
      return { ...page, items: await Promise.all(page.items.map(open)) }
    },

    async revoke(userId, loginId, author) {
      const document = held(userId).find(({ id }) => id === loginId)
      if (!document) return UNKNOWN
      return readYourWrites.waitFor(await end(document.id, author))
    },

    async revokeOthers(userId, kept, author) {
      let position = START
      for (const { id } of held(userId)) if (id !== kept) position = later(position, await end(id, author))
      await readYourWrites.waitFor(position)
    },
  }
}
