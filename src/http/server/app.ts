/** The types that the HTTP layer's files share: the Fastify instance, and the context of every route. */
import type { FastifyBaseLogger, FastifyInstance, RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { RecordedProjections } from '../../app/audit/recorded-rebuilds.ts'
import type { AuditLog } from '../../app/audit/audit-log.ts'
import type { AuditTiles } from '../../app/audit/audit-tiles.ts'
import type { AuditTree } from '../../app/audit/audit-tree.ts'
import type { Checkpoints } from '../../app/audit/checkpoints.ts'
import type { OwnAudit } from '../../app/audit/own-audit.ts'
import type { AccessRecords } from '../../app/audit/access-records.ts'
import type { RecordAuditLook } from '../../app/audit/audit-looks.ts'
import type { ErasureReceipts } from '../../app/audit/erasure-receipts.ts'
import type { Preferences } from '../../app/accounts/preferences.ts'
import type { Changes } from '../../app/feed/changes.ts'
import type { ChangePositions } from '../../app/feed/change-positions.ts'
import type { ReadYourWrites } from '../../app/consistency/read-your-writes.ts'
import type { EventStreamLimit } from '../../app/feed/event-stream-limit.ts'
import type { ExportData } from '../../app/accounts/data-export.ts'
import type { Analytics } from '../../app/history/analytics.ts'
import type { Taste } from '../../app/history/taste.ts'
import type { LibraryChanges } from '../../app/libraries/library-changes.ts'
import type { MovieLife } from '../../app/history/movie-life.ts'
import type { History } from '../../app/history/history.ts'
import type { HistoryImports } from '../../app/history/history-imports.ts'
import type { Libraries } from '../../app/libraries/libraries.ts'
import type { LibraryStatistics } from '../../app/libraries/library-stats.ts'
import type { AccessTokens } from '../../app/accounts/access-tokens.ts'
import type { Logins } from '../../app/accounts/logins.ts'
import type { AgentSources } from '../../app/streaming/agent-sources.ts'
import type { FacetLists } from '../../app/movies/facets.ts'
import type { CandidatePosters } from '../../app/online/candidate-posters.ts'
import type { MatchCandidates } from '../../app/online/match-candidates.ts'
import type { MovieEdits } from '../../app/movies/movie-edits.ts'
import type { Search } from '../../app/movies/search.ts'
import type { MovieMarks } from '../../app/movies/mark-types.ts'
import type { LiveEvents } from '../../app/feed/live-events.ts'
import type { ViewWatchdog } from '../../app/access/view-watchdog.ts'
import type { Movies } from '../../app/movies/movies.ts'
import type { AsOf } from '../../app/read-models/as-of.ts'
import type { Images } from '../../app/images/images.ts'
import type { Playback } from '../../app/playback/playback-types.ts'
import type { Scans } from '../../app/scans/scans.ts'
import type { Sealer } from '../../app/commands/sealer.ts'
import type { Passkeys } from '../../app/accounts/passkeys.ts'
import type { SecondFactors } from '../../app/accounts/second-factors.ts'
import type { SignIns } from '../../app/accounts/sign-in.ts'
import type { SingleSignOn } from '../../app/accounts/single-sign-on.ts'
import type { SignUps } from '../../app/accounts/sign-up.ts'
import type { StreamAccess } from '../../app/playback/stream-access.ts'
import type { Trickplay } from '../../app/derived-media/trickplay.ts'
import type { Users } from '../../app/accounts/users.ts'
import type { Webhooks } from '../../app/webhooks/webhooks.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Paging } from './paging.ts'
import type { Sendfile } from './sendfile.ts'
import type { Streams } from '../../app/streaming/stream-answers.ts'

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** The services that the routes call. Each group of routes gets those that its `RouteContext` names. */
export interface HttpServices {
  readonly signIns: Pick<
    SignIns,
    | 'signIn'
    | 'signInWithCode'
    | 'passkeyOptions'
    | 'signInWithPasskey'
    | 'signOut'
    | 'authenticate'
    | 'touch'
    | 'changePassword'
    | 'confirmPassword'
  >
  readonly signUps: SignUps
  readonly users: Users
  readonly logins: Logins
  readonly accessTokens: AccessTokens
  readonly secondFactors: Pick<SecondFactors, 'status' | 'prepare' | 'enable' | 'disable' | 'reset' | 'replaceRecoveryCodes'>
  readonly passkeys: Pick<Passkeys, 'list' | 'begin' | 'add' | 'remove'>
  /** Undefined without an identity provider. */
  readonly singleSignOn: SingleSignOn | undefined
  readonly preferences: Preferences
  readonly exportData: ExportData
  readonly libraries: Pick<Libraries, 'list' | 'get' | 'create' | 'change' | 'remove' | 'restore' | 'removed' | 'folders'>
  readonly libraryStatistics: LibraryStatistics
  readonly scans: Scans
  readonly movies: Movies
  readonly movieMarks: MovieMarks
  readonly movieCorrections: MovieEdits
  readonly matchCandidates: MatchCandidates
  readonly candidatePosters: CandidatePosters
  readonly catalogue: FacetLists
  readonly search: Search
  readonly past: AsOf
  readonly images: Pick<Images, 'get'>
  readonly playback: Playback
  readonly streamAccess: StreamAccess
  readonly agentSources: AgentSources
  readonly streams: Streams
  readonly trickplay: Trickplay
  readonly lastChanges: Pick<ChangePositions, 'catalogue'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
  readonly liveEvents: LiveEvents
  readonly eventStreamLimit: EventStreamLimit
  readonly viewWatchdog: Pick<ViewWatchdog, 'isFollowing' | 'isCurrent' | 'whenCurrent'>
  readonly changes: Changes
  readonly auditLog: AuditLog
  readonly ownAudit: Pick<OwnAudit, 'list'>
  readonly auditTiles: AuditTiles
  readonly auditTree: AuditTree
  readonly checkpoints: Checkpoints
  readonly accessRecords: Pick<AccessRecords, 'denied' | 'followed' | 'viewed'>
  readonly recordAuditLook: RecordAuditLook
  readonly history: History
  readonly movieLife: MovieLife
  readonly libraryMovieChanges: LibraryChanges
  readonly historyImports: Pick<HistoryImports, 'take' | 'list' | 'waiting' | 'undo'>
  readonly analytics: Analytics
  readonly taste: Taste
  readonly erasureReceipts: ErasureReceipts
  readonly projections: RecordedProjections
  readonly webhooks: Webhooks
  readonly sealer: Pick<Sealer, 'seal' | 'open'>
}

/** Whether requests can be served, and if not, why; and warnings if they can. */
export type Readiness = { readonly ready: true; readonly warnings?: readonly string[] } | { readonly ready: false; readonly reason: string }

export interface ShownSetting {
  readonly name: string
  /** Null if it is unset or secret. */
  readonly value: string | null
  readonly isSet: boolean
  readonly meaning: string
}

export interface ShownBackup {
  /** Milliseconds since 1970; null: none is known. */
  readonly lastSuccessAt: number | null
  readonly lastEvents: number | null
  readonly lastFailure: string | null
}

/** The cache of segments on this node's disk. */
export interface ShownCache {
  readonly usedBytes: number
  readonly limitBytes: number
}

/** A transcode agent, as it announces itself. */
export interface ShownAgent {
  readonly agentId: string
  /** Version of its ffmpeg. */
  readonly version: string
  readonly slots: number
  readonly free: number
  readonly load: number
  /** Null until they were tested. */
  readonly encoders: readonly { readonly name: string; readonly framesPerSecond: number }[] | null
  readonly leaving: boolean
}

/** The context of a group of routes: the services that it names, and no others. */
export interface RouteContext<Names extends keyof HttpServices = never> {
  readonly services: Pick<HttpServices, Names>
  readonly paging: Paging
  readonly clock: Clock
  /** Aborts when the server closes. Its reason is the error for requests that would wait longer. */
  readonly closing: AbortSignal
  readonly ready: () => Readiness | Promise<Readiness>
  readonly backup: () => ShownBackup
  readonly agents: () => readonly ShownAgent[]
  /** Null: this node has none. */
  readonly cache: () => ShownCache | null
  /** The current settings, without secrets. */
  readonly settings: readonly ShownSetting[]
  /** Version of the program. */
  readonly version: string
  /** Build of the web client that is served now; null: none. */
  readonly webBuild: () => Promise<string | null>
  /** Base of absolute URLs, if the operator has set one. */
  readonly publicUrl: string | undefined
  /** Lets the reverse proxy send files; undefined: this server sends them itself. */
  readonly sendfile: Sendfile | undefined
  /** Of this server's interface. */
  readonly description: Description
}

/** The OpenAPI description as a text, which is made anew for each call. */
export interface Description {
  json(this: void): Promise<string>
  yaml(this: void): Promise<string>
}
