import t from 'tap'
import { TMDB_KEY, TMDB_TOKEN } from '../../fakes/tmdb.ts'
import { MOVIES } from '../../fakes/tmdb-catalogue.ts'
import { never, openTmdb } from './open-tmdb.ts'

t.test('a film is found by its id, with its parts in one call', async (t) => {
  const { online, server } = await openTmdb(t, { movies: MOVIES })
  const film = await online.movie({ tmdb: '10378' }, 'de', never())
  t.match(film, {
    facts: {
      title: 'Das große Kaninchen',
      originalTitle: 'Big Buck Bunny',
      overview: 'Ein erfundener Text.',
      year: 2008,
      contentRating: '0',
      rating: 6.54,
      collection: 'Open Films Collection',
      languages: ['en'],
      tags: ['rabbit', 'open source'],
      externalIds: { tmdb: '10378', imdb: 'tt1254207' },
      cast: [{ name: 'Anna Invented', character: 'The Rabbit', picture: '/annaInvented.jpg' }],
    },
    artwork: { poster: '/bunnyPoster.jpg', backdrop: '/bunnyBackdrop.jpg', logo: '/bunnyLogo.png' },
  })
  t.strictSame(
    server.calls.map(({ path, query }) => [path, query]),
    [
      [
        '/3/movie/10378',
        {
          api_key: TMDB_KEY,
          language: 'de',
          append_to_response: 'credits,release_dates,keywords,images,external_ids',
          include_image_language: 'de,en,null',
        },
      ],
    ],
  )
})

t.test('a film is found by the id of another site', async (t) => {
  const { online, server } = await openTmdb(t, { movies: MOVIES })
  t.match(await online.movie({ imdb: 'tt1727587' }, 'en-GB', never()), { facts: { title: 'Sintel' } })
  t.strictSame(
    server.calls.map(({ path }) => path),
    ['/3/find/tt1727587', '/3/movie/45745'],
  )
  t.match(server.calls[0]?.query, { external_source: 'imdb_id', language: 'en-GB' })
  t.equal(server.calls[1]?.query['include_image_language'], 'en,null')
})

t.test('a film that the provider does not have is not there', async (t) => {
  const { online, server } = await openTmdb(t, { movies: MOVIES })
  t.equal(await online.movie({ tmdb: '5' }, 'en', never()), undefined)
  t.equal(await online.movie({ imdb: 'tt9999999' }, 'en', never()), undefined)
  t.equal(server.calls.length, 2)
})

t.test('what is no id is never asked for', async (t) => {
  const { online, server } = await openTmdb(t)
  for (const tmdb of ['', '0', '1/../../account', '12?api_key=x', '1e3', '99999999999', '-1']) {
    t.equal(await online.movie({ tmdb }, 'en', never()), undefined)
  }
  for (const imdb of ['', 'tt1', 'tt12345678901', 'nm1234567', '../account', 'tt1234567?x=1']) {
    t.equal(await online.movie({ imdb }, 'en', never()), undefined)
  }
  t.equal(server.calls.length, 0)
})

t.test('a text that is missing in the language is there in English', async (t) => {
  const { online, server } = await openTmdb(t, { movies: MOVIES })
  const film = await online.movie({ tmdb: '133701' }, 'de', never())
  t.equal(film?.facts.overview, 'A made-up text about robots on a bridge.')
  t.strictSame(
    server.calls.map(({ query }) => query['language']),
    ['de', 'en'],
  )
})

t.test('a film without any text is asked for in English once', async (t) => {
  const { online, server } = await openTmdb(t, { movies: [{ id: 1, title: 'Silent' }] })
  t.equal((await online.movie({ tmdb: '1' }, 'de', never()))?.facts.overview, null)
  t.equal((await online.movie({ tmdb: '1' }, 'en', never()))?.facts.overview, null)
  t.equal(server.calls.length, 3)
})

t.test('a search gives the best twenty', async (t) => {
  const movies = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, title: `Solaris ${index}`, release_date: '1972-03-20' }))
  const { online } = await openTmdb(t, { movies })
  const found = await online.search({ title: 'solaris', year: null }, 'en', never())
  t.equal(found.length, 20)
  t.strictSame(found[0], { tmdb: '1', title: 'Solaris 0', originalTitle: 'Solaris 0', year: 1972, overview: null, poster: null })
})

t.test('a search says title, year and language, and wants nothing for adults', async (t) => {
  const { online, server } = await openTmdb(t, { movies: MOVIES })
  t.match(await online.search({ title: ' Das große Kaninchen ', year: 2008 }, 'de', never()), [
    { tmdb: '10378', title: 'Das große Kaninchen' },
  ])
  t.match(server.calls[0], {
    path: '/3/search/movie',
    query: { query: 'Das große Kaninchen', year: '2008', language: 'de', include_adult: 'false' },
  })
  t.strictSame(await online.search({ title: 'Das große Kaninchen', year: 1950 }, 'de', never()), [])
  t.strictSame(await online.search({ title: ' ', year: 1950 }, 'de', never()), [])
  t.strictSame(await online.search({ title: '&api_key=other#/?'.repeat(1_000), year: null }, 'de', never()), [])
  t.equal(server.calls.length, 3)
  t.equal(server.calls[2]?.query['query']?.length, 200)
})

t.test('a search for people says what a film is about and names its poster, and accepts answers of a certain age only', async (t) => {
  const { online, server, clock } = await openTmdb(t, { movies: MOVIES })
  const search = (maxAgeMs?: number) => online.search({ title: 'Sintel', year: null, ...(maxAgeMs ? { maxAgeMs } : {}) }, 'en', never())
  t.match(await search(), [{ poster: '/sintelPoster.jpg', overview: 'A made-up text about a wanderer and a dragon.' }])
  await clock.advance(5_000)
  await search(10_000)
  t.equal(server.calls.length, 1)
  await search(5_000)
  t.equal(server.calls.length, 2)
})

t.test('results that are no films are left out', async (t) => {
  const { online, server } = await openTmdb(t)
  server.fault({
    type: 'says',
    json: {
      results: [
        null,
        { id: 1 },
        { id: 2, title: ' ' },
        { id: 3, title: 'A Film', release_date: 'soon', poster_path: '/../a.jpg', overview: 7 },
      ],
    },
  })
  t.strictSame(await online.search({ title: 'film', year: null }, 'en', never()), [
    { tmdb: '3', title: 'A Film', originalTitle: null, year: null, overview: null, poster: null },
  ])
})

t.test('a token goes in the head of the request, a key in its query', async (t) => {
  const { server, online, reopen } = await openTmdb(t, { movies: MOVIES })
  await online.search({ title: 'Sintel', year: null }, 'en', never())
  await (await reopen({ key: TMDB_TOKEN })).search({ title: 'Bunny', year: null }, 'en', never())
  const [byKey, byToken] = server.calls
  t.match(byKey, { query: { api_key: TMDB_KEY }, authorization: undefined })
  t.equal(byToken?.query['api_key'], undefined)
  t.equal(byToken?.authorization, `Bearer ${TMDB_TOKEN}`)
})
