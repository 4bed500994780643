/**
 * Claims a unique name (an e-mail address, the place of the first admin): the stream of the name is the unique index. A claim whose user
 * was never registered may be taken over.
 */
import type { NameKind } from '../../events/account-events.ts'
import type { UserId } from '../../vocabulary/id.ts'
import type { Decider, Decision } from '../decider.ts'
import { refuse } from '../refusal.ts'

export type ClaimKind = Exclude<NameKind, 'admin'>

export interface ClaimState {
  readonly holder: { readonly userId: UserId; readonly at: string } | null
}

export const claim: Decider<ClaimState> = {
  initial: { holder: null },
  evolve: (state, event, at) => {
    if (event.type === 'NameClaimed') return { holder: { userId: event.data.userId, at } }
    return event.type === 'NameReleased' ? { holder: null } : state
  },
}

const TAKEN: Readonly<Record<ClaimKind, string>> = {
  email: 'This e-mail address is taken',
  identity: 'This account of the identity provider is linked to another user',
  'first-admin': 'There is an admin already',
}

/** `abandoned`: whether the holder is known not to have registered in time. */
export function claimName(kind: ClaimKind, userId: UserId, abandoned: (holder: NonNullable<ClaimState['holder']>) => boolean) {
  return (state: ClaimState): Decision => {
    const claimed = { type: 'NameClaimed', data: { kind, userId } } as const
    if (!state.holder) return [claimed]
    if (state.holder.userId === userId) return []
    if (!abandoned(state.holder)) return refuse('conflict', TAKEN[kind])
    return [{ type: 'NameReleased', data: { kind, userId: state.holder.userId } }, claimed]
  }
}

/** Releases the name; does nothing if another user holds it. */
export const releaseName =
  (kind: ClaimKind, userId: UserId) =>
  ({ holder }: ClaimState): Decision =>
    holder?.userId === userId ? [{ type: 'NameReleased', data: { kind, userId } }] : []
