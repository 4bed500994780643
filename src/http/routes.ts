/** Registers every route of the server. */
import type { App, HttpServices, RouteContext } from './server/app.ts'
import { addAuditRoutes } from './audit/audit-routes.ts'
import { addAuditProofRoutes } from './audit/audit-proof-routes.ts'
import { addErasureRoutes } from './audit/erasures-routes.ts'
import { addAgentSourceRoutes } from './streaming/agent-sources-routes.ts'
import { addFacetRoutes } from './movies/facets-routes.ts'
import { addChangeRoutes } from './feed/changes-routes.ts'
import { addContinueWatchingRoutes } from './playback/continue-watching-routes.ts'
import { addDescriptionRoutes } from './server/description-routes.ts'
import { addEventRoutes } from './feed/events-routes.ts'
import { addHealthRoutes } from './server/health-routes.ts'
import { addAnalyticsRoutes } from './history/analytics-routes.ts'
import { addTasteRoutes } from './history/taste-routes.ts'
import { addHomeRoutes } from './home/home-routes.ts'
import { addHistoryRoutes } from './history/history-routes.ts'
import { addLifeRoutes } from './history/life-routes.ts'
import { addImportRoutes } from './history/import-routes.ts'
import { addImageRoutes } from './images/images-routes.ts'
import { addFolderRoutes } from './libraries/folders-routes.ts'
import { addLibraryRoutes } from './libraries/libraries-routes.ts'
import { addLibraryChangeRoutes } from './libraries/library-changes-routes.ts'
import { addLibraryStatsRoutes } from './libraries/library-stats-routes.ts'
import { addAccessTokenRoutes } from './accounts/access-tokens-routes.ts'
import { addMeRoutes } from './accounts/me-routes.ts'
import { addMatchCandidateRoutes } from './movies/match-candidates-routes.ts'
import { addMovieEditRoutes } from './movies/movie-edits-routes.ts'
import { addMovieMarkRoutes } from './movies/movie-marks-routes.ts'
import { addMovieRoutes } from './movies/movies-routes.ts'
import { addOwnLoginRoutes } from './accounts/own-logins-routes.ts'
import { addPlaybackSessionRoutes } from './playback/playback-sessions-routes.ts'
import { addPlayerCommandRoutes } from './playback/player-commands-routes.ts'
import { addPreferencesRoutes } from './accounts/preferences-routes.ts'
import { addProjectionRoutes } from './server/projections-routes.ts'
import { addServerRoutes } from './server/server-routes.ts'
import { addScanRoutes } from './scans/scans-routes.ts'
import { addPasskeyRoutes } from './accounts/passkeys-routes.ts'
import { addSecondFactorRoutes } from './accounts/second-factor-routes.ts'
import { addSearchRoutes } from './movies/search-routes.ts'
import { addSignInRoutes } from './accounts/sign-in-routes.ts'
import { addSignUpRoutes } from './accounts/sign-up-routes.ts'
import { addSingleSignOnRoutes } from './accounts/single-sign-on-routes.ts'
import { addSpeedtestRoutes } from './server/speedtest-routes.ts'
import { addStreamRoutes } from './streaming/streams-routes.ts'
import { addUserLoginRoutes } from './accounts/user-logins-routes.ts'
import { addUserSingleSignOnRoutes } from './accounts/user-single-sign-on-routes.ts'
import { addUserRoutes } from './accounts/users-routes.ts'
import { addBulkMarkRoutes } from './movies/bulk-marks-routes.ts'
import { addWatchedRoutes } from './movies/watched-routes.ts'
import { addWebhookDeliveryRoutes } from './webhooks/webhook-deliveries-routes.ts'
import { addWebhookRoutes } from './webhooks/webhooks-routes.ts'

export async function addRoutes(app: App, context: RouteContext<keyof HttpServices>): Promise<void> {
  addSignInRoutes(app, context)
  addSignUpRoutes(app, context)
  addOwnLoginRoutes(app, context)
  addSecondFactorRoutes(app, context)
  addPasskeyRoutes(app, context)
  addSingleSignOnRoutes(app, context)
  addUserSingleSignOnRoutes(app, context)
  addAccessTokenRoutes(app, context)
  addMeRoutes(app, context)
  addPreferencesRoutes(app, context)
  addUserRoutes(app, context)
  addUserLoginRoutes(app, context)
  addHomeRoutes(app, context)
  addLibraryRoutes(app, context)
  addLibraryChangeRoutes(app, context)
  addLibraryStatsRoutes(app, context)
  addFolderRoutes(app, context)
  addScanRoutes(app, context)
  addMovieRoutes(app, context)
  addWatchedRoutes(app, context)
  addBulkMarkRoutes(app, context)
  addMovieMarkRoutes(app, context)
  addMovieEditRoutes(app, context)
  addMatchCandidateRoutes(app, context)
  addFacetRoutes(app, context)
  addSearchRoutes(app, context)
  addPlaybackSessionRoutes(app, context)
  addPlayerCommandRoutes(app, context)
  addContinueWatchingRoutes(app, context)
  addHistoryRoutes(app, context)
  addImportRoutes(app, context)
  addLifeRoutes(app, context)
  addAnalyticsRoutes(app, context)
  addTasteRoutes(app, context)
  addStreamRoutes(app, context)
  addAgentSourceRoutes(app, context)
  addImageRoutes(app, context)
  addChangeRoutes(app, context)
  addEventRoutes(app, context)
  addAuditRoutes(app, context)
  addAuditProofRoutes(app, context)
  addErasureRoutes(app, context)
  addProjectionRoutes(app, context)
  addWebhookRoutes(app, context)
  addWebhookDeliveryRoutes(app, context)
  addServerRoutes(app, context)
  await addSpeedtestRoutes(app, context)
  addHealthRoutes(app, context)
  addDescriptionRoutes(app, context)
}
