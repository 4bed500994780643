/** The schemas that have names: registered once, referred to by all. */
import type { App } from './app.ts'
import { Change, ChangePage } from './schemas/changes.ts'
import { ErrorBody, ProblemBody } from './schemas/error.ts'
import { FileStats } from './schemas/file-stats.ts'
import { Library, LibraryPage } from './schemas/library.ts'
import { LibraryStats } from './schemas/library-stats.ts'
import { LIVE_EVENTS } from './schemas/live-events.ts'
import { Collection, CollectionSummary, CollectionSummaryPage, Facets, Person } from './schemas/catalogue.ts'
import {
  Credits,
  Movie,
  MovieListPage,
  MovieSummary,
  MovieSummaryPage,
  ResumeMark,
  ResumePoint,
  ResumePointPage,
  WatchedMark,
  WatchlistMark,
} from './schemas/movie.ts'
import { CurrentLogin, Done, PasswordChanged, SignedUp } from './schemas/own-account.ts'
import {
  ActiveSession,
  ActiveSessionPage,
  ContinueItem,
  ContinueItemPage,
  HeartbeatAnswer,
  PlayDecision,
  PlayerCommand,
  Session,
} from './schemas/playback.ts'
import { Projection, ProjectionPage } from './schemas/projection.ts'
import { Scan, ScanChange, ScanChangePage, ScanPage } from './schemas/scan.ts'
import { SignedIn, SignedOut } from './schemas/sign-in.ts'
import { TrickplayPlan } from './schemas/trickplay.ts'
import { Erasure, Login, LoginPage, User, UserPage } from './schemas/user.ts'

const NAMED = [
  Change,
  ChangePage,
  ErrorBody,
  ProblemBody,
  ...LIVE_EVENTS,
  SignedIn,
  SignedOut,
  SignedUp,
  Login,
  LoginPage,
  CurrentLogin,
  Done,
  PasswordChanged,
  User,
  UserPage,
  Erasure,
  Library,
  LibraryPage,
  LibraryStats,
  TrickplayPlan,
  Scan,
  ScanPage,
  ScanChange,
  ScanChangePage,
  MovieSummary,
  MovieSummaryPage,
  MovieListPage,
  ResumeMark,
  ResumePoint,
  ResumePointPage,
  WatchlistMark,
  Facets,
  Person,
  CollectionSummary,
  CollectionSummaryPage,
  Collection,
  Movie,
  Credits,
  FileStats,
  WatchedMark,
  Session,
  ActiveSession,
  ActiveSessionPage,
  HeartbeatAnswer,
  PlayDecision,
  PlayerCommand,
  ContinueItem,
  ContinueItemPage,
  Projection,
  ProjectionPage,
]

export function addSchemas(app: App): void {
  for (const schema of NAMED) app.addSchema(schema)
}
