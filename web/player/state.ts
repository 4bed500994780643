/** What the player shows: signals, changed by the player alone and read by its controls. */
import { signal, type Signal } from '@preact/signals-core'
import type { Movie, MovieCard } from '../data/queries.ts'
import type { Session } from './engine.ts'
import type { DeviceChoices } from './look.ts'
import type { SubtitleOption } from './tracks.ts'
import type { Stretch } from './times.ts'

export type MenuName = 'subtitles' | 'look' | 'sound' | 'settings' | 'quality' | 'speed' | 'version' | 'why' | 'keys'

/** Why nothing plays any more. */
export type Over =
  | { readonly type: 'ended' }
  /** By an administrator, with what they say. */
  | { readonly type: 'stopped'; readonly message: string | null }
  /** `streams`: titles of the films that play elsewhere. */
  | { readonly type: 'limit'; readonly streams: readonly string[] }
  | { readonly type: 'gone' }
  | { readonly type: 'cannot-play'; readonly detail: string }
  | { readonly type: 'failed'; readonly message: string }

/** A card over the video, until it is closed. */
export interface Message {
  readonly id: string
  readonly text: string
}

/** A short note of what a key did. */
export interface Note {
  readonly text: string
}

/** Why it waits for the server. `seconds`: until it tries again, if that is known. */
export interface Away {
  readonly because: 'offline' | 'too-many'
  readonly seconds?: number
}

export interface PlayerState {
  readonly movie: Signal<Movie | undefined>
  readonly session: Signal<Session | undefined>
  readonly over: Signal<Over | undefined>
  readonly away: Signal<Away | undefined>
  /** Why the server has stopped the stream, in its words. */
  readonly problem: Signal<string | null>
  readonly position: Signal<number>
  readonly paused: Signal<boolean>
  /** The video stalls because data is missing. */
  readonly waiting: Signal<boolean>
  readonly buffered: Signal<readonly Stretch[]>
  readonly played: Signal<readonly Stretch[]>
  readonly volume: Signal<number>
  readonly muted: Signal<boolean>
  readonly rate: Signal<number>
  /** The quality that is shown. */
  readonly shownQuality: Signal<string | undefined>
  readonly quality: Signal<string | undefined>
  readonly audio: Signal<number | undefined>
  readonly subtitle: Signal<SubtitleOption | undefined>
  readonly device: Signal<DeviceChoices>
  readonly menu: Signal<MenuName | undefined>
  readonly controls: Signal<boolean>
  readonly fullscreen: Signal<boolean>
  readonly pictureInPicture: Signal<boolean>
  readonly messages: Signal<readonly Message[]>
  readonly note: Signal<Note | undefined>
  readonly next: Signal<MovieCard | undefined>
  /** Grows when thumbnails have become available. */
  readonly thumbnails: Signal<number>
  /** Below another page, with the video in a window of its own. */
  readonly isBar: Signal<boolean>
}

export const createState = (device: DeviceChoices): PlayerState => ({
  movie: signal(undefined),
  session: signal(undefined),
  over: signal(undefined),
  away: signal(undefined),
  problem: signal(null),
  position: signal(0),
  paused: signal(true),
  waiting: signal(true),
  buffered: signal([]),
  played: signal([]),
  volume: signal(device.volume),
  muted: signal(device.muted),
  rate: signal(1),
  shownQuality: signal(undefined),
  quality: signal(device.quality),
  audio: signal(undefined),
  subtitle: signal(undefined),
  device: signal(device),
  menu: signal(undefined),
  controls: signal(true),
  fullscreen: signal(false),
  pictureInPicture: signal(false),
  messages: signal([]),
  note: signal(undefined),
  next: signal(undefined),
  thumbnails: signal(0),
  isBar: signal(false),
})

/** Length of the film, seconds. */
export const durationOf = ({ session, movie }: Pick<PlayerState, 'session' | 'movie'>): number =>
  session.value?.duration ?? movie.value?.duration ?? 0
