/**
 * Reacts to events with commands on other streams. The reactors have a checkpoint of their own, and their commands have ids that derive
 * from the event's id, so that a repetition after a crash has no second effect. The checkpoint is in the read store, which may be deleted
 * at any time: all reactions are then repeated, so each one must tolerate that.
 */
import type { EndReason } from '../../events/playback-events.ts'
import { decodeKnown } from '../../events/codec.ts'
import type { LibraryId, UserId } from '../../vocabulary/id.ts'
import type { Position } from '../../events/position.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { completes } from '../../domain/playback/playback.ts'
import type { StillOf } from '../../domain/movies/movie.ts'
import { isRefusal } from '../../domain/refusal.ts'
import { sees } from '../../domain/access/visibility.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { ReadStore } from '../../ports/read-store.ts'
import type { Access } from '../access/access.ts'
import type { Author, CommandHandler } from '../commands/command-handler.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { endScanOfRemoved, loseBelowRoot } from '../libraries/library-reactions.ts'
import { finishImportUndo, retryKept, retryWaiting, retryWaitingIn, retryWaitingOf } from '../history/waiting-items.ts'
import { completeMovie } from '../playback/movie-completion.ts'
import type { HistoryImports } from '../history/history-imports.ts'
import type { SessionHost } from '../playback/session-host.ts'

export const REACTORS_COLLECTION = { name: 'reactors_g1', fields: {}, indexes: [] } as const

export interface ReactorDependencies {
  readonly access: Access
  readonly commandHandler: CommandHandler
  readonly readModels: Pick<ReadModels, 'fileStamps' | 'movies' | 'waitingItems'>
  readonly historyImports: Pick<HistoryImports, 'retry' | 'finishUndo'>
  readonly readYourWrites: ReadYourWrites
  readonly host: SessionHost
  readonly log: EventLog
  readonly store: ReadStore
  /** Stills of a library's film files. */
  readonly stillsIn: (libraryId: LibraryId) => Promise<StillOf>
  /** Destroys the key of an erased user's personal fields. */
  readonly shred: (userId: UserId, author: Author) => Promise<unknown>
  /** Fencing token: the token of the lease that they run under. */
  readonly epoch: number
}

/** Runs until the signal. @throws Error if another node's reactors have taken over */
export async function runReactors(deps: ReactorDependencies, signal: AbortSignal): Promise<void> {
  const { log, store, epoch } = deps
  const collection = REACTORS_COLLECTION.name
  let from: Position = await store.checkpoint(collection)
  for await (const batch of log.follow(from, signal)) {
    let reacted = false
    for (const one of batch) {
      const event = decodeKnown(one)
      if (event) reacted = (await react(deps, event)) || reacted
    }
    const to = batch.at(-1)?.position
    if (!to || !(reacted || batch.length > 100)) continue
    const stored = await store.commit({ collection, epoch, from, to, puts: [], removes: [] })
    if (stored === 'fenced') throw new Error('The reactors of another node have taken over')
    from = to
  }
}

/** True if the event required a reaction. */
async function react(deps: ReactorDependencies, event: RecordedEvent): Promise<boolean> {
  switch (event.type) {
    case 'PlaybackHeartbeat':
      if (!completes(event.data.positionMs, event.data.durationMs)) return false
      await completeMovie(deps.commandHandler, event, { actor: 'system', at: Date.parse(event.at) })
      return true
    case 'SignedOut':
    case 'LoginRevoked': {
      const { loginId } = event.data
      await endSessions(deps, event, 'signed_out', (session) => session.loginId === loginId)
      return true
    }
    case 'UserPasswordChanged': {
      const { userId, logins, keptLoginId } = event.data
      if (logins === 'kept') return false
      await endSessions(deps, event, 'signed_out', (session) => session.userId === userId && session.loginId !== keptLoginId)
      return true
    }
    case 'UserDisabled':
    case 'UserRemoved': {
      const { userId } = event.data
      await endSessions(deps, event, 'user_disabled', (session) => session.userId === userId)
      return true
    }
    case 'UserAccessChanged':
    case 'UserRoleChanged': {
      const { userId } = event.data
      await endSessions(deps, event, 'access_revoked', lostBy(deps.access, userId, event))
      await retryWaitingOf(deps, event, userId)
      return true
    }
    case 'LibraryRemoved': {
      const { libraryId } = event.data
      await endScanOfRemoved(deps, event)
      await endSessions(deps, event, 'library_deleted', (session) => session.libraryId === libraryId)
      return true
    }
    case 'HistoryImportUndone':
      await finishImportUndo(deps, event)
      return true
    case 'LibraryRootRemoved':
      await loseBelowRoot(deps, event)
      return true
    case 'UserErased':
      await deps.shred(event.data.userId, { actor: event.metadata.actor, command: 'shredKey', causation: event.id })
      return true
    default:
      return retryAfter(deps, event)
  }
}

/** True if imported items waited for what the event brought. */
async function retryAfter(deps: ReactorDependencies, event: RecordedEvent): Promise<boolean> {
  switch (event.type) {
    case 'MovieFileAdded':
    case 'MovieIdentified':
    case 'MovieMatchedOnline':
    case 'MovieUnmatchedOnline':
    case 'MovieMatchPinned':
    case 'MovieEdited':
      return retryWaiting(deps, event, event.data.movieId)
    case 'ImportItemsKept':
      return retryKept(deps, event)
    case 'UserEnabled':
      return retryWaitingOf(deps, event, event.data.userId)
    case 'LibraryRestored':
      return retryWaitingIn(deps, event, event.data.libraryId)
    default:
      return false
  }
}

type SessionTest = (session: SessionDocument) => boolean

/** Sessions on libraries that the user may not see any more, according to the event. */
function lostBy(access: Access, userId: UserId, event: RecordedEvent<'UserAccessChanged' | 'UserRoleChanged'>): SessionTest {
  return (session) => {
    const user = session.userId === userId && access.users.get(userId)
    return user ? !sees({ ...user, ...event.data }, session.libraryId) : false
  }
}

/** Ends the sessions that had started before the event: a later one was checked against the new permissions. */
async function endSessions(
  { access, readYourWrites, host }: ReactorDependencies,
  { id, position, metadata }: RecordedEvent,
  reason: EndReason,
  concerns: SessionTest,
): Promise<void> {
  await readYourWrites.waitFor(position)
  const author = { actor: metadata.actor, command: 'endPlayback', causation: id }
  for (const session of [...access.sessions.values()].filter((one) => one.logPosition < position && concerns(one))) {
    const reply = await host.send(session.id, { command: { type: 'end', reason }, author })
    // A session of a node that died becomes available a little later: throw, so that it is retried until then.
    if (isRefusal(reply) && reply.refusal === 'unavailable') throw new Error(`A session cannot be ended now: ${reply.message}`)
  }
}
