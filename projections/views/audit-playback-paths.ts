/** Maps events of marks, playback sessions and transcode jobs to audit paths. Times are in seconds. */
import type { JsonObject } from '../../src/events/envelope.ts'
import type { PlaybackEvents } from '../../src/events/playback-events.ts'
import type { TranscodeEvents } from '../../src/events/transcode-events.ts'
import { members, numberIn, seconds, type PathsOf } from './audit-paths.ts'

const at = ({ positionMs }: { readonly positionMs: number }) => ({ position: seconds(positionMs) })

/** As in `user_movies`: an existing mark keeps its time, and a watched film has no resume point. */
const watchedPaths = (watchedAt: string, before: JsonObject): JsonObject => ({
  watched: true,
  watchedAt: before['watchedAt'] ?? watchedAt,
  resumePosition: null,
})

export const PLAYBACK_PATHS: { readonly [T in keyof PlaybackEvents | keyof TranscodeEvents]: PathsOf<T> } = {
  MovieMarkedWatched: ({ watchedAt }, before) => watchedPaths(watchedAt, before),
  MovieMarkedUnwatched: () => ({ watched: false, watchedAt: null }),
  MovieCompleted: ({ completedAt }, before) => ({ ...watchedPaths(completedAt, before), playCount: numberIn(before, 'playCount') + 1 }),
  ResumePointSet: ({ positionMs }, before) => ({
    resumePosition: seconds(positionMs),
    ...(before['dismissed'] === true ? { dismissed: false } : {}),
  }),
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
