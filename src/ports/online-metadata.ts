/**
 * Online metadata: a provider's data on films, found by its ids or by title and year. Optional: without it everything works from files
 * alone. The adapter caches answers and limits the rate of calls; a caller only waits.
 */
import type { ArtworkKind, MovieFacts } from '../events/movie-events.ts'

/** An id is digits for tmdb, `tt` and digits for imdb. */
export type OnlineId = { readonly tmdb: string } | { readonly imdb: string }

export interface OnlineCandidate {
  readonly tmdb: string
  readonly title: string
  readonly originalTitle: string | null
  readonly year: number | null
  readonly overview: string | null
  readonly poster: OnlineImageName | null
}

export interface OnlineSearch {
  readonly title: string
  readonly year: number | null
  /** Oldest cached answer that is accepted; default: what the adapter keeps. */
  readonly maxAgeMs?: number
}

/** Name of an image at the provider, `/<letters, digits, _ and ->.<jpg, png or webp>`; nothing else is ever fetched. */
export type OnlineImageName = string

const IMAGE_NAME = /^\/[A-Za-z0-9_-]{1,100}\.(?:jpg|png|webp)$/

export const isOnlineImageName = (value: unknown): value is OnlineImageName => typeof value === 'string' && IMAGE_NAME.test(value)

/** `small`: some hundred pixels wide, not kept. */
export type OnlineImageSize = 'whole' | 'small'

export interface OnlineMovie {
  /** `externalIds.tmdb` is always present; people carry the names of their images. */
  readonly facts: MovieFacts
  readonly artwork: Readonly<Record<ArtworkKind, OnlineImageName | null>>
}

export interface OnlineMetadata {
  /** BCP 47 `language` of texts; undefined: the provider has no such film. @throws OnlineAway; OnlineRefused; the signal's reason */
  movie(id: OnlineId, language: string, signal: AbortSignal): Promise<OnlineMovie | undefined>
  /** At most 20, the provider's best first. @throws as `movie` */
  search(wanted: OnlineSearch, language: string, signal: AbortSignal): Promise<readonly OnlineCandidate[]>
  /** Bytes, at most 20 MiB; undefined: no such image exists. @throws as `movie` */
  image(name: OnlineImageName, signal: AbortSignal, size?: OnlineImageSize): Promise<Uint8Array | undefined>
}

/** The provider does not answer, sends an invalid answer, or limits our rate: retry later. */
export class OnlineAway extends Error {
  readonly code = 'online-away'
  /** The wait the provider asked for, if it did. */
  readonly retryAfterMs: number | undefined
  constructor(message: string, options?: ErrorOptions & { readonly retryAfterMs?: number }) {
    super(message, options)
    this.name = 'OnlineAway'
    this.retryAfterMs = options?.retryAfterMs
  }
}

/** The provider rejects our key: retrying is pointless until a person has fixed it. */
export class OnlineRefused extends Error {
  readonly code = 'online-refused'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OnlineRefused'
  }
}
