/** Maps a command for a session's actor to its decision. */
import type { Decision } from '../../domain/decider.ts'
import {
  beat,
  command as order,
  end,
  expire,
  reloadPlaylists,
  seek,
  switchEncoder,
  type PlaybackState,
} from '../../domain/playback/playback.ts'
import { refuse } from '../../domain/refusal.ts'
import type { SessionCommand } from './session-protocol.ts'

/** `nowMs`: by the clock that dated the session's last heartbeat. */
export function decisionOf(command: SessionCommand, nowMs: number): (state: PlaybackState) => Decision {
  switch (command.type) {
    case 'beat':
      return beat(command.beat, nowMs)
    case 'reloadPlaylists':
      return reloadPlaylists(command, nowMs)
    case 'switchEncoder':
      return switchEncoder(command, nowMs)
    case 'seek':
      return seek(command.positionMs, nowMs)
    case 'end':
      return end(command.reason, nowMs, command)
    case 'command':
      return order(command.order, nowMs)
    case 'expire':
      return expire(nowMs)
    default:
      return () => refuse('invalid', 'The node that has this session does not know this command')
  }
}
