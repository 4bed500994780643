/** Names of users by id, also of removed ones; "erased user" once the key of the name is destroyed. */
import type { UserId } from '../../vocabulary/id.ts'
import { parseId } from '../../vocabulary/id.ts'
import { decode } from '../../events/codec.ts'
import type { Sealed } from '../../events/sealed.ts'
import { userStream } from '../../events/streams.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { Access } from '../access/access.ts'
import type { Sealer } from '../commands/sealer.ts'
import { ERASED, type Accounts } from './accounts.ts'

export interface UserNamesDependencies {
  readonly access: Pick<Access, 'users'>
  readonly accounts: Pick<Accounts, 'open'>
  readonly log: Pick<EventLog, 'read'>
  readonly sealer: Pick<Sealer, 'open'>
}

/** Null if there never was such a user. */
export function createUserNames({ access, accounts, log, sealer }: UserNamesDependencies): (userId: string) => Promise<string | null> {
  async function nameInLog(userId: UserId): Promise<string | null> {
    let name: Sealed | undefined
    for await (const stored of log.read(userStream(userId))) {
      const event = decode(stored)
      if (event?.type === 'UserRegistered' || event?.type === 'UserProfileChanged') ({ name } = event.data)
    }
    return name === undefined ? null : ((await sealer.open(name)) ?? ERASED)
  }

  return async (text) => {
    const user = access.users.get(text)
    if (user) return (await accounts.open(user)).name
    const userId = parseId<'user'>(text)
    return userId ? nameInLog(userId) : null
  }
}
