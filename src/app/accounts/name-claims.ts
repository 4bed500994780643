/**
 * Claims unique names: e-mail addresses, and the place of the first admin. Each name has a stream whose name is an HMAC with a key of this
 * installation. The stream's first event is the unique index, and the stream's name reveals nothing.
 */
import { createHmac } from 'node:crypto'
import type { NameKind } from '../../events/account-events.ts'
import type { UserId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import { claimStream } from '../../events/streams.ts'
import { claim, claimName, releaseName, type ClaimKind, type ClaimState } from '../../domain/accounts/claim.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Vault } from '../../ports/vault.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'

/** Name of the vault secret that is the key of the HMACs. */
export const NAMES_SECRET = 'names'

type Holder = NonNullable<ClaimState['holder']>

/**
 * A claim is old when this node has known it for a minute. The time in the claim is by another node's clock, which may be minutes off. That
 * time alone counts only if it is a day ago: no clock that keeps a site running is that wrong.
 */
const OLD_AFTER_MS = 60_000
const OLD_BY_ITS_TIME_MS = 86_400_000
/** Bound of the cache. A claim that is evicted waits another minute. */
const REMEMBERED_CLAIMS = 1_000

export interface NameClaims {
  hmac(kind: NameKind, value: string): Promise<string>
  /** The holder of the name, according to the log. */
  holder(kind: ClaimKind, value: string): Promise<UserId | undefined>
  /** `useBy`: what the account of a holder makes of the name. Refusal: `conflict`. */
  take(name: Name, taker: Taker, useBy: (holder: UserId) => Promise<NameUse>): Promise<Position | Refusal>
  release(name: Name, holder: Taker): Promise<Position>
}

/** `unused`: perhaps not yet, so an old claim may be taken. `ended`: never again, so any may. */
export type NameUse = 'used' | 'unused' | 'ended'

export interface Name {
  readonly kind: ClaimKind
  readonly value: string
}

export interface Taker {
  readonly userId: UserId
  readonly author: Author
}

export function createNameClaims(deps: {
  readonly commandHandler: CommandHandler
  readonly clock: Clock
  readonly vault: Vault
}): NameClaims {
  const { commandHandler, clock, vault } = deps

  async function hmac(kind: NameKind, value: string): Promise<string> {
    const key = await vault.secret(NAMES_SECRET)
    return createHmac('sha256', key).update(`${kind}\0${value}`).digest('hex')
  }

  /** When this node first saw each claim, by its monotonic clock. */
  const firstSeen = createLruCache<number>(REMEMBERED_CLAIMS)

  /** Notes the claim if it is new to this node. */
  function isOld({ userId, at }: Holder, stream: string): boolean {
    const key = `${stream} ${userId} ${at}`
    const seenMs = firstSeen.get(key) ?? clock.monotonic()
    firstSeen.put(key, seenMs)
    return clock.monotonic() - seenMs > OLD_AFTER_MS || clock.now() - Date.parse(at) > OLD_BY_ITS_TIME_MS
  }

  const targetOf = async ({ kind, value }: Name) => ({ stream: claimStream(await hmac(kind, value)), decider: claim })

  return {
    hmac,

    async holder(kind, value) {
      const target = await targetOf({ kind, value })
      const { holder } = await commandHandler.load(target)
      if (holder) isOld(holder, target.stream)
      return holder?.userId
    },

    async take(name, { userId, author }, useBy) {
      const target = await targetOf(name)
      const { holder } = await commandHandler.load(target)
      const isFree = holder !== null && mayBeTaken(await useBy(holder.userId), isOld(holder, target.stream))
      const decide = claimName(name.kind, userId, (now) => isFree && now.userId === holder.userId && now.at === holder.at)
      const result = await commandHandler.execute(target, decide, author)
      if (isRefusal(result)) return result
      if (result.state.holder) isOld(result.state.holder, target.stream)
      return result.position
    },

    async release(name, { userId, author }) {
      const result = await commandHandler.execute(await targetOf(name), releaseName(name.kind, userId), author)
      if (isRefusal(result)) throw new Error(result.message)
      return result.position
    },
  }
}

const mayBeTaken = (use: NameUse, isOld: boolean): boolean => use === 'ended' || (use === 'unused' && isOld)
