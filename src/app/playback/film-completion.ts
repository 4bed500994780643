/** A film that was watched to its end: what follows from a heartbeat, in the stream of the user's marks. */
import { derivedEventId } from '../../events/derived-id.ts'
import type { EventOf } from '../../events/catalogue.ts'
import { watchedStream } from '../../events/streams.ts'
import { complete, watched } from '../../domain/movies/user-movie.ts'
import type { CommandHandler } from '../commands/command-handler.ts'

/** Counts the film as watched: once for each session, because the event's id follows from the session's. */
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
