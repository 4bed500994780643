/** The types that the HTTP layer's files share: the Fastify instance, and what every route is given. */
import type { FastifyBaseLogger, FastifyInstance, RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { Libraries } from '../app/libraries.ts'
import type { Movies } from '../app/movies.ts'
import type { Playback } from '../app/playback.ts'
import type { Scans } from '../app/scans.ts'
import type { SignIns } from '../app/sign-in.ts'
import type { StreamAccess } from '../app/stream-access.ts'
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
  readonly signIns: Pick<SignIns, 'signIn' | 'signOut' | 'authenticate' | 'touch'>
  readonly libraries: Pick<Libraries, 'list' | 'get' | 'create'>
  readonly scans: Pick<Scans, 'start' | 'current' | 'get'>
  readonly movies: Pick<Movies, 'list' | 'get' | 'credits' | 'files' | 'markWatched' | 'markUnwatched' | 'image'>
  readonly playback: Playback
  readonly streamAccess: StreamAccess
  readonly streams: Streams
}

/** Whether requests can be answered, and if not, why. */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string }

export interface RouteContext {
  readonly services: HttpServices
  readonly paging: Paging
  readonly clock: Clock
  readonly ready: () => Readiness
  /** Base of absolute URLs, where the operator has set one. */
  readonly publicUrl: string | undefined
}
