/**
 * Derives facts from the log of a simulation, event by event as they are stored, and checks its invariants: no effect occurs twice, and
 * only its owner writes to a session, before its end.
 */
import { decode } from '../../src/events/codec.ts'
import type { StoredEvent } from '../../src/events/envelope.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'
import { START_MS } from './host.ts'
import type { World } from './world.ts'

export interface SessionFacts {
  readonly userId: string
  readonly loginId: string
  readonly libraryId: string
  readonly movieId: string
  readonly position: string
  readonly idleMs: number
  readonly startedAtMs: number
  /** By the clock of the host that stored it. */
  beatAtMs: number
  endedAtMs: number | undefined
  node: string
  token: number
}

export interface LogFacts {
  readonly events: readonly RecordedEvent[]
  readonly sessions: ReadonlyMap<string, SessionFacts>
  /** How often an effect occurs in the log that must occur once (`effectOf`). */
  effects(key: string): number
  /** The last value that was set, and when. */
  said(of: string): Said
  /** Since when something is revoked: a login, a user, a library, a user's grant of a library. */
  goneSinceMs(key: string): number | undefined
  /** When it was last restored; -Infinity: never. */
  backAtMs(key: string): number
  stored(this: void, events: readonly StoredEvent[]): void
}

export interface Said {
  readonly said: boolean
  readonly atMs: number
}

const NOTHING_SAID: Said = { said: false, atMs: -Infinity }

export const grantKey = (userId: string, libraryId: string) => `grant ${userId} ${libraryId}`

export function createLogFacts(world: World, libraryIds: readonly string[]): LogFacts {
  const events: RecordedEvent[] = []
  const sessions = new Map<string, SessionFacts>()
  const counts = new Map<string, number>()
  const sayings = new Map<string, Said>()
  const gone = new Map<string, number>()
  const back = new Map<string, number>()

  function take(key: string, isGone: boolean): void {
    if (!isGone && gone.delete(key)) back.set(key, world.now())
    else if (isGone && !gone.has(key)) gone.set(key, world.now())
  }

  function say(of: string, said: boolean): void {
    if ((sayings.get(of) ?? NOTHING_SAID).said !== said) sayings.set(of, { said, atMs: world.now() })
  }

  function count(event: RecordedEvent): void {
    const key = effectOf(event)
    if (key === undefined) return
    const times = (counts.get(key) ?? 0) + 1
    counts.set(key, times)
    if (times > 1) world.fail(`${key} stands in the log ${times} times`)
  }

  function follow(event: RecordedEvent): void {
    switch (event.type) {
      case 'SignedOut':
      case 'LoginRevoked':
        return take(`login ${event.data.loginId}`, true)
      case 'UserDisabled':
      case 'UserEnabled':
        return take(`user ${event.data.userId}`, event.type === 'UserDisabled')
      case 'LibraryRemoved':
      case 'LibraryRestored':
        return take(`library ${event.data.libraryId}`, event.type === 'LibraryRemoved')
      case 'UserAccessChanged': {
        const { userId, libraryAccess, libraryIds: granted } = event.data
        for (const id of libraryIds) take(grantKey(userId, id), libraryAccess !== 'all' && !granted.some((one) => one === id))
        return
      }
      case 'MovieMarkedWatched':
      case 'MovieMarkedUnwatched':
        return say(`watched ${event.data.userId} ${event.data.movieId}`, event.type === 'MovieMarkedWatched')
      case 'MovieCompleted':
        return say(`watched ${event.data.userId} ${event.data.movieId}`, true)
      case 'MovieWatchlisted':
      case 'MovieUnwatchlisted':
        return say(`listed ${event.data.userId} ${event.data.movieId}`, event.type === 'MovieWatchlisted')
      default:
    }
  }

  return {
    events,
    sessions,
    effects: (key) => counts.get(key) ?? 0,
    said: (of) => sayings.get(of) ?? NOTHING_SAID,
    goneSinceMs: (key) => gone.get(key),
    backAtMs: (key) => back.get(key) ?? -Infinity,
    stored(stored) {
      for (const event of stored.map(decode)) {
        if (!event) continue
        events.push(event)
        count(event)
        if (event.stream.startsWith('playback-')) write(world, sessions, event)
        follow(event)
      }
    },
  }
}

/** Undefined: it may occur repeatedly. */
export function effectOf({ type, data }: RecordedEvent): string | undefined {
  switch (type) {
    case 'PlaybackStarted':
      return `start ${data.sessionId}`
    case 'PlaybackHeartbeat':
      return `beat ${data.sessionId} ${data.positionMs}`
    case 'PlaybackSeeked':
      return `seek ${data.sessionId} ${data.positionMs}`
    case 'PlaybackCommandIssued':
      return `order ${data.sessionId} ${data.message}`
    case 'PlaybackEnded':
    case 'PlaybackExpired':
      return `end ${data.sessionId}`
    case 'MovieCompleted':
      return `complete ${data.sessionId}`
    case 'ResumePointSet':
      return `resume ${data.userId} ${data.movieId} ${data.positionMs}`
    case 'SignedIn':
      return `sign-in ${data.loginId}`
    default:
      return undefined
  }
}

/** Another event of a session: by its owner, before its end. */
function write(world: World, sessions: Map<string, SessionFacts>, event: RecordedEvent): void {
  const { type, data, position, at, metadata } = event
  if (type === 'PlaybackStarted') {
    const { sessionId, userId, loginId, libraryId, movieId, idleSeconds } = data
    const begun = { beatAtMs: Date.parse(at), endedAtMs: undefined, node: metadata['node'] ?? '', token: -1 }
    sessions.set(sessionId, {
      userId,
      loginId,
      libraryId,
      movieId,
      position,
      idleMs: idleSeconds * 1000,
      startedAtMs: world.now(),
      ...begun,
    })
    return
  }
  const session = sessions.get('sessionId' in data ? data.sessionId : '')
  if (!session) return world.fail(`${type} of no session in ${event.stream}`)
  if (session.endedAtMs !== undefined) world.fail(`${type} after the end of ${event.stream}`)
  if (type === 'PlaybackAdopted') {
    if (data.token <= session.token) world.fail(`${event.stream} was adopted by ${data.token} after ${session.token}`)
    Object.assign(session, { node: data.node, token: data.token })
  } else if (metadata['node'] !== session.node) {
    world.fail(`${type} of ${event.stream} by ${metadata['node']}, which is ${session.node}'s`)
  }
  if (type === 'PlaybackHeartbeat') session.beatAtMs = Date.parse(at)
  if (type === 'PlaybackEnded' || type === 'PlaybackExpired') session.endedAtMs = world.now()
}

/** Remaining milliseconds of a session at a time of the world, by the clock of the host that stored its last heartbeat. */
export const leftMs = ({ beatAtMs, idleMs }: SessionFacts, nowMs: number): number => beatAtMs + idleMs - START_MS - nowMs
