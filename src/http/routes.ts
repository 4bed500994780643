/** Every route of the server. */
import type { App, RouteContext } from './app.ts'
import { addContinueWatchingRoutes } from './routes/continue-watching.ts'
import { addDescriptionRoutes } from './routes/description.ts'
import { addHealthRoutes } from './routes/health.ts'
import { addImageRoutes } from './routes/images.ts'
import { addLibraryRoutes } from './routes/libraries.ts'
import { addMovieRoutes } from './routes/movies.ts'
import { addPlaybackSessionRoutes } from './routes/playback-sessions.ts'
import { addScanRoutes } from './routes/scans.ts'
import { addSignInRoutes } from './routes/sign-in.ts'
import { addStreamRoutes } from './routes/streams.ts'
import { addWatchedRoutes } from './routes/watched.ts'

export async function addRoutes(app: App, context: RouteContext): Promise<void> {
  addSignInRoutes(app, context)
  addLibraryRoutes(app, context)
  addScanRoutes(app, context)
  addMovieRoutes(app, context)
  addWatchedRoutes(app, context)
  addPlaybackSessionRoutes(app, context)
  addContinueWatchingRoutes(app, context)
  addStreamRoutes(app, context)
  addImageRoutes(app, context)
  addHealthRoutes(app, context)
  await addDescriptionRoutes(app)
}
