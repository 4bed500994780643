/** The schemas that have names: registered once, referred to by all. */
import type { App } from './app.ts'
import { ErrorBody } from './schemas/error.ts'
import { FileStats } from './schemas/file-stats.ts'
import { Library, LibraryPage } from './schemas/library.ts'
import { Credits, Movie, MovieSummary, MovieSummaryPage, WatchedMark } from './schemas/movie.ts'
import { ActiveSession, ActiveSessionPage, ContinueItem, ContinueItemPage, HeartbeatAnswer, Session } from './schemas/playback.ts'
import { Scan } from './schemas/scan.ts'
import { SignedIn, SignedOut } from './schemas/sign-in.ts'

const NAMED = [
  ErrorBody,
  SignedIn,
  SignedOut,
  Library,
  LibraryPage,
  Scan,
  MovieSummary,
  MovieSummaryPage,
  Movie,
  Credits,
  FileStats,
  WatchedMark,
  Session,
  ActiveSession,
  ActiveSessionPage,
  HeartbeatAnswer,
  ContinueItem,
  ContinueItemPage,
]

export function addSchemas(app: App): void {
  for (const schema of NAMED) app.addSchema(schema)
}
