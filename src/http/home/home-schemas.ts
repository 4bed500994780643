/** Schemas of a client's first page. */
import { Type } from 'typebox'
import { User } from '../accounts/user-schemas.ts'
import { Library } from '../libraries/library-schemas.ts'
import { MovieSummary } from '../movies/movie-schemas.ts'
import { ContinueItem } from '../playback/playback-schemas.ts'
import { named, refTo } from '../server/values-schemas.ts'

const LIMIT_MAX = 50
export const LIMIT_DEFAULT = 12
export const LIBRARIES_MAX = 100

export const HomeQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT, description: 'Maximum number of movies in each list.' }),
  ),
})

const movies = (description: string) => Type.Array(refTo(MovieSummary), { maxItems: LIMIT_MAX, description })

export const Home = named(
  'Home',
  Type.Object({
    user: refTo(User),
    libraries: Type.Array(refTo(Library), { maxItems: LIBRARIES_MAX, description: 'The first libraries of `GET /v1/libraries`.' }),
    continueWatching: Type.Array(refTo(ContinueItem), {
      maxItems: LIMIT_MAX,
      description: 'The first movies of `GET /v1/playback/continue-watching`.',
    }),
    recentlyAdded: movies('The first movies of `GET /v1/movies/recently-added`.'),
    watchlist: movies('The first movies of `GET /v1/movies?watchlist=true&sort=addedAt`.'),
  }),
)
