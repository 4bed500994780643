/**
 * A small catalogue of the media set's films under their real ids. Texts, people and ratings are invented, and images are drawn: nothing
 * comes from The Movie Database.
 */
import sharp from 'sharp'
import type { TmdbMovie } from './tmdb-answers.ts'

const genre = { animation: { id: 16, name: 'Animation' }, comedy: { id: 35, name: 'Comedy' }, fantasy: { id: 14, name: 'Fantasy' } }
const scienceFiction = { id: 878, name: 'Science Fiction' }
const studio = { id: 1, logo_path: null, name: 'An Open Film Studio', origin_country: 'NL' }
const english = { english_name: 'English', iso_639_1: 'en', name: 'English' }
const netherlands = { iso_3166_1: 'NL', name: 'Netherlands' }
const byOpenStudio = { production_companies: [studio], production_countries: [netherlands], spoken_languages: [english] }
const openMovies = { id: 500, name: 'Open Films Collection', poster_path: null, backdrop_path: null }

interface Person {
  readonly id: number
  readonly name: string
  readonly picture?: string
}

const actor = ({ id, name, picture }: Person, character: string, order: number) => ({
  adult: false,
  gender: 0,
  id,
  known_for_department: 'Acting',
  name,
  original_name: name,
  popularity: 1,
  profile_path: picture ?? null,
  cast_id: order,
  character,
  credit_id: `c${id}`,
  order,
})

const worker = ({ id, name, picture }: Person, job: string, department: string) => ({
  adult: false,
  id,
  known_for_department: department,
  name,
  profile_path: picture ?? null,
  credit_id: `w${id}${job}`,
  department,
  job,
})

const rated = (certifications: Readonly<Record<string, string>>) => ({
  results: Object.entries(certifications).map(([iso_3166_1, certification]) => ({
    iso_3166_1,
    release_dates: [{ certification, descriptors: [], iso_639_1: '', note: '', release_date: '2008-04-10T00:00:00.000Z', type: 3 }],
  })),
})

const tagged = (...names: readonly string[]) => ({ keywords: names.map((name, index) => ({ id: index + 1, name })) })

const anna: Person = { id: 101, name: 'Anna Invented', picture: '/annaInvented.jpg' }
const ben: Person = { id: 102, name: 'Ben Imagined', picture: '/benImagined.jpg' }
const cleo: Person = { id: 103, name: 'Cleo Fictional' }

export const MOVIES: readonly TmdbMovie[] = [
  {
    id: 10378,
    title: 'Big Buck Bunny',
    imdb_id: 'tt1254207',
    release_date: '2008-04-10',
    overview: 'A made-up text about a big rabbit who has enough.',
    tagline: 'A made-up line.',
    genres: [genre.animation, genre.comedy],
    belongs_to_collection: openMovies,
    ...byOpenStudio,
    poster_path: '/bunnyPoster.jpg',
    backdrop_path: '/bunnyBackdrop.jpg',
    vote_average: 6.543,
    vote_count: 321,
    credits: { id: 10378, cast: [actor(anna, 'The Rabbit', 0)], crew: [worker(ben, 'Director', 'Directing')] },
    release_dates: rated({ US: 'G', DE: '0' }),
    keywords: tagged('rabbit', 'open source'),
    images: { logos: [{ file_path: '/bunnyLogo.png', iso_639_1: 'en', vote_average: 5, width: 800, height: 300, aspect_ratio: 2.667 }] },
    elsewhere: { de: { title: 'Das große Kaninchen', overview: 'Ein erfundener Text.', genres: [{ id: 16, name: 'Animation' }] } },
  },
  {
    id: 45745,
    title: 'Sintel',
    imdb_id: 'tt1727587',
    release_date: '2010-09-30',
    overview: 'A made-up text about a wanderer and a dragon.',
    genres: [genre.animation, genre.fantasy],
    belongs_to_collection: openMovies,
    ...byOpenStudio,
    poster_path: '/sintelPoster.jpg',
    backdrop_path: '/sintelBackdrop.jpg',
    vote_average: 7.2,
    vote_count: 99,
    credits: {
      id: 45745,
      cast: [actor(anna, 'The Wanderer', 0), actor(cleo, 'The Shaman', 1)],
      crew: [worker(ben, 'Director', 'Directing')],
    },
    release_dates: rated({ US: 'PG' }),
    keywords: tagged('dragon'),
  },
  {
    id: 133701,
    title: 'Tears of Steel',
    imdb_id: 'tt2285752',
    release_date: '2012-09-26',
    overview: 'A made-up text about robots on a bridge.',
    genres: [scienceFiction],
    ...byOpenStudio,
    poster_path: '/steelPoster.jpg',
    backdrop_path: '/steelBackdrop.jpg',
    vote_average: 5.8,
    vote_count: 45,
    credits: { id: 133701, cast: [actor(cleo, 'The Captain', 0)], crew: [worker(anna, 'Screenplay', 'Writing')] },
  },
  {
    id: 3085,
    title: 'His Girl Friday',
    imdb_id: 'tt0032599',
    release_date: '1940-01-18',
    overview: 'A made-up text about two who write for a newspaper.',
    genres: [genre.comedy],
    production_countries: [{ iso_3166_1: 'US', name: 'United States of America' }],
    spoken_languages: [english],
    poster_path: '/fridayPoster.jpg',
    backdrop_path: '/fridayBackdrop.jpg',
    vote_average: 7.4,
    vote_count: 77,
    credits: {
      id: 3085,
      cast: [actor(ben, 'The Editor', 0), actor(cleo, 'The Reporter', 1)],
      crew: [worker(cleo, 'Director', 'Directing')],
    },
    release_dates: rated({ US: 'NR' }),
  },
]

const SIZES = [
  { of: /Poster\./, width: 400, height: 600 },
  { of: /Backdrop\./, width: 960, height: 540 },
  { of: /Logo\./, width: 400, height: 150 },
] as const
const PROFILE = { width: 200, height: 300 }
const COLOURS = ['#8d3b3b', '#3b6f8d', '#3b8d57', '#8d7b3b', '#6a3b8d']

/** Draws a plain image with its name on it for each image of the films and their people. */
export async function drawImages(movies: readonly TmdbMovie[]): Promise<Readonly<Record<string, Uint8Array>>> {
  const names = [...new Set(JSON.stringify(movies).match(/\/\w+\.(?:jpg|png|webp)/g))]
  return Object.fromEntries(await Promise.all(names.map(async (name, index) => [name, await draw(name, COLOURS[index % COLOURS.length])])))
}

async function draw(name: string, colour = '#444'): Promise<Uint8Array> {
  const { width, height } = SIZES.find(({ of }) => of.test(name)) ?? PROFILE
  const words = name.slice(1, -4)
  const text = `<text x="50%" y="50%" fill="#fff" font-size="${width / 12}" text-anchor="middle">${words}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour}"/>${text}</svg>`
  const drawn = sharp(Buffer.from(svg))
  return name.endsWith('.png') ? drawn.png().toBuffer() : drawn.jpeg().toBuffer()
}
