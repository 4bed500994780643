/**
 * Tracks when a player has to reload its playlists, because the tokens in them expire. The time counts from the master playlist: a player
 * loads the others right after it, and a later one renews only its own tokens. The log records when the player was ordered to reload, this
 * node's memory when it did so by itself. Playlists served by another node, or by this one before a restart, are unknown here. They cost
 * one reload too many, never one too few.
 */
import type { SessionId } from '../../vocabulary/id.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import type { Clock } from '../../ports/clock.ts'
import { STREAM_TOKEN_LIFE_SECONDS } from './stream-token.ts'

export interface PlaylistTokens {
  /** The session's player has received a master playlist. */
  given(this: void, id: SessionId): void
  /** Set if the player must reload its playlists. Order it to, unless it was ordered since the returned time. */
  reloadBefore(session: SessionDocument): number | undefined
  forget(this: void, id: SessionId): void
}

const LEFT_MS = 600_000
/** Most sessions in the cache. */
const KNOWN_MAX = 10_000
const GOOD_MS = STREAM_TOKEN_LIFE_SECONDS * 1000 - LEFT_MS

export function createPlaylistTokens(clock: Clock): PlaylistTokens {
  const givenAt = createLruCache<number>(KNOWN_MAX)
  return {
    given: (id) => givenAt.put(id, clock.now()),
    reloadBefore({ id, reloadAt }) {
      const beforeMs = clock.now() - GOOD_MS
      return Math.max(Date.parse(reloadAt), givenAt.peek(id) ?? 0) <= beforeMs ? beforeMs : undefined
    },
    forget: (id) => givenAt.remove(id),
  }
}
