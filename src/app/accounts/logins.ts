/** Lists the logins of an account, and ends them from another device. */
import type { LoginId, UserId } from '../../vocabulary/id.ts'
import type { AccessScope } from '../../events/account-events.ts'
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
  /** Null: a sign-in. */
  readonly accessToken: OpenedAccessToken | null
}

export interface OpenedAccessToken {
  readonly name: string
  readonly scopes: readonly AccessScope[]
  readonly usedAt: string | null
}

export type LoginKind = 'sign-in' | 'access-token'

export interface Logins {
  get(loginId: LoginId): Promise<OpenedLogin | undefined>
  /** Active logins, newest first; default: of both kinds. */
  list(userId: UserId, page: PageRequest, kind?: LoginKind): Promise<ListPage<OpenedLogin>>
  /** Ends one of the user's logins; the author may be anybody. Refusal: `not-found`. */
  revoke(userId: UserId, loginId: string, author: Author, kind?: LoginKind): Promise<void | Refusal>
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
const UNKNOWN_TOKEN = refuse('not-found', 'There is no such access token')

export function createLogins({ access, commandHandler, readYourWrites, sealer }: LoginsDependencies): Logins {
  const holds = (document: LoginDocument) => access.callerByLogin(document.id) !== undefined
  const isOf = ({ accessToken }: LoginDocument, kind: LoginKind | undefined) =>
    !kind || (kind === 'access-token') === (accessToken !== null)
  const held = (userId: UserId, kind?: LoginKind) =>
    [...access.logins.values()].filter((document) => document.userId === userId && isOf(document, kind) && holds(document))

  async function open({ id, userId, createdAt, updatedAt, expiresAt, address, client, accessToken }: LoginDocument): Promise<OpenedLogin> {
    const opened = async (sealed: typeof address) => (sealed && (await sealer.open(sealed))) ?? null
    const named = accessToken && { ...accessToken, name: (await opened(accessToken.name)) ?? '' }
    return { id, userId, createdAt, updatedAt, expiresAt, address: await opened(address), client: await opened(client), accessToken: named }
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

    async list(userId, request, kind) {
      const page = pageOf(held(userId, kind), request, ({ createdAt }) => createdAt, true)
      return { ...page, items: await Promise.all(page.items.map(open)) }
    },

    async revoke(userId, loginId, author, kind) {
      const document = held(userId, kind).find(({ id }) => id === loginId)
      if (!document) return kind === 'access-token' ? UNKNOWN_TOKEN : UNKNOWN
      return readYourWrites.waitFor(await end(document.id, author))
    },

    async revokeOthers(userId, kept, author) {
      let position = START
      for (const { id } of held(userId)) if (id !== kept) position = later(position, await end(id, author))
      await readYourWrites.waitFor(position)
    },
  }
}
