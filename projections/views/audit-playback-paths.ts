/** Maps events of marks, playback sessions and transcode jobs to audit paths. Times are in seconds. */
import type { PlaybackEvents } from '../../src/events/playback-events.ts'
import type { TranscodeEvents } from '../../src/events/transcode-events.ts'
import { members, seconds, type PathsOf } from './audit-paths.ts'

const at = ({ positionMs }: { readonly positionMs: number }) => ({ position: seconds(positionMs) })

export const PLAYBACK_PATHS: { readonly [T in keyof PlaybackEvents | keyof TranscodeEvents]: PathsOf<T> } = {
  MovieMarkedWatched: ({ watchedAt }) => ({ watched: true, watchedAt }),
  MovieMarkedUnwatched: () => ({ watched: false, watchedAt: null }),
  MovieCompleted: ({ completedAt }) => ({ watched: true, watchedAt: completedAt }),
  ResumePointSet: ({ positionMs }) => ({ resumePosition: seconds(positionMs) }),
  ResumePointDismissed: ({ cleared = false }) => (cleared ? { resumePosition: null, dismissed: true } : { dismissed: true }),
  MovieWatchlisted: () => ({ watchlist: true }),
  MovieUnwatchlisted: () => ({ watchlist: false }),

  PlaybackStarted: (data) => ({ state: 'active', ...members('movieId', 'fileId', 'method', 'reasons', 'client')(data), ...at(data) }),
  PlaybackAdopted: members('node'),
  PlaybackHeartbeat: (data) => ({ ...at(data), ...members('playState', 'rate')(data) }),
  PlaybackSeeked: at,
  PlaybackEncoderChanged: members('encoder'),
  PlaybackCommandIssued: members('command', 'message'),
  PlaybackEnded: (data) => ({ state: 'ended', endReason: data.reason, ...at(data) }),
  PlaybackExpired: (data) => ({ state: 'ended', endReason: 'idle', ...at(data) }),

  TranscodeRequested: (data) => ({ state: 'requested', ...members('fileId', 'quality', 'method')(data), ...at(data) }),
  TranscodeAssigned: members('agentId'),
  TranscodeReassigned: (data) => ({ agentId: null, reason: data.reason, ...at(data) }),
  TranscodeFailed: (data) => ({ state: 'failed', reason: data.reason, ...at(data) }),
  TranscodeStopped: (data) => ({ state: 'stopped', reason: data.reason, ...at(data) }),
}
