/** The types that the HTTP layer's files share: the Fastify instance, and what every route is given. */
import type { FastifyBaseLogger, FastifyInstance, RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { Changes } from '../app/changes.ts'
import type { LastChanges } from '../app/last-changes.ts'
import type { Freshness } from '../app/freshness.ts'
import type { EventStreamPlaces } from '../app/event-stream-places.ts'
import type { ExportData } from '../app/data-export.ts'
import type { Libraries } from '../app/libraries.ts'
import type { LibraryStatistics } from '../app/library-stats.ts'
import type { Logins } from '../app/logins.ts'
import type { AgentSources } from '../app/agent-sources.ts'
import type { Catalogue } from '../app/catalogue.ts'
import type { MovieCorrections } from '../app/movie-corrections.ts'
import type { MovieMarks } from '../app/movie-marks.ts'
import type { LiveEvents } from '../app/live-events.ts'
import type { LiveViewsWatch } from '../app/live-views-watch.ts'
import type { Movies } from '../app/movies.ts'
import type { Past } from '../app/past.ts'
import type { Pictures } from '../app/pictures.ts'
import type { Playback } from '../app/playback.ts'
import type { Projections } from '../app/projections.ts'
import type { Scans } from '../app/scans.ts'
import type { Sealer } from '../app/sealer.ts'
import type { SignIns } from '../app/sign-in.ts'
import type { SignUps } from '../app/sign-up.ts'
import type { StreamAccess } from '../app/stream-access.ts'
import type { Trickplay } from '../app/trickplay.ts'
import type { Users } from '../app/users.ts'
import type { Clock } from '../ports/clock.ts'
import type { Paging } from './paging.ts'
import type { Streams } from './streams.ts'

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** What the routes call. */
export interface HttpServices {
  readonly signIns: Pick<SignIns, 'signIn' | 'signOut' | 'authenticate' | 'touch' | 'changePassword'>
  readonly signUps: SignUps
  readonly users: Users
  readonly logins: Logins
  readonly exportData: ExportData
  readonly libraries: Pick<Libraries, 'list' | 'get' | 'create' | 'change' | 'remove' | 'restore'>
  readonly libraryStatistics: LibraryStatistics
  readonly scans: Scans
  readonly movies: Movies
  readonly movieMarks: MovieMarks
  readonly movieCorrections: MovieCorrections
  readonly catalogue: Catalogue
  readonly past: Past
  readonly pictures: Pictures
  readonly playback: Playback
  readonly streamAccess: StreamAccess
  readonly agentSources: AgentSources
  readonly streams: Streams
  readonly trickplay: Trickplay
  readonly lastChanges: Pick<LastChanges, 'catalogue'>
  readonly freshness: Pick<Freshness, 'reach'>
  readonly liveEvents: LiveEvents
  readonly eventStreamPlaces: EventStreamPlaces
  readonly liveViewsWatch: Pick<LiveViewsWatch, 'judges' | 'isCurrent' | 'whenCurrent'>
  readonly changes: Changes
  readonly projections: Projections
  readonly sealer: Pick<Sealer, 'seal' | 'open'>
}

/** Whether requests can be answered, and if not, why; and what is missing although they can. */
export type Readiness = { readonly ready: true; readonly warnings?: readonly string[] } | { readonly ready: false; readonly reason: string }

export interface RouteContext {
  readonly services: HttpServices
  readonly paging: Paging
  readonly clock: Clock
  readonly ready: () => Readiness | Promise<Readiness>
  /** Version of the program. */
  readonly version: string
  /** Base of absolute URLs, where the operator has set one. */
  readonly publicUrl: string | undefined
}
