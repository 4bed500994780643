/** Builds The Movie Database's responses from a catalogue: the same members with the same quirks, such as empty texts for unknown ones. */

/** The English `/movie/{id}` response with any of the appendable parts; missing members have the values of a bare film. */
export interface TmdbMovie {
  readonly id: number
  readonly title: string
  readonly original_title?: string
  /** `YYYY-MM-DD`, or empty. */
  readonly release_date?: string
  readonly imdb_id?: string | null
  readonly overview?: string
  /** Texts in other languages, by primary language subtag. */
  readonly elsewhere?: Readonly<Record<string, Texts>>
  readonly credits?: unknown
  readonly release_dates?: unknown
  readonly keywords?: unknown
  readonly external_ids?: unknown
  readonly images?: Readonly<Record<string, readonly TmdbImage[]>>
  readonly [member: string]: unknown
}

interface Texts {
  readonly title?: string
  readonly overview?: string
  readonly tagline?: string
  readonly genres?: readonly { readonly id: number; readonly name: string }[]
}

export interface TmdbImage {
  readonly file_path: string
  readonly iso_639_1: string | null
  readonly vote_average?: number
  readonly [member: string]: unknown
}

interface Asked {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
}

interface FacetLists {
  readonly movies: readonly TmdbMovie[]
  readonly imageBase: string
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

const PAGE = 20
const ABSENT: Answer = {
  status: 404,
  body: { success: false, status_code: 34, status_message: 'The resource you requested could not be found.' },
}

export function answerTo({ path, query }: Asked, { movies, imageBase }: FacetLists): Answer {
  const [, version, what, which] = path.split('/')
  if (version !== '3') return ABSENT
  if (what === 'configuration') return { status: 200, body: configuration(imageBase) }
  if (what === 'search' && which === 'movie')
    return { status: 200, body: page(movies.filter(isFound(query)).map(summaryIn(query['language']))) }
  if (what === 'find') {
    const found = movies.filter(({ imdb_id }) => imdb_id === which && query['external_source'] === 'imdb_id')
    return { status: 200, body: { movie_results: found.map(summaryIn(query['language'])), ...FOUND_NO_OTHERS } }
  }
  const movie = what === 'movie' ? movies.find(({ id }) => String(id) === which) : undefined
  return movie ? { status: 200, body: detail(movie, query) } : ABSENT
}

const FOUND_NO_OTHERS = { person_results: [], tv_results: [], tv_episode_results: [], tv_season_results: [] }

const configuration = (base: string) => ({
  change_keys: ['title'],
  images: {
    base_url: base,
    secure_base_url: base,
    backdrop_sizes: ['w300', 'w780', 'w1280', 'original'],
    logo_sizes: ['w45', 'w500', 'original'],
    poster_sizes: ['w92', 'w342', 'w780', 'original'],
    profile_sizes: ['w45', 'w185', 'h632', 'original'],
  },
})

const page = (results: readonly unknown[]) => ({
  page: 1,
  results: results.slice(0, PAGE),
  total_pages: Math.ceil(results.length / PAGE),
  total_results: results.length,
})

function isFound(query: Readonly<Record<string, string>>): (movie: TmdbMovie) => boolean {
  const wanted = fold(query['query'] ?? '')
  const year = query['primary_release_year'] ?? query['year']
  return ({ title, original_title = title, release_date = '', elsewhere = {} }) => {
    const names = [title, original_title, ...Object.values(elsewhere).flatMap((texts) => texts.title ?? [])]
    return wanted !== '' && names.some((name) => fold(name).includes(wanted)) && (!year || release_date.startsWith(year))
  }
}

const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

function summaryIn(language: string | undefined): (movie: TmdbMovie) => object {
  return (movie) => {
    const { id, title, original_title, overview, release_date, poster_path, backdrop_path, vote_average, vote_count } = inLanguage(
      movie,
      language,
    )
    const ids = { adult: false, video: false, id, genre_ids: [], original_language: movie['original_language'] ?? 'en', popularity: 1 }
    return { ...ids, title, original_title, overview, release_date, poster_path, backdrop_path, vote_average, vote_count }
  }
}

const BARE = {
  adult: false,
  backdrop_path: null,
  belongs_to_collection: null,
  budget: 0,
  genres: [],
  homepage: '',
  imdb_id: null,
  origin_country: [],
  original_language: 'en',
  overview: '',
  popularity: 1,
  poster_path: null,
  production_companies: [],
  production_countries: [],
  release_date: '',
  revenue: 0,
  runtime: 0,
  spoken_languages: [],
  status: 'Released',
  tagline: '',
  video: false,
  vote_average: 0,
  vote_count: 0,
}

/** An untranslated text is empty; the title is then the English one. */
function inLanguage({ elsewhere = {}, ...movie }: TmdbMovie, language = 'en') {
  const whole = { ...BARE, original_title: movie.title, ...movie }
  const primary = language.split('-', 1)[0] ?? 'en'
  return primary === 'en' ? whole : { ...whole, overview: '', tagline: '', ...elsewhere[primary] }
}

function detail(movie: TmdbMovie, { language, append_to_response: append = '', include_image_language: shown }: Asked['query']) {
  const { credits, release_dates, keywords, images = {}, external_ids, ...bare } = inLanguage(movie, language) as TmdbMovie
  const parts = {
    credits: credits ?? { cast: [], crew: [] },
    release_dates: release_dates ?? { results: [] },
    keywords: keywords ?? { keywords: [] },
    images: { backdrops: [], logos: [], posters: [], ...imagesIn(images, shown ?? language) },
    external_ids: external_ids ?? { imdb_id: bare.imdb_id, wikidata_id: null, facebook_id: null, instagram_id: null, twitter_id: null },
  }
  const wanted = append.split(',')
  return { ...bare, ...Object.fromEntries(Object.entries(parts).filter(([name]) => wanted.includes(name))) }
}

/** Only images in the requested languages; `null` stands for images without text. */
function imagesIn(images: Readonly<Record<string, readonly TmdbImage[]>>, shown: string | undefined) {
  const languages = shown?.split(',').map((language) => language.split('-', 1)[0])
  const isShown = ({ iso_639_1 }: TmdbImage): boolean => !languages || languages.includes(iso_639_1 ?? 'null')
  return Object.fromEntries(Object.entries(images).map(([kind, all]) => [kind, all.filter(isShown)]))
}
