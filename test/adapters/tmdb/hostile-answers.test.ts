/** Responses of a hostile provider: none crashes the server, blocks the event loop, or is stored at an absurd length. */
import t from 'tap'
import { candidatesOf } from '../../../src/adapters/tmdb/candidates.ts'
import { toOnlineMovie } from '../../../src/adapters/tmdb/movie.ts'
import { isConfiguration, isTmdbMovie, isFound, isKeyRefusal, isSearch } from '../../../src/adapters/tmdb/shapes.ts'
import { spokenIn } from '../../../src/adapters/tmdb/spoken.ts'
import { never, openTmdb } from './open-tmdb.ts'

const CASES = 200
/** All facts of a film and its artwork, as JSON. */
const MOST_CHARACTERS = 400_000
const MOST_ITEMS = 100
const MOST_OVERVIEW = 10_000
const MOST_LINE = 300
const MEMBERS = (
  'id title original_title overview tagline release_date imdb_id external_ids belongs_to_collection name genres keywords results ' +
  'production_countries production_companies spoken_languages original_language iso_639_1 iso_3166_1 vote_count vote_average ' +
  'release_dates certification type credits cast crew job department order character profile_path images logos file_path ' +
  'poster_path backdrop_path movie_results secure_base_url base_url status_code __proto__ constructor toString length'
).split(' ')
const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  'tt0137523',
  '/a.png',
  '/../a.png',
  'en',
  'x-'.repeat(90),
  '1999-10-15',
  '9'.repeat(400),
  '\u202e',
]

/** The same numbers for the same seed (Park and Miller, 1988). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

type Draw = ReturnType<typeof numbersFrom>

function anyValue(draw: Draw, depth = 0): unknown {
  const kind = draw(depth > 3 ? 5 : 9)
  if (kind === 0) return [null, true, -1, 0, 3, 7, 1e308, 0.1, Number.MAX_SAFE_INTEGER][draw(9)]
  if (kind === 1) return (ODD_TEXTS[draw(ODD_TEXTS.length)] ?? '').repeat(1 + draw(3))
  if (kind === 2) return String.fromCharCode(draw(0x1_0000)).repeat(draw(20) === 0 ? 20_000 : 3)
  if (kind === 3) return draw(10_000)
  if (kind === 4) return `word ${draw(100)}`
  if (kind === 5) return Array.from({ length: 400 * draw(2) }, () => anyValue(draw, 4))
  if (kind === 6) return Array.from({ length: draw(4) }, () => anyValue(draw, depth + 1))
  return anyObject(draw, depth + 1)
}

const anyObject = (draw: Draw, depth: number): object =>
  Object.fromEntries(Array.from({ length: draw(5) }, () => [MEMBERS[draw(MEMBERS.length)] ?? '', anyValue(draw, depth)]))

/** As parsed from JSON. */
const anyMovie = (draw: Draw): unknown =>
  JSON.parse(JSON.stringify({ ...Object.fromEntries(MEMBERS.slice(0, 31).map((name) => [name, anyValue(draw)])), id: 7, title: 'A Film' }))

function tooLong(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') return value.length > (name === 'overview' ? MOST_OVERVIEW : MOST_LINE) ? [name] : []
  if (Array.isArray(value)) return [...(value.length > MOST_ITEMS ? [name] : []), ...value.flatMap((item) => tooLong(item, name))]
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([member, inner]) => tooLong(inner, member)) : []
}

t.test('whatever the provider says of a film becomes bounded facts', async (t) => {
  for (let seed = 1; seed <= CASES; seed++) {
    const told = anyMovie(numbersFrom(seed))
    if (!isTmdbMovie(told)) throw new Error('No film')
    const film = toOnlineMovie(told, spokenIn('de'))
    const json = JSON.stringify(film)
    const faults = [...tooLong(film), ...(json.length > MOST_CHARACTERS ? ['all'] : []), ...(json.isWellFormed() ? [] : ['half a pair'])]
    if (faults.length > 0) t.fail(`seed ${seed}: ${faults.join(', ')}`)
  }
})

t.test('whatever answers a search gives at most twenty candidates with short titles', async (t) => {
  for (let seed = 1; seed <= CASES; seed++) {
    const draw = numbersFrom(seed)
    for (const check of [isConfiguration, isTmdbMovie, isFound, isKeyRefusal, isSearch]) check(anyValue(draw))
    const candidates = candidatesOf(Array.from({ length: 25 }, () => ({ ...anyObject(draw, 2), id: 7, title: 'x'.repeat(draw(900)) })))
    if (candidates.length > 20 || tooLong(candidates).length > 0) t.fail(`seed ${seed}`)
  }
})

/** A Proxy counts reads of items, so that work is counted instead of timed. */
function countedList(item: object, length = 200_000) {
  const reads = { count: 0 }
  const list = new Proxy(
    Array.from({ length }, () => item),
    {
      get(target, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads.count++
        return Reflect.get(target, name, receiver)
      },
    },
  )
  return { list, reads }
}

t.test('a list of 200,000 items in an answer of the provider is not read to its end', async (t) => {
  for (const [place, item] of [
    [(list: unknown) => ({ spoken_languages: list }), { iso_639_1: 'de' }],
    [(list: unknown) => ({ genres: list }), { name: 'Drama' }],
    [(list: unknown) => ({ credits: { cast: list } }), { name: 'Ann' }],
    [(list: unknown) => ({ credits: { crew: list } }), { name: 'Ann', job: 'Cook', department: 'Food' }],
    [(list: unknown) => ({ images: { logos: list } }), { file_path: '/a.png', iso_639_1: 'en' }],
    [(list: unknown) => ({ release_dates: { results: [{ iso_3166_1: 'US', release_dates: list }] } }), { certification: ' ' }],
    [(list: unknown) => ({ release_dates: { results: list } }), { iso_3166_1: 'US', release_dates: [] }],
  ] as const) {
    const { list, reads } = countedList(item)
    const told = { id: 7, title: 'A Film', ...place(list) }
    t.ok(isTmdbMovie(told) && toOnlineMovie(told, spokenIn('de')))
    t.ok(reads.count <= 10_000, `${Object.keys(place([]))[0]}: ${reads.count}`)
  }
  const { list, reads } = countedList({ id: 7, title: 'A Film' })
  t.ok(isSearch({ results: list }) && isFound({ movie_results: list }))
  t.equal(candidatesOf(list).length, 20)
  t.ok(reads.count <= 100, `${reads.count}`)
})

t.test('an answer that is nested a hundred thousand deep is used like any other', async (t) => {
  const { online, server, clock } = await openTmdb(t)
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  server.fault({ type: 'says-text', text: `{"id":45745,"title":"Deep","overview":"Text","extra":${deep}}` })
  const film = await clock.settled(online.movie({ tmdb: '45745' }, 'en', never()))
  t.equal(film?.facts.title, 'Deep')
})
