/** Lists all views in the order in which a projector updates them. */
import { audit } from './audit.ts'
import { credits } from './credits.ts'
import { fileStamps } from './file-stamps.ts'
import { files } from './files.ts'
import { historyImports } from './history-imports.ts'
import { images } from './images.ts'
import { libraries } from './libraries.ts'
import { logins } from './logins.ts'
import { movieChanges } from './movie-changes.ts'
import { movieKeysView } from './movie-keys.ts'
import { movies } from './movies.ts'
import { playbackSessions } from './playback-sessions.ts'
import { preferencesView } from './preferences.ts'
import { resumePoints } from './resume-points.ts'
import { scans } from './scans.ts'
import { userMovies } from './user-movies.ts'
import { users } from './users.ts'
import { viewings } from './viewings.ts'
import { waitingItems } from './waiting-items.ts'
import { webhooks } from './webhooks.ts'
import type { AnyView } from './view.ts'

/** A view that reports completion (scans) comes after the views it reports on, so that nobody sees a completed scan before its movies. */
export const views = [
  movies,
  files,
  fileStamps,
  movieKeysView,
  credits,
  images,
  users,
  preferencesView,
  logins,
  userMovies,
  resumePoints,
  playbackSessions,
  viewings,
  movieChanges,
  historyImports,
  waitingItems,
  libraries,
  scans,
  webhooks,
  audit,
] as unknown as readonly AnyView[]
