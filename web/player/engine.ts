/** What plays a session: the file itself, hls.js over Media Source Extensions, or the browser's own HLS. */
import type { components } from '../api/schema.d.ts'
import { soundOf } from './tracks.ts'

type Schemas = components['schemas']
/** Servers before chapters were part of the session leave them out. */
export type Session = Omit<Schemas['Session'], 'chapters'> & { readonly chapters?: readonly Chapter[] }

export interface Chapter {
  readonly start: number
  readonly title: string | null
}

export type EngineKind = 'file' | 'hls' | 'native'

/** What the person wants of the streams. */
export interface Choice {
  /** Name of a quality; undefined: whatever the connection carries. */
  readonly quality: string | undefined
  /** Index of the track; undefined: that which the film plays by itself. */
  readonly audio: number | undefined
}

export type Failure =
  /** The server has no such session or stream for us any more: only a heartbeat returns the reason. */
  | { readonly type: 'gone' }
  /** The browser cannot play this: another engine may. */
  | { readonly type: 'broken'; readonly detail: string }

export interface EngineOptions {
  readonly video: HTMLVideoElement
  readonly session: Session
  /** Where to begin, seconds. */
  readonly at: number
  readonly choice: Choice
  readonly onFailure: (failure: Failure) => void
  /** Whether the server has stopped answering the requests for the streams. */
  readonly onAway: (isAway: boolean) => void
  /** The quality that is shown has changed. */
  readonly onQuality: (name: string | undefined) => void
}

export interface Engine {
  readonly kind: EngineKind
  /** False if it cannot: then another engine has to begin at the position. */
  choose(choice: Choice): boolean
  /** Frames per second, if it knows. */
  frameRate(): number | undefined
  /** What the connection carries, bits per second, if it knows. */
  bandwidth(): number | undefined
  destroy(): void
}

export interface Support {
  readonly mediaSource: boolean
  readonly nativeHls: boolean
}

/**
 * The engines to try, the best first. `canPlayType` is never asked first: Chromium says "maybe" to HLS and then fails on some streams
 * (video-dev/hls.js#7827).
 */
export function engineOrder(session: Pick<Session, 'decision' | 'audio'>, choice: Choice, support: Support): readonly EngineKind[] {
  const isFile = session.decision.method === 'direct' && suitsFile(session, choice)
  return [
    ...(isFile ? (['file'] as const) : []),
    ...(support.mediaSource ? (['hls'] as const) : []),
    ...(support.nativeHls ? (['native'] as const) : []),
  ]
}

/** Browsers cannot change the sound within a file, and a file has one quality. */
export const suitsFile = (session: Pick<Session, 'audio'>, { quality, audio }: Choice): boolean =>
  (quality === undefined || quality === 'original') && soundOf(session, audio) === soundOf(session, undefined)

/** Of the browser. */
export function supportOf(video: Pick<HTMLVideoElement, 'canPlayType'>, global: object = globalThis): Support {
  const has = (name: string): boolean => typeof Reflect.get(global, name) === 'function'
  return {
    mediaSource: has('MediaSource') || has('ManagedMediaSource'),
    nativeHls: video.canPlayType('application/vnd.apple.mpegurl') !== '',
  }
}

const FIRST_WAIT_MS = 1000
const MOST_WAIT_MS = 8000

/** How long to wait before a repeat: a server that restarts is back within seconds. */
export const backOffMs = (failures: number): number => Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures)
