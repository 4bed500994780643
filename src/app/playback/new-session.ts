/** Starts a playback session: decides how its file is played, and stores the start. */
import type { FileDocument } from '../../../projections/views/files.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { SessionId } from '../../vocabulary/id.ts'
import { resolutionOf } from '../../vocabulary/resolution.ts'
import type { Access } from '../access/access.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import { byUser } from '../commands/command-handler.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { NewSession } from './playback-types.ts'
import { sealedClient } from './sealed-texts.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionStreams } from './session-streams.ts'
import { streamOptionsFor, type StreamOptionsDependencies } from './stream-options.ts'

export interface NewSessionDependencies extends StreamOptionsDependencies {
  readonly access: Access
  readonly host: SessionHost
  readonly idleSeconds: number
  readonly readYourWrites: ReadYourWrites
  readonly sealer: Sealer
  readonly streams: SessionStreams
}

export interface Creation {
  readonly id: SessionId
  readonly caller: Caller
  readonly movie: MovieDocument
  readonly file: FileDocument
  readonly positionMs: number
  readonly durationMs: number
  readonly request: NewSession
  readonly origin: RequestOrigin
}

function resolutionIn({ media }: FileDocument) {
  const video = media?.video[0]
  return video ? resolutionOf(video.width, video.height) : null
}

/** Decides how the file is played and stores the start; returns when the session is visible. */
export async function beginSession(
  deps: NewSessionDependencies,
  { id: sessionId, caller, movie, file, positionMs, durationMs, request, origin }: Creation,
): Promise<SessionId | Refusal> {
  const { access, host, readYourWrites, sealer, streams } = deps
  // A retry of the request that started it.
  if (access.session(sessionId)) return sessionId
  const options = await streamOptionsFor(deps, file, request)
  if (isRefusal(options)) return options
  const { decision, qualities } = await streams.offer(file, options)
  const { method, reasons } = decision
  const data = {
    sessionId,
    userId: caller.userId,
    loginId: caller.loginId,
    libraryId: movie.libraryId,
    movieId: movie.id,
    fileId: file.id,
    fingerprint: file.fingerprint,
    positionMs,
    durationMs,
    title: movie.card.title,
    year: movie.card.year,
    resolution: resolutionIn(file),
    quality: request.quality ?? qualities[0]?.name ?? null,
    ...(await sealedClient(sealer, caller.userId, request.client)),
    // Copied video with encoded audio counts as `remux`; the reasons show the difference.
    method: method === 'transcode-audio' ? 'remux' : method,
    reasons,
    ...options,
    idleSeconds: deps.idleSeconds,
  }
  const reply = await host.start({ type: 'PlaybackStarted', data }, byUser(caller.userId, 'startPlayback', origin))
  if (isRefusal(reply)) return reply
  await readYourWrites.waitFor(reply.position)
  return sessionId
}
