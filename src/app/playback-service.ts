/** Playback service: sessions for callers. Commands go to the session's actor, answers come from memory and read models. */
import { parseId, type SessionId } from '../events/id.ts'
import { watchedStream } from '../events/streams.ts'
import type { FileDocument } from '../../projections/files.ts'
import type { MovieDocument } from '../../projections/movies.ts'
import type { SessionDocument } from '../../projections/playback-sessions.ts'
import { clampPosition } from '../domain/playback.ts'
import { isRefusal, refuse, type Refusal } from '../domain/refusal.ts'
import { dismiss, watched } from '../domain/watched.ts'
import type { Ids } from '../ports/ids.ts'
import type { Media } from '../ports/media.ts'
import type { Access } from './access.ts'
import type { Account, Caller, RequestOrigin } from './caller.ts'
import { byUser, type Commander } from './commander.ts'
import { listContinueWatching } from './continue-watching.ts'
import type { Documents } from './documents.ts'
import type { Freshness } from './freshness.ts'
import { newId } from './new-id.ts'
import { pageOf } from './page.ts'
import type { ActiveSession, NewSession, PlayableSession, Playback, Quality } from './playback.ts'
import type { Sealer } from './sealer.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionCommand } from './session-protocol.ts'

/** What can be streamed of a file, as the streaming engine says. */
export interface StreamOffer {
  readonly method: 'remux' | 'transcode'
  readonly reasons: readonly string[]
  readonly qualities: readonly Quality[]
  readonly audio: PlayableSession['audio']
  readonly subtitles: PlayableSession['subtitles']
}

export interface Streams {
  offer(file: FileDocument): Promise<StreamOffer>
  /** Starts what the player will ask for first. */
  prewarm(file: FileDocument, start: { readonly positionMs: number; readonly sessionId: SessionId }): void
  /** The session is over: what runs for it alone stops. */
  leave(sessionId: SessionId): void
}

export interface PlaybackDependencies {
  readonly access: Access
  readonly accountOf: (userId: string) => Promise<Account | undefined>
  readonly commander: Commander
  readonly documents: Documents
  readonly freshness: Freshness
  readonly host: SessionHost
  readonly ids: Ids
  readonly idleSeconds: number
  readonly media: Media
  readonly sealer: Sealer
  readonly streams: Streams
}

const NO_MOVIE = refuse('not-found', 'There is no such movie')
const NO_FILE = refuse('not-found', 'There is no such file of this movie')
const NO_SESSION = refuse('not-found', 'There is no such playback session')
const NOT_YOURS = refuse('forbidden', "This is another user's session")
const AWAY = refuse('unavailable', 'The file of this movie is away at the moment', { retryAfterSeconds: 30 })
const LIMIT = refuse('conflict', 'Stream limit reached')

export function createPlayback(deps: PlaybackDependencies): Playback {
  const { access, commander, documents, freshness, host, streams } = deps

  /** The caller's own live session. */
  function own(caller: Caller, id: string): SessionDocument | Refusal {
    const session = access.session(id)
    if (!session) return NO_SESSION
    if (session.userId !== caller.userId) return NOT_YOURS
    return access.library(caller, session.libraryId) ? session : NO_SESSION
  }

  async function chooseFile(movie: MovieDocument, fileId: string | undefined): Promise<FileDocument | Refusal> {
    const files = (await documents.filesOf(movie)).filter(({ id }) => fileId === undefined || id === fileId)
    if (files.length === 0 && fileId !== undefined) return NO_FILE
    // A version on a drive that is away gives way to the next one.
    for (const file of files) if (!file.missing && file.media && (await deps.media.stamp(file.path))) return file
    return AWAY
  }

  async function playable(session: SessionDocument): Promise<PlayableSession> {
    const file = await documents.files.get(session.fileId)
    const offer = file && (await streams.offer(file))
    const point = (await documents.ownOf(session.userId, [session.movieId])).get(session.movieId)
    return {
      session,
      resumePositionMs: point?.resume?.positionMs ?? null,
      qualities: offer?.qualities ?? [],
      subtitles: offer?.subtitles ?? [],
      audio: offer?.audio ?? [],
    }
  }

  async function tell(session: SessionDocument, command: SessionCommand, by: { caller: Caller; name: string; origin: RequestOrigin }) {
    const { caller, name, origin } = by
    // A heartbeat carries neither address nor client: its session has them.
    const { subject: _, ...author } = byUser(caller.userId, name, origin)
    const reply = await host.send(session.id, { command, author })
    if (isRefusal(reply)) return reply
    await freshness.reach(reply.position)
    return access.session(session.id) ?? NO_SESSION
  }

  async function active(session: SessionDocument): Promise<ActiveSession | undefined> {
    const [movie, user] = await Promise.all([documents.movies.get(session.movieId), deps.accountOf(session.userId)])
    if (!movie || !user) return undefined
    const mine = await documents.ownOf(session.userId, [movie.id])
    return { ...(await playable(session)), user: { id: user.id, name: user.name }, movie: { movie, own: mine.get(movie.id) ?? null } }
  }

  return {
    async start(caller, request, origin) {
      const movie = await documents.movies.get(request.movieId)
      if (!movie || !access.library(caller, movie.libraryId)) return NO_MOVIE
      const file = await chooseFile(movie, request.fileId)
      if (isRefusal(file)) return file
      const durationMs = file.media?.durationMs ?? 0
      const positionMs = clampPosition(request.startPositionMs ?? 0, durationMs, 'seek', 'startPosition')
      if (typeof positionMs !== 'number') return positionMs
      const id = newId('session', deps.ids, origin)
      if (isAtLimit(access, caller) && !access.session(id)) return LIMIT
      const sessionId = await create(deps, { id, caller, movie, file, positionMs, durationMs, request, origin })
      if (isRefusal(sessionId)) return sessionId
      streams.prewarm(file, { positionMs, sessionId })
      const session = access.session(sessionId)
      return session ? playable(session) : NO_SESSION
    },

    async heartbeat(caller, id, beat, origin) {
      const session = own(caller, id)
      return isRefusal(session) ? session : tell(session, { type: 'beat', beat }, { caller, name: 'heartbeat', origin })
    },

    async seek(caller, id, positionMs, origin) {
      const session = own(caller, id)
      const told = isRefusal(session) ? session : await tell(session, { type: 'seek', positionMs }, { caller, name: 'seek', origin })
      return isRefusal(told) ? told : playable(told)
    },

    async end(caller, id, origin) {
      const session = own(caller, id)
      if (isRefusal(session)) return session
      const { subject: _, ...author } = byUser(caller.userId, 'endPlayback', origin)
      const reply = await host.send(session.id, { command: { type: 'end', reason: 'client' }, author })
      if (isRefusal(reply)) return reply
      return freshness.reach(reply.position)
    },

    async terminate(caller, id, origin) {
      const session = access.session(id)
      if (!session) return NO_SESSION
      const { subject: _, ...author } = byUser(caller.userId, 'terminatePlayback', origin)
      const reply = await host.send(session.id, { command: { type: 'end', reason: 'admin' }, author })
      return isRefusal(reply) ? reply : freshness.reach(reply.position)
    },

    async get(caller, id) {
      const session = own(caller, id)
      return isRefusal(session) ? session : playable(session)
    },

    async active(caller, request, everyone) {
      const seen = [...access.sessions.values()].filter(
        ({ id, userId, libraryId }) => access.session(id) && (everyone || userId === caller.userId) && access.library(caller, libraryId),
      )
      const page = pageOf(seen, request, ({ createdAt }) => createdAt, true)
      const items = await Promise.all(page.items.map(active))
      return { items: items.filter((item) => item !== undefined), next: page.next }
    },

    continueWatching: (caller, page, past = documents) => listContinueWatching({ ...deps, documents: past }, caller, page),

    async dismiss(caller, id, origin) {
      const movieId = parseId<'movie'>(id)
      const movie = movieId && (await documents.movies.get(movieId))
      if (!movie || !access.library(caller, movie.libraryId)) return NO_MOVIE
      const target = { stream: watchedStream(caller.userId, movie.id), decider: watched }
      const decide = dismiss({ userId: caller.userId, movieId: movie.id })
      const listed = (await documents.ownOf(caller.userId, [movie.id])).get(movie.id)?.continueKey
      if (!listed) return undefined
      const outcome = await commander.execute(target, decide, byUser(caller.userId, 'dismissResumePoint', origin))
      return isRefusal(outcome) ? outcome : freshness.reach(outcome.position)
    },
  }
}

function isAtLimit(access: Access, { userId }: Caller): boolean {
  const limit = access.users.get(userId)?.maxConcurrentStreams ?? null
  if (limit === null) return false
  return [...access.sessions.values()].filter((session) => session.userId === userId && access.session(session.id)).length >= limit
}

interface Creation {
  readonly id: SessionId
  readonly caller: Caller
  readonly movie: MovieDocument
  readonly file: FileDocument
  readonly positionMs: number
  readonly durationMs: number
  readonly request: NewSession
  readonly origin: RequestOrigin
}

async function create(
  deps: PlaybackDependencies,
  { id: sessionId, caller, movie, file, positionMs, durationMs, request, origin }: Creation,
): Promise<SessionId | Refusal> {
  const { access, host, freshness, sealer, streams } = deps
  // A repeat of the request that started it.
  if (access.session(sessionId)) return sessionId
  const { method, reasons } = await streams.offer(file)
  const data = {
    sessionId,
    userId: caller.userId,
    loginId: caller.loginId,
    libraryId: movie.libraryId,
    movieId: movie.id,
    fileId: file.id,
    positionMs,
    durationMs,
    client: request.client ? await sealer.seal(caller.userId, JSON.stringify(request.client)) : null,
    method,
    reasons,
    idleSeconds: deps.idleSeconds,
  }
  const reply = await host.start({ type: 'PlaybackStarted', data }, byUser(caller.userId, 'startPlayback', origin))
  if (isRefusal(reply)) return reply
  await freshness.reach(reply.position)
  return sessionId
}
