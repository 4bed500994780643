/** A fake provider of online metadata with scripted responses and failures. */
import type { MovieFacts } from '../../src/events/movie-events.ts'
import type { OnlineMovie, OnlineMetadata } from '../../src/ports/online-metadata.ts'
import { factsOf } from '../fixtures/movie-facts.ts'

export interface ScriptedProvider extends OnlineMetadata {
  /** Facts by the provider's id; `externalIds.tmdb` is filled in. */
  readonly movies: Map<string, MovieFacts>
  readonly images: Map<string, Uint8Array>
  /** Requests in the order of arrival: `movie 593 en`, `search Solaris 1972 en`, `image /a.jpg`. */
  readonly asked: string[]
  /** From now on throws this error for requests with this prefix; without an error, responds normally. */
  fail(error?: Error, asks?: string): void
  /** From now on responds to nobody, until it is called again. */
  hang(hangs: boolean): void
  /** From now on delays responses, until the returned function is called. */
  hold(): () => void
}

export const movieFactsOf = (title: string, year: number, more: Partial<MovieFacts> = {}): MovieFacts => factsOf(title, year, more)

export function createScriptedProvider(movies: Readonly<Record<string, MovieFacts>> = {}): ScriptedProvider {
  const known = new Map(Object.entries(movies))
  const images = new Map<string, Uint8Array>()
  const asked: string[] = []
  let failure: { readonly error: Error; readonly asks: string } | undefined
  let hangs = false
  let held = Promise.resolve()

  async function note(ask: string, signal: AbortSignal): Promise<void> {
    asked.push(ask)
    signal.throwIfAborted()
    if (hangs) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    await held
    if (failure && ask.startsWith(failure.asks)) throw failure.error
  }

  return {
    movies: known,
    images,
    asked,
    fail: (error, asks = '') => void (failure = error && { error, asks }),
    hang: (now) => void (hangs = now),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    async movie(id, language, signal) {
      await note(`movie ${'tmdb' in id ? id.tmdb : id.imdb} ${language}`, signal)
      const found = [...known].find(([tmdb, facts]) => ('tmdb' in id ? tmdb === id.tmdb : facts.externalIds.imdb === id.imdb))
      return found && movieNamed(...found, language)
    },
    async search({ title, year }, language, signal) {
      await note(`search ${title} ${year} ${language}`, signal)
      const fits = (facts: MovieFacts) =>
        facts.title.toLowerCase().startsWith(title.slice(0, 3).toLowerCase()) && (year === null || facts.year === year)
      return [...known].flatMap(([tmdb, facts]) => (fits(facts) ? [{ tmdb, ...facts, poster: `/poster${tmdb}.jpg` }] : []))
    },
    async image(name, signal, size = 'whole') {
      await note(size === 'whole' ? `image ${name}` : `${size} image ${name}`, signal)
      return images.get(name)
    },
  }
}

const movieNamed = (tmdb: string, facts: MovieFacts, language: string): OnlineMovie => ({
  facts: { ...facts, overview: facts.overview && `${facts.overview} (${language})`, externalIds: { ...facts.externalIds, tmdb } },
  artwork: { poster: `/poster${tmdb}.jpg`, backdrop: null, logo: null },
})
