/**
 * Online metadata from The Movie Database (its API version 3), or from a compatible server. Ids and names are checked before they become
 * part of an address; the key is sent to the API only, and never appears in an error.
 */
import type { Clock } from '../../ports/clock.ts'
import type { OnlineMovie, OnlineId, OnlineMetadata } from '../../ports/online-metadata.ts'
import type { ImageStore } from '../../ports/image-store.ts'
import { createApi, type Api } from './api.ts'
import { createCalls } from './calls.ts'
import { candidatesOf } from './candidates.ts'
import { isImdbId, overviewOf, toOnlineMovie } from './movie.ts'
import { createResponseCache } from './response-cache.ts'
import { createImages } from './images.ts'
import type { Lookup } from './public-host.ts'
import { isTmdbMovie, isFound, isSearch, type ProviderMovie } from './shapes.ts'
import { spokenIn, type Spoken } from './spoken.ts'
import type { Report } from '../../ports/report.ts'

export interface TmdbOptions {
  /** A key of version 3, or a read token of version 4, which begins with `eyJ`. */
  readonly key: string
  /** URL of the API, without a trailing slash; the public one by default. */
  readonly url?: string | undefined
  /** Folder for cached answers. */
  readonly folder: string
  /** Store for images. */
  readonly images: ImageStore
  readonly clock: Clock
  /** Called once with a one-sentence error when answers cannot be kept. */
  readonly onError: Report<Error>
  /** Resolves a host's addresses; replaced only in tests. */
  readonly lookup?: Lookup
}

const PUBLIC_API = 'https://api.themoviedb.org/3'
const DAY_MS = 86_400_000
const KEEP_MS = 7 * DAY_MS
/** Regardless of the results: unmatched films are searched for again at each start. */
const SEARCH_KEEP_MS = 30 * DAY_MS
const PARTS = 'credits,release_dates,keywords,images,external_ids'
const TITLE_MAX = 200

export function createTmdb({ key, url = PUBLIC_API, folder, images, clock, onError, lookup }: TmdbOptions): OnlineMetadata {
  const answers = createResponseCache({ folder, clock, onError })
  const api = createApi({ url, key, calls: createCalls({ clock, lookup }), answers, clock })
  return {
    movie: (id, language, signal) => findMovie({ api, spoken: spokenIn(language), signal }, id),
    async search({ title, year, maxAgeMs = SEARCH_KEEP_MS }, language, signal) {
      const wanted = title.trim().slice(0, TITLE_MAX).toWellFormed()
      if (wanted === '') return []
      const query = {
        query: wanted,
        ...(year === null ? {} : { year: `${year}` }),
        language: spokenIn(language).tag,
        include_adult: 'false',
      }
      const found = await api.ask({ path: '/search/movie', query, isRight: isSearch, keepMs: () => maxAgeMs }, signal)
      return candidatesOf(found?.results ?? [])
    },
    // Images come from a separate host, with its own rate limit and outages.
    image: createImages({ url, api, calls: createCalls({ clock, lookup }), store: images, clock }),
  }
}

/** An id that does not exist today may exist tomorrow. */
const keepMs = (isThere: boolean): number => (isThere ? KEEP_MS : DAY_MS)

interface Asking {
  readonly api: Api
  readonly spoken: Spoken
  readonly signal: AbortSignal
}

async function findMovie(asking: Asking, id: OnlineId): Promise<OnlineMovie | undefined> {
  const { spoken } = asking
  const tmdb = 'tmdb' in id ? id.tmdb : await tmdbIdOf(asking, id.imdb)
  if (tmdb === undefined || !/^[1-9]\d{0,9}$/.test(tmdb)) return undefined
  const parts = { append_to_response: PARTS, include_image_language: [...new Set([spoken.primary, 'en', 'null'])].join(',') }
  const found = await askMovie(asking, tmdb, { language: spoken.tag, ...parts })
  if (!found) return undefined
  const movie = toOnlineMovie(found, spoken)
  if (movie.facts.overview !== null || spoken.primary === 'en') return movie
  // A text in a foreign language is still better than none.
  const english = await askMovie(asking, tmdb, { language: 'en' })
  return { ...movie, facts: { ...movie.facts, overview: english ? overviewOf(english) : null } }
}

const askMovie = ({ api, signal }: Asking, tmdb: string, query: Readonly<Record<string, string>>): Promise<ProviderMovie | undefined> =>
  api.ask({ path: `/movie/${tmdb}`, query, isRight: isTmdbMovie, keepMs: (found) => keepMs(found !== undefined) }, signal)

async function tmdbIdOf({ api, spoken, signal }: Asking, imdb: string): Promise<string | undefined> {
  if (!isImdbId(imdb)) return undefined
  const query = { external_source: 'imdb_id', language: spoken.tag }
  const question = {
    path: `/find/${imdb}`,
    query,
    isRight: isFound,
    keepMs: (found?: { readonly movie_results: readonly unknown[] }) => keepMs((found?.movie_results.length ?? 0) > 0),
  }
  const movie = (await api.ask(question, signal))?.movie_results.find(isTmdbMovie)
  return movie && `${movie.id}`
}
