/** Playback service: sessions for callers. Commands go to the session's actor, answers come from memory and read models. */
import type { SessionId } from '../../vocabulary/id.ts'
import { resolutionOf } from '../../vocabulary/resolution.ts'
import { streamOptionsOf } from '../../vocabulary/stream-options.ts'
import { watchedStream } from '../../events/streams.ts'
import type { FileDocument } from '../../../projections/views/files.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { clampPosition } from '../../domain/playback/playback.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import { mainGainDb } from '../../domain/streaming/audio-gain.ts'
import { dismiss, watched } from '../../domain/movies/user-movie.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Media } from '../../ports/media.ts'
import type { Access } from '../access/access.ts'
import type { Account, Caller, RequestOrigin } from '../access/caller.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'
import { listContinueWatching } from './continue-watching.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { newId } from '../commands/new-id.ts'
import type { PlaylistTokens } from './playlist-tokens.ts'
import type { SessionStreams } from './session-streams.ts'
import { pageOf } from '../read-models/page.ts'
import type { ActiveSession, NewSession, PlayableSession, Playback, PlayDecision } from './playback-types.ts'
import type { Sealer } from '../commands/sealer.ts'
import { openedCommands, sealedClient } from './sealed-texts.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionCommand } from './session-protocol.ts'
import type { AudioGains } from './audio-gain.ts'
import { streamOptionsFor } from './stream-options.ts'
import { createStreamLimit } from './stream-limit.ts'
import type { Trickplay } from '../derived-media/trickplay.ts'
import { type ExplainMissing } from './missing-sessions.ts'
import { visibleMovie, visibleMovieId } from '../movies/movies.ts'
import { NO_SUCH_MOVIE } from '../../domain/movies/refusals.ts'
import { NO_SUCH_SESSION } from '../../domain/playback/refusals.ts'

export interface PlaybackDependencies {
  readonly access: Access
  readonly accountOf: (userId: string) => Promise<Account | undefined>
  readonly commandHandler: CommandHandler
  readonly documents: ReadModels
  readonly readYourWrites: ReadYourWrites
  readonly host: SessionHost
  readonly ids: Ids
  readonly idleSeconds: number
  readonly media: Media
  readonly playlistTokens: PlaylistTokens
  readonly sealer: Sealer
  readonly audioGains: Pick<AudioGains, 'resolve'>
  readonly streams: SessionStreams
  readonly trickplay: Pick<Trickplay, 'plan'>
  readonly whyUnseen: ExplainMissing
}

/** Of a session whose file is gone from the catalogue. */
const NOTHING_DECIDED: PlayDecision = { method: 'transcode', reasons: [], rejected: [] }
const NO_FILE = refuse('not-found', 'There is no such file of this movie')
const NOT_YOURS = refuse('forbidden', "This is another user's session")
const AWAY = refuse('unavailable', 'The file of this movie is unavailable now: its drive may not be mounted', { retryAfterSeconds: 30 })

export function createPlayback(deps: PlaybackDependencies): Playback {
  const { access, commandHandler, documents, readYourWrites, host, playlistTokens, sealer, streams } = deps
  const withinLimit = createStreamLimit(deps)

  /** The caller's own live session. */
  async function own(caller: Caller, id: string): Promise<SessionDocument | Refusal> {
    const session = access.session(id)
    if (!session) return deps.whyUnseen(id)
    if (session.userId !== caller.userId) return NOT_YOURS
    return access.library(caller, session.libraryId) ? session : NO_SUCH_SESSION
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
    const offer = file && (await streams.offer(file, streamOptionsOf(session)))
    const point = (await documents.ownOf(session.userId, [session.movieId])).get(session.movieId)
    return {
      session,
      problem: streams.problem(session.id),
      resumePositionMs: point?.resume?.positionMs ?? null,
      decision: offer?.decision ?? NOTHING_DECIDED,
      qualities: offer?.qualities ?? [],
      subtitles: offer?.subtitles ?? [],
      burnable: offer?.burnable ?? [],
      audio: offer?.audio ?? [],
      chapters: file?.media?.chapters ?? [],
      audioGainDb: file?.media ? mainGainDb(file.media, session.audioGain) : null,
      hasTrickplay: file !== undefined && (await deps.trickplay.plan(file)) !== undefined,
    }
  }

  /** For the person who watches: erasing them erases it. */
  const sealed = async ({ userId }: SessionDocument, message: string | null) => (message === null ? null : sealer.seal(userId, message))

  /** Settles when what came of it is visible. */
  async function carryOut(
    session: SessionDocument,
    command: SessionCommand,
    { caller, name, origin }: Commanding,
  ): Promise<void | Refusal> {
    // A heartbeat carries neither address nor client: its session has them.
    const { subject: _, ...author } = byUser(caller.userId, name, origin)
    const reply = await host.send(session.id, { command, author })
    return isRefusal(reply) ? reply : readYourWrites.waitFor(reply.position)
  }

  async function tell(session: SessionDocument, command: SessionCommand, by: Commanding): Promise<SessionDocument | Refusal> {
    return (await carryOut(session, command, by)) ?? access.session(session.id) ?? NO_SUCH_SESSION
  }

  async function active(session: SessionDocument): Promise<ActiveSession | undefined> {
    const [movie, user] = await Promise.all([documents.movies.get(session.movieId), deps.accountOf(session.userId)])
    if (!movie || !user) return undefined
    const mine = await documents.ownOf(session.userId, [movie.id])
    return { ...(await playable(session)), user: { id: user.id, name: user.name }, movie: { movie, own: mine.get(movie.id) ?? null } }
  }

  return {
    async start(caller, request, origin) {
      const movie = await visibleMovie(deps, caller, request.movieId)
      if (!movie) return NO_SUCH_MOVIE
      const file = await chooseFile(movie, request.fileId)
      if (isRefusal(file)) return file
      const durationMs = file.media?.durationMs ?? 0
      const positionMs = clampPosition(request.startPositionMs ?? 0, durationMs, 'seek', 'startPosition')
      if (typeof positionMs !== 'number') return positionMs
      const id = newId('session', deps.ids, origin)
      const creation = { id, caller, movie, file, positionMs, durationMs, request, origin }
      const sessionId = await withinLimit({ userId: caller.userId, id }, () => create(deps, creation))
      if (isRefusal(sessionId)) return sessionId
      const quality = request.quality === undefined ? {} : { quality: request.quality }
      const wanted = () => access.session(sessionId) !== undefined
      const session = access.session(sessionId)
      if (!session) return NO_SUCH_SESSION
      streams.prewarm(file, { positionMs, sessionId, wanted, terms: streamOptionsOf(session), ...quality })
      return playable(session)
    },

    async heartbeat(caller, id, beat, origin) {
      const session = await own(caller, id)
      if (isRefusal(session)) return session
      const beforeMs = playlistTokens.reloadBefore(session)
      const reload = beforeMs === undefined ? {} : { reload: { commandId: deps.ids.next<'command'>(), beforeMs } }
      const means = streams.replacementEncoder(session)
      const instead = means === undefined ? {} : { instead: { commandId: deps.ids.next<'command'>(), ...means } }
      const command = { type: 'beat', beat: { ...beat, ...reload, ...instead } } as const
      const told = await tell(session, command, { caller, name: 'heartbeat', origin }).catch((cause: unknown) => {
        // The player did its part: a server or a disk that takes no events must not end its session.
        access.idle.missed(session.id)
        throw cause
      })
      return isRefusal(told) ? told : { session: told, problem: streams.problem(told.id), commands: await openedCommands(sealer, told) }
    },

    async seek(caller, id, positionMs, origin) {
      const session = await own(caller, id)
      const told = isRefusal(session) ? session : await tell(session, { type: 'seek', positionMs }, { caller, name: 'seek', origin })
      return isRefusal(told) ? told : playable(told)
    },

    async end(caller, id, origin, positionMs) {
      const session = await own(caller, id)
      if (isRefusal(session)) return session
      const command = { type: 'end', reason: 'client', ...(positionMs === undefined ? {} : { positionMs }) } as const
      return carryOut(session, command, { caller, name: 'endPlayback', origin })
    },

    async terminate(caller, id, { message, origin }) {
      const session = access.session(id)
      if (!session) return deps.whyUnseen(id)
      const last = { commandId: deps.ids.next<'command'>(), command: 'stop', message: await sealed(session, message) } as const
      return carryOut(session, { type: 'end', reason: 'admin', last }, { caller, name: 'terminatePlayback', origin })
    },

    async command(caller, id, { order, origin }) {
      const session = access.session(id)
      if (!session) return deps.whyUnseen(id)
      const commandId = deps.ids.next<'command'>()
      const by = { caller, name: 'commandPlayer', origin }
      const message = await sealed(session, order.message)
      const refusal = await carryOut(session, { type: 'command', order: { ...order, commandId, message } }, by)
      return refusal ?? { id: commandId, ...order }
    },

    masterGiven: playlistTokens.given,

    async get(caller, id) {
      const session = await own(caller, id)
      return isRefusal(session) ? session : playable(session)
    },

    async inspect(caller, id) {
      const session = access.session(id)
      if (!session) return deps.whyUnseen(id)
      return (access.library(caller, session.libraryId) && (await active(session))) ?? NO_SUCH_SESSION
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
      const movieId = await visibleMovieId(deps, caller, id)
      if (!movieId) return NO_SUCH_MOVIE
      const target = { stream: watchedStream(caller.userId, movieId), decider: watched }
      const decide = dismiss({ userId: caller.userId, movieId })
      const listed = (await documents.ownOf(caller.userId, [movieId])).get(movieId)?.continueKey
      if (!listed) return undefined
      const result = await commandHandler.execute(target, decide, byUser(caller.userId, 'dismissResumePoint', origin))
      return isRefusal(result) ? result : readYourWrites.waitFor(result.position)
    },
  }
}

interface Commanding {
  readonly caller: Caller
  readonly name: string
  readonly origin: RequestOrigin
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

function resolutionIn({ media }: FileDocument) {
  const video = media?.video[0]
  return video ? resolutionOf(video.width, video.height) : null
}

async function create(
  deps: PlaybackDependencies,
  { id: sessionId, caller, movie, file, positionMs, durationMs, request, origin }: Creation,
): Promise<SessionId | Refusal> {
  const { access, host, readYourWrites, sealer, streams } = deps
  // A repeat of the request that started it.
  if (access.session(sessionId)) return sessionId
  const terms = await streamOptionsFor(deps, file, request)
  if (isRefusal(terms)) return terms
  const { decision, qualities } = await streams.offer(file, terms)
  const { method, reasons } = decision
  const data = {
    sessionId,
    userId: caller.userId,
    loginId: caller.loginId,
    libraryId: movie.libraryId,
    movieId: movie.id,
    fileId: file.id,
    positionMs,
    durationMs,
    title: movie.card.title,
    year: movie.card.year,
    resolution: resolutionIn(file),
    quality: request.quality ?? qualities[0]?.name ?? null,
    ...(await sealedClient(sealer, caller.userId, request.client)),
    // A copied picture with sound made anew is told apart by the reasons.
    method: method === 'transcode-audio' ? 'remux' : method,
    reasons,
    ...terms,
    idleSeconds: deps.idleSeconds,
  }
  const reply = await host.start({ type: 'PlaybackStarted', data }, byUser(caller.userId, 'startPlayback', origin))
  if (isRefusal(reply)) return reply
  await readYourWrites.waitFor(reply.position)
  return sessionId
}
