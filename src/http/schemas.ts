/** Registers the named schemas, to which all others refer. */
import type { App } from './server/app.ts'
import { AuditEntry, AuditEntryPage, CheckpointVerdict, ConsistencyProof, InclusionProof } from './audit/audit-schemas.ts'
import { ErasureReceipt } from './audit/erasure-receipt.ts'
import { Erasure } from './accounts/erasure-answer.ts'
import { Change, ChangePage } from './feed/changes-schemas.ts'
import { ErrorBody, ProblemBody } from './server/error-schemas.ts'
import { Home } from './home/home-schemas.ts'
import { FileStats } from './movies/file-stats-schemas.ts'
import { Concurrency, Overview, Plays, Top } from './history/analytics-schemas.ts'
import { Finish, Rewatched, Year } from './history/taste-schemas.ts'
import { HistoryEntry, HistoryEntryPage, TimelineStep, TraktItem } from './history/history-schemas.ts'
import { RemovedLibraries } from './libraries/library-changes-routes.ts'
import { FolderList } from './libraries/folders-routes.ts'
import { LibraryChange, LibraryChangePage, LifeEntry, MovieLifePage } from './history/life-schemas.ts'
import { HistoryImport, HistoryImportPage, ImportResult, UnmatchedItem, UnmatchedItemPage } from './history/import-schemas.ts'
import { Library, LibraryPage } from './libraries/library-schemas.ts'
import { LibraryStats } from './libraries/library-stats-schemas.ts'
import { LIVE_EVENTS } from './feed/live-events-schemas.ts'
import { BULK_MARK_SCHEMAS } from './movies/bulk-marks-routes.ts'
import { MATCH_CANDIDATE_SCHEMAS } from './movies/match-candidates-routes.ts'
import { Collection, CollectionSummary, CollectionSummaryPage, Facets, Person } from './movies/facets-schemas.ts'
import {
  Credits,
  Movie,
  MovieAnchors,
  MovieSummary,
  MovieSummaryPage,
  ResumeMark,
  ResumePoint,
  ResumePointPage,
  WatchedMark,
  WatchlistMark,
} from './movies/movie-schemas.ts'
import { Preferences } from './accounts/preferences-routes.ts'
import { CurrentLogin, Done, PasswordChanged, SignedUp, SignInOptions } from './accounts/own-account-schemas.ts'
import {
  ActiveSession,
  ActiveSessionPage,
  ContinueItem,
  ContinueItemPage,
  HeartbeatAnswer,
  PlayDecision,
  PlayerCommand,
  Session,
} from './playback/playback-schemas.ts'
import { SEARCH_SCHEMAS } from './movies/search-schemas.ts'
import { Projection, ProjectionPage } from './server/projection-schemas.ts'
import { ServerInfo } from './server/server-schemas.ts'
import { Scan, ScanChange, ScanChangePage, ScanPage } from './scans/scan-schemas.ts'
import { AccessToken, AccessTokenList, NewAccessToken } from './accounts/access-token-schemas.ts'
import { BackupCodes, NewSecondFactor, SecondFactorStatus } from './accounts/second-factor-schemas.ts'
import { NewPasskey, Passkey, PasskeyRequest } from './accounts/passkey-schemas.ts'
import { SingleSignOnStatus } from './accounts/single-sign-on-schemas.ts'
import { SecondStep, SignedIn, SignedOut } from './accounts/sign-in-schemas.ts'
import { NewWebhookAnswer, Webhook, WebhookDelivery, WebhookDeliveryPage, WebhookPage, WebhookTest } from './webhooks/webhook-schemas.ts'
import { TrickplayPlan } from './streaming/trickplay-schemas.ts'
import { Login, LoginPage, User, UserLogin, UserPage } from './accounts/user-schemas.ts'

const NAMED = [
  AuditEntry,
  AuditEntryPage,
  InclusionProof,
  ConsistencyProof,
  CheckpointVerdict,
  ErasureReceipt,
  HistoryEntry,
  HistoryEntryPage,
  LifeEntry,
  MovieLifePage,
  LibraryChange,
  LibraryChangePage,
  HistoryImport,
  HistoryImportPage,
  ImportResult,
  UnmatchedItem,
  UnmatchedItemPage,
  Overview,
  Plays,
  Top,
  Concurrency,
  Finish,
  Rewatched,
  Year,
  TimelineStep,
  TraktItem,
  Change,
  ChangePage,
  ErrorBody,
  ProblemBody,
  ...LIVE_EVENTS,
  SignedIn,
  SignedOut,
  SignedUp,
  SignInOptions,
  Login,
  UserLogin,
  LoginPage,
  CurrentLogin,
  SecondStep,
  SecondFactorStatus,
  Passkey,
  NewPasskey,
  PasskeyRequest,
  NewSecondFactor,
  SingleSignOnStatus,
  BackupCodes,
  AccessToken,
  AccessTokenList,
  NewAccessToken,
  Done,
  PasswordChanged,
  User,
  UserPage,
  Preferences,
  Erasure,
  FolderList,
  RemovedLibraries,
  Library,
  LibraryPage,
  ...MATCH_CANDIDATE_SCHEMAS,
  LibraryStats,
  TrickplayPlan,
  Scan,
  ScanPage,
  ScanChange,
  ScanChangePage,
  MovieSummary,
  MovieSummaryPage,
  MovieAnchors,
  ResumeMark,
  ResumePoint,
  ResumePointPage,
  WatchlistMark,
  Facets,
  Person,
  CollectionSummary,
  CollectionSummaryPage,
  Collection,
  ...SEARCH_SCHEMAS,
  ...BULK_MARK_SCHEMAS,
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
  ServerInfo,
  Webhook,
  WebhookPage,
  NewWebhookAnswer,
  WebhookTest,
  WebhookDelivery,
  WebhookDeliveryPage,
  Home,
]

export function addSchemas(app: App): void {
  for (const schema of NAMED) app.addSchema(schema)
}
