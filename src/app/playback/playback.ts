/** Playback service: serves sessions to callers. Commands go to the session's actor, answers come from memory and read models. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { streamOptionsOf } from '../../vocabulary/stream-options.ts'
import { watchedStream } from '../../events/streams.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { placeIn } from '../../../projections/views/resume-place.ts'
import { clampPosition } from '../../domain/playback/playback.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import { mainGainDb } from '../../domain/streaming/audio-gain.ts'
import { dismiss, watched } from '../../domain/movies/user-movie.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Media } from '../../ports/media.ts'
import type { Access } from '../access/access.ts'
import type { Account, Caller, RequestOrigin } from '../access/caller.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'
import { createActiveSessions } from './active-sessions.ts'
import { listContinueWatching } from './continue-watching.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { newId } from '../commands/new-id.ts'
import { chooseFile } from './file-choice.ts'
import { beginSession } from './new-session.ts'
import type { PlaylistTokens } from './playlist-tokens.ts'
import type { SessionStreams } from './session-streams.ts'
import type { NewSession, PlayableSession, Playback, PlayDecision, PlayerOrder, IssuedCommand } from './playback-types.ts'
import type { Sealer } from '../commands/sealer.ts'
import { openedCommands } from './sealed-texts.ts'
import { fileProblem, isUnchangedIn } from './session-file.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionCommand } from './session-protocol.ts'
import type { AudioGains } from './audio-gain.ts'
import { createStreamLimit, type WithinStreamLimit } from './stream-limit.ts'
import type { Trickplay } from '../derived-media/trickplay.ts'
import { type ExplainMissing } from './missing-sessions.ts'
import { visibleMovie, visibleMovieId } from '../movies/movies.ts'
import { NO_SUCH_MOVIE } from '../../domain/movies/refusals.ts'
import { NO_SUCH_SESSION } from '../../domain/playback/refusals.ts'
import type { Report } from '../../ports/report.ts'

export interface PlaybackDependencies {
  readonly access: Access
  readonly accountOf: (userId: string) => Promise<Account | undefined>
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  readonly readModels: ReadModels
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
  readonly explainMissing: ExplainMissing
  readonly onError: Report
}

/** For a session whose file is no longer in the catalogue, or was replaced. */
const NOTHING_DECIDED: PlayDecision = { method: 'transcode', reasons: [], rejected: [] }
const NOT_YOURS = refuse('forbidden', "This is another user's session")

interface State extends PlaybackDependencies {
  readonly withinLimit: WithinStreamLimit
}

export function createPlayback(deps: PlaybackDependencies): Playback {
  const { access, readModels, playlistTokens, sealer } = deps
  const state: State = { ...deps, withinLimit: createStreamLimit(deps) }
  const sessions = createActiveSessions({ ...deps, playable: (session) => playable(state, session) })

  return {
    start: (caller, request, origin) => start(state, caller, request, origin),
    mayPlay: async (caller, movieId) => ((await visibleMovieId(deps, caller, movieId)) ? undefined : NO_SUCH_MOVIE),

    async heartbeat(caller, id, beat, origin) {
      const session = await own(state, caller, id)
      if (isRefusal(session)) return session
      const heard = await carryOutOn(state, session, { type: 'beat', beat }, { caller, name: 'heartbeat', origin }).catch(
        (cause: unknown) => {
          // The player did its part: an outage of a server or a full disk must not end its session.
          access.idle.missed(session.id)
          throw cause
        },
      )
      if (isRefusal(heard)) return heard
      const current = await renewStream(state, heard, { caller, origin })
      return { session: current, problem: await problemOf(state, current), commands: await openedCommands(sealer, current) }
    },

    async seek(caller, id, positionMs, origin) {
      const session = await own(state, caller, id)
      if (isRefusal(session)) return session
      const moved = await carryOutOn(state, session, { type: 'seek', positionMs }, { caller, name: 'seek', origin })
      return isRefusal(moved) ? moved : playable(state, moved)
    },

    async end(caller, id, origin, positionMs) {
      const session = await own(state, caller, id)
      if (isRefusal(session)) return session
      const command = { type: 'end', reason: 'client', ...omitUndefined({ positionMs }) } as const
      return carryOut(state, session, command, { caller, name: 'endPlayback', origin })
    },

    async terminate(caller, id, { message, origin }) {
      const session = access.session(id)
      if (!session) return deps.explainMissing(id)
      const last = { commandId: deps.ids.next<'command'>(), command: 'stop', message: await sealed(state, session, message) } as const
      return carryOut(state, session, { type: 'end', reason: 'admin', last }, { caller, name: 'terminatePlayback', origin })
    },
    command: (caller, id, ask) => command(state, caller, id, ask),

    masterGiven: playlistTokens.given,

    async get(caller, id) {
      const session = await own(state, caller, id)
      return isRefusal(session) ? session : playable(state, session)
    },

    async inspect(caller, id) {
      const session = access.session(id)
      if (!session) return deps.explainMissing(id)
      return (access.library(caller, session.libraryId) && (await sessions.show(session))) ?? NO_SUCH_SESSION
    },
    active: sessions.list,

    continueWatching: (caller, page, past = readModels) => listContinueWatching({ ...deps, readModels: past }, caller, page),
    dismiss: (caller, id, origin) => dismissResumePoint(state, caller, id, origin),
  }
}

/** The caller's own active session. */
async function own(state: State, caller: Caller, id: string): Promise<SessionDocument | Refusal> {
  const { access } = state
  const session = access.session(id)
  if (!session) return state.explainMissing(id)
  if (session.userId !== caller.userId) return NOT_YOURS
  return access.library(caller, session.libraryId) ? session : NO_SUCH_SESSION
}

async function playable(state: State, session: SessionDocument): Promise<PlayableSession> {
  const { readModels, streams } = state
  const found = await readModels.files.get(session.fileId)
  const file = found && isUnchangedIn(session, found) ? found : undefined
  const offer = file && (await streams.offer(file, streamOptionsOf(session), session.createdAt))
  const point = (await readModels.ownOf(session.userId, [session.movieId])).get(session.movieId)
  return {
    session,
    problem: fileProblem(session, found) ?? streams.problem(session.id),
    resumePositionMs: point?.resume ? placeIn(file?.media?.durationMs ?? null, point.resume).positionMs : null,
    decision: offer?.decision ?? NOTHING_DECIDED,
    qualities: offer?.qualities ?? [],
    subtitles: offer?.subtitles ?? [],
    burnable: offer?.burnable ?? [],
    audio: offer?.audio ?? [],
    chapters: file?.media?.chapters ?? [],
    audioGainDb: file?.media ? mainGainDb(file.media, streamOptionsOf(session)) : null,
    hasTrickplay: file !== undefined && (await state.trickplay.plan(file)) !== undefined,
  }
}

/** For a heartbeat, which is stored already: it succeeds even if the read model cannot be read. */
async function problemOf({ readModels, streams, onError }: State, session: SessionDocument): Promise<string | null> {
  // A small document: heartbeats come often.
  const file = await readModels.fileStamps.get(session.fileId).catch((cause: unknown) => {
    onError(cause, 'warn')
    return undefined
  })
  return fileProblem(session, file) ?? streams.problem(session.id)
}

/** Sealed with the viewer's key: erasing the viewer erases it. */
const sealed = async ({ sealer }: State, { userId }: SessionDocument, message: string | null) =>
  message === null ? null : sealer.seal(userId, message)

/** Settles when the effect is visible. */
async function carryOut(
  { host, readYourWrites }: State,
  session: SessionDocument,
  command: SessionCommand,
  { caller, name, origin }: Commanding,
): Promise<void | Refusal> {
  // A heartbeat carries neither address nor client: its session has them.
  const { subject: _, ...author } = byUser(caller.userId, name, origin)
  const reply = await host.send(session.id, { command, author })
  return isRefusal(reply) ? reply : readYourWrites.waitFor(reply.position)
}

/** Returns the session as it is after the command. */
async function carryOutOn(
  state: State,
  session: SessionDocument,
  command: SessionCommand,
  by: Commanding,
): Promise<SessionDocument | Refusal> {
  return (await carryOut(state, session, command, by)) ?? state.access.session(session.id) ?? NO_SUCH_SESSION
}

/**
 * Orders a new encoder or new playlists if either is due. The heartbeat is stored already, so it succeeds even if this does not: the next
 * one tries again.
 */
async function renewStream(state: State, session: SessionDocument, by: Omit<Commanding, 'name'>): Promise<SessionDocument> {
  const command = dueCommand(state, session)
  if (!command) return session
  const renewed = await carryOutOn(state, session, command, { ...by, name: command.type }).catch((cause: unknown) =>
    state.onError(cause, 'warn'),
  )
  return renewed && !isRefusal(renewed) ? renewed : session
}

function dueCommand({ ids, playlistTokens, streams }: State, session: SessionDocument): SessionCommand | undefined {
  const choice = streams.replacementEncoder(session)
  // A new encoder orders new playlists as well.
  if (choice) return { type: 'switchEncoder', commandId: ids.next<'command'>(), ...choice }
  const beforeMs = playlistTokens.reloadBefore(session)
  return beforeMs === undefined ? undefined : { type: 'reloadPlaylists', commandId: ids.next<'command'>(), beforeMs }
}

async function start(state: State, caller: Caller, request: NewSession, origin: RequestOrigin): Promise<PlayableSession | Refusal> {
  const { withinLimit, access, streams } = state
  const movie = await visibleMovie(state, caller, request.movieId)
  if (!movie) return NO_SUCH_MOVIE
  const file = await chooseFile(state, movie, request.fileId)
  if (isRefusal(file)) return file
  const durationMs = file.media?.durationMs ?? 0
  const positionMs = clampPosition(request.startPositionMs ?? 0, durationMs, 'seek', 'startPosition')
  if (typeof positionMs !== 'number') return positionMs
  const id = newId('session', state.ids, origin)
  const creation = { id, caller, movie, file, positionMs, durationMs, request, origin }
  const sessionId = await withinLimit({ userId: caller.userId, id }, () => beginSession(state, creation))
  if (isRefusal(sessionId)) return sessionId
  const wanted = () => access.session(sessionId) !== undefined
  const session = access.session(sessionId)
  if (!session) return NO_SUCH_SESSION
  streams.prewarm(file, {
    positionMs,
    sessionId,
    startedAt: session.createdAt,
    wanted,
    options: streamOptionsOf(session),
    ...omitUndefined({ quality: request.quality }),
  })
  return playable(state, session)
}

async function command(
  state: State,
  caller: Caller,
  id: string,
  { order, origin }: { readonly order: PlayerOrder; readonly origin: RequestOrigin },
): Promise<IssuedCommand | Refusal> {
  const session = state.access.session(id)
  if (!session) return state.explainMissing(id)
  const commandId = state.ids.next<'command'>()
  const by = { caller, name: 'commandPlayer', origin }
  const message = await sealed(state, session, order.message)
  const refusal = await carryOut(state, session, { type: 'command', order: { ...order, commandId, message } }, by)
  return refusal ?? { id: commandId, ...order }
}

async function dismissResumePoint(state: State, caller: Caller, id: string, origin: RequestOrigin): Promise<void | Refusal> {
  const { readModels, commandHandler, readYourWrites } = state
  const movieId = await visibleMovieId(state, caller, id)
  if (!movieId) return NO_SUCH_MOVIE
  const target = { stream: watchedStream(caller.userId, movieId), decider: watched }
  const decide = dismiss({ userId: caller.userId, movieId })
  const listed = (await readModels.ownOf(caller.userId, [movieId])).get(movieId)?.continueKey
  if (!listed) return undefined
  const result = await commandHandler.execute(target, decide, byUser(caller.userId, 'dismissResumePoint', origin))
  return isRefusal(result) ? result : readYourWrites.waitFor(result.position)
}

interface Commanding {
  readonly caller: Caller
  readonly name: string
  readonly origin: RequestOrigin
}
