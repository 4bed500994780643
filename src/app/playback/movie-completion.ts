/** Marks a film as watched when a heartbeat shows that it was played to its end. */
import { derivedEventId } from '../../events/derived-id.ts'
import type { EventOf } from '../../events/catalogue.ts'
import { watchedStream } from '../../events/streams.ts'
import { complete, watched } from '../../domain/movies/user-movie.ts'
import type { CommandHandler } from '../commands/command-handler.ts'

/** Counts the film as watched once per session, because the event's id derives from the session's. */
export function completeMovie(
  commandHandler: CommandHandler,
  { data }: EventOf<'PlaybackHeartbeat'>,
  by: { readonly actor: string; readonly at: number },
) {
  const { userId, movieId, sessionId } = data
  return commandHandler.execute(
    { stream: watchedStream(userId, movieId), decider: watched },
    complete({ userId, movieId }, sessionId, new Date(by.at).toISOString()),
    { actor: by.actor, command: 'completeMovie', causation: sessionId, eventId: derivedEventId(sessionId, 'MovieCompleted') },
  )
}
