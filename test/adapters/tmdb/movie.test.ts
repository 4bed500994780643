import t from 'tap'
import { toOnlineMovie } from '../../../src/adapters/tmdb/movie.ts'
import { isTmdbMovie } from '../../../src/adapters/tmdb/shapes.ts'
import { spokenIn, tagOf } from '../../../src/adapters/tmdb/spoken.ts'

/** A film with these facts of the provider, by default in English. */
function movieOf(more: object, language = 'en') {
  const told = { id: 7, title: 'A Film', ...more }
  if (!isTmdbMovie(told)) throw new Error('No film')
  return toOnlineMovie(told, spokenIn(language))
}
const factsOf = (more: object, language?: string) => movieOf(more, language).facts

t.test('a bare film has its title and its id, and nothing else', async (t) => {
  t.strictSame(movieOf({}), {
    facts: {
      title: 'A Film',
      originalTitle: null,
      sortTitle: null,
      year: null,
      releaseDate: null,
      overview: null,
      tagline: null,
      collection: null,
      externalIds: { tmdb: '7', imdb: null },
      genres: [],
      tags: [],
      countries: [],
      studios: [],
      languages: [],
      rating: null,
      contentRating: null,
      cast: [],
      crew: [],
    },
    artwork: { poster: null, backdrop: null, logo: null },
  })
})

t.test('each member becomes one of ours', async (t) => {
  for (const [told, expected] of [
    [{ title: '  Two\nlines ' }, { title: 'Two lines' }],
    [
      { title: ' ', original_title: 'Le Film' },
      { title: 'Le Film', originalTitle: 'Le Film' },
    ],
    [{ release_date: '1999-10-15' }, { releaseDate: '1999-10-15', year: 1999 }],
    [{ overview: ' One.\n\nTwo.\n' }, { overview: 'One.\n\nTwo.' }],
    [{ tagline: 'A line.' }, { tagline: 'A line.' }],
    [{ belongs_to_collection: { id: 1, name: 'All of them' } }, { collection: 'All of them' }],
    [{ imdb_id: 'tt0137523' }, { externalIds: { tmdb: '7', imdb: 'tt0137523' } }],
    [{ imdb_id: '', external_ids: { imdb_id: 'tt0137523' } }, { externalIds: { tmdb: '7', imdb: 'tt0137523' } }],
    [
      {
        genres: [
          { id: 1, name: 'Drama' },
          { id: 2, name: 'Drama' },
          { id: 3, name: 'War' },
        ],
      },
      { genres: ['Drama', 'War'] },
    ],
    [{ keywords: { keywords: [{ id: 1, name: 'fight' }] } }, { tags: ['fight'] }],
    [{ production_countries: [{ iso_3166_1: 'DE', name: 'Germany' }] }, { countries: ['Germany'] }],
    [{ production_companies: [{ name: 'A Studio' }] }, { studios: ['A Studio'] }],
    [
      { spoken_languages: [{ iso_639_1: 'en' }, { iso_639_1: 'cn' }, { iso_639_1: 'xx' }], original_language: 'de' },
      { languages: ['en', 'yue'] },
    ],
    [{ spoken_languages: [], original_language: 'de' }, { languages: ['de'] }],
    [{ vote_average: 8.4376, vote_count: 3 }, { rating: 8.44 }],
    [{ vote_average: 0, vote_count: 3 }, { rating: 0 }],
  ] as const) {
    t.match(factsOf(told), expected, JSON.stringify(told))
  }
})

t.test('a member of the wrong shape is missing, and the rest is there', async (t) => {
  for (const wrong of [
    { original_title: 5 },
    { release_date: '1999-02-30' },
    { release_date: '' },
    { release_date: ['1999-10-15'] },
    { overview: { text: 'x' } },
    { tagline: '\u0000\u0007' },
    { belongs_to_collection: [] },
    { belongs_to_collection: 'x' },
    { imdb_id: 'nm0000001', external_ids: 7 },
    { genres: { name: 'Drama' } },
    { genres: [null, 'Drama', { id: 1 }, { name: 5 }, { name: '' }] },
    { keywords: [{ name: 'fight' }] },
    { production_countries: 'DE' },
    { spoken_languages: [{ iso_639_1: 'no such language' }], original_language: 5 },
    { vote_average: '8', vote_count: 5 },
    { vote_average: 11, vote_count: 5 },
    { vote_average: 8, vote_count: 0 },
    { vote_average: 8 },
    { release_dates: { results: [{ iso_3166_1: 'US', release_dates: 'PG' }] } },
    { credits: { cast: 'Everybody', crew: [{ name: 'Ann', job: 5, department: 'Directing' }] } },
    {
      poster_path: 'https://elsewhere.example/a.jpg',
      backdrop_path: '/../a.jpg',
      images: { logos: [{ file_path: '/a.svg', iso_639_1: 'en' }] },
    },
    JSON.parse('{"__proto__": {"overview": "x"}, "credits": {"__proto__": {"cast": [{"name": "Ann"}]}}}'),
  ]) {
    t.strictSame(movieOf(wrong), movieOf({}), JSON.stringify(wrong))
  }
})

t.test('without an id or a title it is no film', async (t) => {
  for (const value of [
    null,
    [],
    'A Film',
    {},
    { id: 7 },
    { title: 'A Film' },
    { id: '7', title: 'A Film' },
    { id: 0, title: '' },
    { id: 1.5, title: '' },
  ]) {
    t.notOk(isTmdbMovie(value), JSON.stringify(value))
  }
})

t.test('the age rating is that of where the language is spoken, else of the United States, of cinemas first', async (t) => {
  const rated = (iso_3166_1: string, ...releases: readonly (readonly [certification: string, type: number])[]) => ({
    iso_3166_1,
    release_dates: releases.map(([certification, type]) => ({ certification, type })),
  })
  const results = [
    rated('GB', ['15', 3]),
    rated('US', ['', 1], ['Unrated', 5], ['R', 3]),
    rated('DE', ['', 3], ['16', 5]),
    rated('FR', ['', 3]),
  ]
  for (const [language, expected] of [
    ['en', 'R'],
    ['en-GB', '15'],
    ['de', '16'],
    ['de-AT', 'R'],
    ['fr', 'R'],
    ['nonsense-language', 'R'],
  ] as const) {
    t.equal(factsOf({ release_dates: { results } }, language).contentRating, expected, language)
  }
})

t.test('the cast is in its own order, with images where there are any', async (t) => {
  const cast = [
    { name: 'Cleo', character: '', order: 2, profile_path: '/c.svg' },
    { name: 'Nobody knows where' },
    { name: 'Ann', character: ' The\tHero ', order: 0, profile_path: '/a-_1.jpg' },
    { name: ' ', character: 'Nobody', order: 1 },
  ]
  t.strictSame(factsOf({ credits: { cast } }).cast, [
    { name: 'Ann', character: 'The Hero', picture: '/a-_1.jpg' },
    { name: 'Cleo', character: null },
    { name: 'Nobody knows where', character: null },
  ])
})

t.test('of a large crew those who direct and write are there, each with each job once', async (t) => {
  const artists = Array.from({ length: 300 }, (_, index) => ({ name: `Artist ${index}`, job: 'Artist', department: 'Visual Effects' }))
  const director = { name: 'Ann', job: 'Director', department: 'Directing', profile_path: '/ann.jpg' }
  const writer = { name: 'Ann', job: 'Screenplay', department: 'Writing' }
  const { crew } = factsOf({ credits: { crew: [...artists, writer, director, director] } })
  t.equal(crew.length, 100)
  t.strictSame(crew.slice(0, 3), [{ name: 'Ann', job: 'Director', department: 'Directing', picture: '/ann.jpg' }, writer, artists[0]])
})

t.test('texts and lists are bounded', async (t) => {
  const long = 'a'.repeat(100_000)
  const many = Array.from({ length: 5_000 }, (_, index) => ({ name: `${index}${long.slice(0, 400)}` }))
  const facts = factsOf({
    title: long,
    overview: long,
    genres: many,
    keywords: { keywords: many },
    credits: { cast: many },
  })
  t.equal(facts.title.length, 300)
  t.equal(facts.overview?.length, 10_000)
  for (const list of [facts.genres, facts.tags, facts.cast]) t.equal(list.length, 100)
  t.equal(facts.cast[0]?.name.length, 300)
  t.equal(factsOf({ title: `${'a'.repeat(299)}😀` }).title, 'a'.repeat(299), 'no half of a character')
})

t.test('the logo is one in the language, else an English one, else one without words, the best liked, and never SVG', async (t) => {
  const logo = (file_path: string, iso_639_1: string | null, vote_average?: number) => ({ file_path, iso_639_1, vote_average })
  const english = [logo('/en1.png', 'en', 1), logo('/en5.png', 'en', 5), logo('/en.svg', 'en', 10), logo('/../en.png', 'en', 10)]
  for (const [logos, language, expected] of [
    [[...english, logo('/de.png', 'de')], 'de', '/de.png'],
    [[...english, logo('/de.png', 'de')], 'en-GB', '/en5.png'],
    [[...english, logo('/null.png', null, 9)], 'fr', '/en5.png'],
    [[logo('/null.png', null), logo('/ja.png', 'ja')], 'fr', '/null.png'],
    [[logo('/ja.png', 'ja')], 'fr', null],
  ] as const) {
    t.equal(movieOf({ images: { logos } }, language).artwork.logo, expected)
  }
  t.match(movieOf({ poster_path: '/p.jpg', backdrop_path: '/b.webp' }).artwork, { poster: '/p.jpg', backdrop: '/b.webp' })
})

t.test('languages are asked for as the provider knows them, and its own codes are understood', async (t) => {
  for (const [language, tag, region] of [
    ['de', 'de', 'DE'],
    ['ger', 'de', 'DE'],
    ['pt-BR', 'pt-BR', 'BR'],
    ['zh-Hant', 'zh-TW', 'TW'],
    ['es-419', 'es', '419'],
    ['', 'en', 'US'],
  ] as const) {
    t.match(spokenIn(language), { tag, region }, language)
  }
  t.strictSame(['cn', 'xx', 'no', 'pt'].map(tagOf), ['yue', null, 'no', 'pt'])
})
