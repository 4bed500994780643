/** Converts a film from the provider, with its appended parts, to our own format. */
import type { MovieFacts } from '../../events/movie-events.ts'
import type { OnlineMovie } from '../../ports/online-metadata.ts'
import { Type } from 'typebox'
import { castOf, crewOf } from './people.ts'
import { onlineImageNameOf } from './online-image-name.ts'
import { listOf, memberOf, type ProviderMovie } from './shapes.ts'
import { tagOf, type Spoken } from './spoken.ts'
import { dayOf, lineOf, linesOf, paragraphsOf, yearOf } from './texts.ts'

const Named = Type.Object({ name: Type.String() })
const Language = Type.Object({ iso_639_1: Type.String({ maxLength: 10 }) })
const Releases = Type.Object({ iso_3166_1: Type.String(), release_dates: Type.Unknown() })
const Release = Type.Object({ certification: Type.String(), type: Type.Optional(Type.Number()) })
const Logo = Type.Object({
  file_path: Type.String({ pattern: '\\.png$' }),
  iso_639_1: Type.Union([Type.String(), Type.Null()]),
  vote_average: Type.Optional(Type.Number()),
})
/** The type of release whose rating is used: in cinemas. */
const THEATRICAL = 3
const LOGOS_READ_MAX = 1000

export function toOnlineMovie(movie: ProviderMovie, spoken: Spoken): OnlineMovie {
  return {
    facts: { ...textsOf(movie), ...listsOf(movie), ...judgedIn(movie, spoken), ...peopleOf(movie) },
    artwork: {
      poster: onlineImageNameOf(memberOf(movie, 'poster_path')),
      backdrop: onlineImageNameOf(memberOf(movie, 'backdrop_path')),
      logo: logoOf(movie, spoken),
    },
  }
}

/** Empty if nobody has translated it. */
export const overviewOf = (movie: ProviderMovie): string | null => paragraphsOf(memberOf(movie, 'overview'))

function textsOf(movie: ProviderMovie) {
  const originalTitle = lineOf(memberOf(movie, 'original_title'))
  const releaseDate = dayOf(memberOf(movie, 'release_date'))
  const imdb = [memberOf(movie, 'imdb_id'), memberOf(memberOf(movie, 'external_ids'), 'imdb_id')]
  return {
    title: lineOf(movie.title) ?? originalTitle ?? `${movie.id}`,
    originalTitle,
    sortTitle: null,
    year: yearOf(releaseDate),
    releaseDate,
    overview: overviewOf(movie),
    tagline: lineOf(memberOf(movie, 'tagline')),
    collection: lineOf(memberOf(memberOf(movie, 'belongs_to_collection'), 'name')),
    externalIds: { tmdb: `${movie.id}`, imdb: imdb.find(isImdbId) ?? null },
  } satisfies Partial<MovieFacts>
}

export const isImdbId = (value: unknown): value is string => typeof value === 'string' && /^tt\d{6,10}$/.test(value)

function listsOf(movie: ProviderMovie) {
  const names = (value: unknown) => linesOf(listOf(value, Named).map(({ name }) => name))
  const spoken = listOf(memberOf(movie, 'spoken_languages'), Language).map(({ iso_639_1 }) => tagOf(iso_639_1))
  const original = memberOf(movie, 'original_language')
  const languages = linesOf(spoken)
  return {
    genres: names(memberOf(movie, 'genres')),
    tags: names(memberOf(memberOf(movie, 'keywords'), 'keywords')),
    countries: names(memberOf(movie, 'production_countries')),
    studios: names(memberOf(movie, 'production_companies')),
    languages: languages.length > 0 || typeof original !== 'string' ? languages : linesOf([tagOf(original)]),
  } satisfies Partial<MovieFacts>
}

function judgedIn(movie: ProviderMovie, { region }: Spoken) {
  const votes = memberOf(movie, 'vote_count')
  const average = memberOf(movie, 'vote_average')
  const isRated = typeof votes === 'number' && votes > 0 && typeof average === 'number' && average >= 0 && average <= 10
  return {
    rating: isRated ? Math.round(average * 100) / 100 : null,
    contentRating: certificationIn(movie, region) ?? certificationIn(movie, 'US'),
  } satisfies Partial<MovieFacts>
}

function certificationIn(movie: ProviderMovie, region: string | undefined): string | null {
  const country = listOf(memberOf(memberOf(movie, 'release_dates'), 'results'), Releases).find((one) => one.iso_3166_1 === region)
  const rated = listOf(country?.release_dates, Release).filter(({ certification }) => lineOf(certification) !== null)
  return lineOf((rated.find(({ type }) => type === THEATRICAL) ?? rated[0])?.certification)
}

const peopleOf = (movie: ProviderMovie) =>
  ({ cast: castOf(memberOf(movie, 'credits')), crew: crewOf(memberOf(movie, 'credits')) }) satisfies Partial<MovieFacts>

/** In the language, else in English, else without words; of those the one with the best votes. */
function logoOf(movie: ProviderMovie, { primary }: Spoken): string | null {
  const logos = listOf(memberOf(memberOf(movie, 'images'), 'logos'), Logo, LOGOS_READ_MAX).filter(
    ({ file_path }) => onlineImageNameOf(file_path) !== null,
  )
  const chosen = [primary, 'en', null]
    .map((language) => logos.filter(({ iso_639_1 }) => iso_639_1 === language))
    .find((some) => some.length > 0)
  return chosen?.toSorted((a, b) => (b.vote_average ?? 0) - (a.vote_average ?? 0))[0]?.file_path ?? null
}
