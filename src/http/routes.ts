/** Every route of the server. */
import type { App, RouteContext } from './app.ts'
import { addAgentSourceRoutes } from './routes/agent-sources.ts'
import { addCatalogueRoutes } from './routes/catalogue.ts'
import { addChangeRoutes } from './routes/changes.ts'
import { addContinueWatchingRoutes } from './routes/continue-watching.ts'
import { addDescriptionRoutes } from './routes/description.ts'
import { addEventRoutes } from './routes/events.ts'
import { addHealthRoutes } from './routes/health.ts'
import { addImageRoutes } from './routes/images.ts'
import { addLibraryRoutes } from './routes/libraries.ts'
import { addLibraryChangeRoutes } from './routes/library-changes.ts'
import { addLibraryStatsRoutes } from './routes/library-stats.ts'
import { addMeRoutes } from './routes/me.ts'
import { addMovieCorrectionRoutes } from './routes/movie-corrections.ts'
import { addMovieMarkRoutes } from './routes/movie-marks.ts'
import { addMovieRoutes } from './routes/movies.ts'
import { addOwnLoginRoutes } from './routes/own-logins.ts'
import { addPlaybackSessionRoutes } from './routes/playback-sessions.ts'
import { addPlayerCommandRoutes } from './routes/player-commands.ts'
import { addProjectionRoutes } from './routes/projections.ts'
import { addScanRoutes } from './routes/scans.ts'
import { addSignInRoutes } from './routes/sign-in.ts'
import { addSignUpRoutes } from './routes/sign-up.ts'
import { addSpeedtestRoutes } from './routes/speedtest.ts'
import { addStreamRoutes } from './routes/streams.ts'
import { addUserLoginRoutes } from './routes/user-logins.ts'
import { addUserRoutes } from './routes/users.ts'
import { addWatchedRoutes } from './routes/watched.ts'

export async function addRoutes(app: App, context: RouteContext): Promise<void> {
  addSignInRoutes(app, context)
  addSignUpRoutes(app, context)
  addOwnLoginRoutes(app, context)
  addMeRoutes(app, context)
  addUserRoutes(app, context)
  addUserLoginRoutes(app, context)
  addLibraryRoutes(app, context)
  addLibraryChangeRoutes(app, context)
  addLibraryStatsRoutes(app, context)
  addScanRoutes(app, context)
  addMovieRoutes(app, context)
  addWatchedRoutes(app, context)
  addMovieMarkRoutes(app, context)
  addMovieCorrectionRoutes(app, context)
  addCatalogueRoutes(app, context)
  addPlaybackSessionRoutes(app, context)
  addPlayerCommandRoutes(app, context)
  addContinueWatchingRoutes(app, context)
  addStreamRoutes(app, context)
  addAgentSourceRoutes(app, context)
  addImageRoutes(app, context)
  addChangeRoutes(app, context)
  addEventRoutes(app, context)
  addProjectionRoutes(app, context)
  await addSpeedtestRoutes(app, context)
  addHealthRoutes(app, context)
  await addDescriptionRoutes(app)
}
