/**
 * Playlist tokens: when a player has to load its playlists anew, since those that it has keep the tokens that they were given with.
 * Counted from the master playlist: the others of a player come right after it, and one that is loaded later
 * helps only itself. The log knows when the player was told to reload, this node's memory when it did so by itself; what another
 * node gave out, or this one before a restart, is not known here and costs one reload too many, never one too few.
 */
import type { SessionId } from '../../vocabulary/id.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import type { Clock } from '../../ports/clock.ts'
import { STREAM_TOKEN_LIFE_SECONDS } from './stream-token.ts'

export interface PlaylistTokens {
  /** The session's player was given a master playlist. */
  given(this: void, id: SessionId): void
  /** Where the player is to be told to load its playlists anew: unless it was since that time. */
  reloadBefore(session: SessionDocument): number | undefined
  forget(this: void, id: SessionId): void
}

const LEFT_MS = 600_000
/** Sessions remembered at most. */
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
