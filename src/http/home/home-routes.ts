/** Serves a client's first page in one request, so that it need not wait for one list after another. */
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf } from '../server/guard.ts'
import { operation } from '../server/operation.ts'
import { refTo } from '../server/values-schemas.ts'
import { presentUser } from '../accounts/user-presenter.ts'
import { presentLibrary } from '../libraries/library-presenter.ts'
import { presentSummaryAs } from '../movies/movie-presenter.ts'
import { presentContinueItemAs } from '../playback/session-presenter.ts'
import { Home, HomeQuery, LIBRARIES_MAX, LIMIT_DEFAULT } from './home-schemas.ts'

const GET_HOME = {
  ...operation({
    id: 'getHome',
    tag: 'movies',
    summary: 'Get the home page',
    description: 'Your account, your libraries and your lists, each as its own route shows it. Movies are cards (`view=card`).',
    answers: { 200: { description: 'The account, the libraries and the lists.', schema: refTo(Home) } },
    errors: [422],
  }),
  querystring: HomeQuery,
}

export function addHomeRoutes(app: App, { services }: RouteContext<'libraries' | 'movies' | 'playback' | 'users'>): void {
  const { libraries, movies, playback, users } = services

  app.route({
    method: 'GET',
    url: '/v1/home',
    config: { shows: 'catalogue' },
    schema: GET_HOME,
    handler: async (request) => {
      const caller = callerOf(request)
      const { limit = LIMIT_DEFAULT } = request.query
      const newest = { sort: 'addedAt', order: 'desc', limit } as const
      const [user, visible, begun, added, listed] = await Promise.all([
        users.get(caller.userId),
        libraries.list(caller, { limit: LIBRARIES_MAX }),
        playback.continueWatching(caller, { limit }),
        movies.list(caller, newest),
        movies.list(caller, { ...newest, watchlist: true }),
      ])
      return {
        user: presentUser(unwrap(user)),
        libraries: visible.items.map((library) => presentLibrary(library, caller)),
        continueWatching: begun.items.map(presentContinueItemAs('card')),
        recentlyAdded: added.items.map(presentSummaryAs('card')),
        watchlist: listed.items.map(presentSummaryAs('card')),
      }
    },
  })
}
