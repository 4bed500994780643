/** Corrects movies for administrators (checked by the route): edits of facts, and which film a movie is. */
import type { EditableFacts } from '../../events/movie-events.ts'
import { movieStream } from '../../events/streams.ts'
import type { MatchPin, MovieDocument } from '../../../projections/views/movie-document.ts'
import type { Decision } from '../../domain/decider.ts'
import { movie as movieDecider, type MovieState } from '../../domain/movies/movie.ts'
import { editMovie, pinMatch } from '../../domain/movies/movie-corrections.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { Access } from '../access/access.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { visibleMovie, type MovieDetailsForUser, type Movies } from './movies.ts'
import type { OnlineMatcher } from '../online/online-matching.ts'
import { NO_SUCH_MOVIE } from '../../domain/movies/refusals.ts'

export interface MovieEdits {
  /** Edited members keep their values, whatever later scans find. */
  edit(caller: Caller, id: string, changes: Partial<EditableFacts>, origin: RequestOrigin): Promise<MovieDetailsForUser | Refusal>
  /** Includes the metadata of the online provider, if that answers soon. */
  pinMatch(caller: Caller, id: string, pin: MatchPin, origin: RequestOrigin): Promise<MovieDetailsForUser | Refusal>
}

export interface MovieEditsDependencies {
  readonly access: Access
  readonly commandHandler: CommandHandler
  readonly readModels: ReadModels
  readonly readYourWrites: ReadYourWrites
  readonly movies: Pick<Movies, 'get'>
  readonly finder?: Pick<OnlineMatcher, 'findSoon'> | undefined
}

export function createMovieEdits(deps: MovieEditsDependencies): MovieEdits {
  const { commandHandler, finder, readYourWrites, movies } = deps

  async function correct(
    { caller, id, origin, command }: { caller: Caller; id: string; origin: RequestOrigin; command: string },
    decide: (movie: MovieDocument) => (state: MovieState) => Decision,
    find?: OnlineMatcher['findSoon'],
  ): Promise<MovieDetailsForUser | Refusal> {
    const movie = await visibleMovie(deps, caller, id)
    if (!movie) return NO_SUCH_MOVIE
    const target = { stream: movieStream(movie.id), decider: movieDecider }
    const done = await commandHandler.execute(target, decide(movie), byUser(caller.userId, command, origin))
    if (isRefusal(done)) return done
    await readYourWrites.waitFor((await find?.(movie.id)) ?? done.position)
    return movies.get(caller, movie.id)
  }

  return {
    edit: (caller, id, changes, origin) => correct({ caller, id, origin, command: 'editMovie' }, (movie) => editMovie(movie.id, changes)),
    pinMatch: (caller, id, pin, origin) =>
      correct({ caller, id, origin, command: 'pinMatch' }, (movie) => pinMatch({ movieId: movie.id, ...pin }), finder?.findSoon),
  }
}
