/** Records refused sign-ins as events: those of visitors capped per network, wrong passwords of signed-in users capped per user. */
import type { EventData } from '../../events/catalogue.ts'
import { loginStream } from '../../events/streams.ts'
import { login, refuseSignIn } from '../../domain/accounts/login.ts'
import { isRefusal } from '../../domain/refusal.ts'
import type { UserId } from '../../vocabulary/id.ts'
import type { Ids } from '../../ports/ids.ts'
import { networkOf, type RequestOrigin } from '../access/caller.ts'
import { createCappedRecords, type CappedRecords, type CappedRecordsOptions } from '../commands/capped-records.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'
import { unlessBehind, type ReadYourWrites } from '../consistency/read-your-writes.ts'

export type RefusedSignIn = Pick<EventData['SignInRefused'], 'userId' | 'emailHmac' | 'reason'>

export interface SignInRefusals extends Pick<CappedRecords<unknown>, 'flush'> {
  ofVisitor(this: void, refused: RefusedSignIn, origin: RequestOrigin): Promise<void>
  /** Of a signed-in user who was asked for the password again. */
  ofUser(this: void, userId: UserId, reason: RefusedSignIn['reason'], origin: RequestOrigin): Promise<void>
}

export interface SignInRefusalsDependencies extends Pick<CappedRecordsOptions<unknown>, 'clock' | 'counters' | 'onError'> {
  readonly commandHandler: CommandHandler
  readonly ids: Ids
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
}

interface Refused extends RefusedSignIn {
  readonly times: number
  readonly origin: RequestOrigin
  /** Null: nobody was signed in. */
  readonly by: UserId | null
}

export function createSignInRefusals(deps: SignInRefusalsDependencies): SignInRefusals {
  const { commandHandler, ids, readYourWrites } = deps

  async function write({ by, origin, times, userId, emailHmac, reason }: Refused): Promise<void> {
    const loginId = ids.next<'login'>()
    const author = by
      ? byUser(by, 'confirmPassword', origin)
      : { actor: 'system', command: 'signIn', origin, subject: userId ?? 'visitors' }
    const data = { loginId, userId, emailHmac, reason, times }
    const result = await commandHandler.execute({ stream: loginStream(loginId), decider: login }, refuseSignIn(data), author)
    // The audit log should show it at once, but the answer does not depend on that.
    if (!isRefusal(result)) await readYourWrites.waitFor(result.position).catch(unlessBehind)
  }

  const { record, flush } = createCappedRecords<Refused>({ ...deps, write, together })
  return {
    ofVisitor: (refused, origin) => record(`sign-in.recorded.${networkOf(origin)}`, { ...refused, origin, times: 1, by: null }),
    ofUser: (by, reason, origin) => record(`password.recorded.${by}`, { userId: by, emailHmac: null, reason, origin, times: 1, by }),
    flush,
  }
}

/** Merges refusals of one account, or of several accounts from one network. */
function together(before: Refused, refused: Refused): Refused {
  const times = before.times + refused.times
  const isOneAccount = before.userId === refused.userId && before.emailHmac === refused.emailHmac
  const who = isOneAccount ? {} : { userId: null, emailHmac: null }
  return { ...refused, ...who, times, reason: before.reason === refused.reason ? refused.reason : 'several' }
}
