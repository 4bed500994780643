import t from 'tap'
import { credits, creditsOf } from '../../../projections/views/credits.ts'
import { images, onlineImageId } from '../../../projections/views/images.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { foundOf } from '../../../projections/views/movie-facts.ts'
import { movieKeysView } from '../../../projections/views/movie-keys.ts'
import { personIdOf } from '../../../projections/views/movie-query-fields.ts'
import { movies } from '../../../projections/views/movies.ts'
import type { EventData } from '../../../src/events/catalogue.ts'
import type { ImageId } from '../../../src/vocabulary/id.ts'
import type { MovieFacts, OnlineQuestion } from '../../../src/events/movie-events.ts'
import { factsOf } from '../../fixtures/movie-facts.ts'
import type { Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import type { ImageTint } from '../../../src/events/movie-events.ts'
import { fold } from '../../fixtures/fold.ts'

const [movieId, libraryId, fileId] = [named<'movie'>('solaris'), named<'library'>('films'), named<'file'>('file')]
const FILM = '/films/Solaris (1972).mkv'
const NO_IMAGES = { poster: null, backdrop: null, logo: null }
const NO_PIN: EventData['MovieMatchPinned'] = { movieId, tmdb: null, imdb: null, title: null, year: null }
const stamp = { sizeBytes: 1, modifiedAtMs: 1, inode: null }

const begun: readonly Happened[] = [
  { type: 'MovieDiscovered', data: { movieId, libraryId } },
  { type: 'MovieFileAdded', data: { movieId, libraryId, fileId, path: FILM, root: '/films', stamp, fingerprint: 'ab' } },
]
const found = (source: 'name' | 'nfo', more: Partial<MovieFacts> = {}): Happened => ({
  type: 'MovieIdentified',
  data: { movieId, source, confidence: source === 'nfo' ? 1 : 0.8, facts: factsOf('Soljaris', 1972, more) },
})
const byId: OnlineQuestion = { tmdb: '593', imdb: null, title: null, originalTitle: null, year: null }
const online = (more: Partial<EventData['MovieMatchedOnline']> = {}): Happened => ({
  type: 'MovieMatchedOnline',
  data: {
    movieId,
    libraryId,
    provider: 'tmdb',
    asked: { tmdb: null, imdb: null, title: 'Soljaris', originalTitle: null, year: 1972 },
    confidence: 0.9,
    language: 'en',
    facts: factsOf('Solaris', 1971, {
      originalTitle: 'Солярис',
      overview: 'A planet thinks.',
      rating: 8,
      genres: ['Science Fiction'],
      collection: 'Planets',
      externalIds: { tmdb: '593', imdb: 'tt0069293' },
      cast: [{ name: 'Donatas Banionis', character: 'Kelvin', picture: '/kelvin.jpg' }],
      crew: [{ name: 'Andrei Tarkovsky', job: 'Director', department: 'Directing', picture: '/andrei.jpg' }],
    }),
    artwork: { poster: '/poster.jpg', backdrop: '/backdrop.jpg', logo: null },
    ...more,
  },
})
const pinned = (pin: Partial<typeof NO_PIN>): Happened => ({ type: 'MovieMatchPinned', data: { ...NO_PIN, ...pin } })
const unmatched: Happened = { type: 'MovieUnmatchedOnline', data: { movieId } }
const chosen = (poster: { imageId: ImageId; path: string } | null): Happened => ({
  type: 'MovieArtworkChosen',
  data: { movieId, artwork: { ...NO_IMAGES, poster } },
})

function movieAfter(...events: readonly Happened[]): MovieDocument {
  const movie = fold(movies, ...begun, ...events).get(movieId)
  if (!movie) throw new Error('There is no movie')
  return movie
}
function creditsAfter(...events: readonly Happened[]) {
  const document = fold(credits, ...begun, ...events).get(movieId)
  return document && creditsOf(document)
}

t.test('of a film that has only a name the provider says everything, and files of another version go by the name still', async (t) => {
  const events = [...begun, found('name', { tags: ['own tag'] }), online()]
  t.match(movieAfter(...events), {
    details: {
      title: 'Solaris',
      year: 1971,
      originalTitle: 'Солярис',
      overview: 'A planet thinks.',
      genres: ['Science Fiction'],
      tags: ['own tag'],
      externalIds: { tmdb: '593', imdb: 'tt0069293' },
    },
    match: { source: 'tmdb', confidence: 0.9, pinned: false },
    year: 1971,
    rating: 8,
    sortTitle: 'solaris',
    words: ['solaris', 'солярис', 'donatas', 'banionis', 'andrei', 'tarkovsky'],
    card: { title: 'Solaris', overview: 'A planet thinks.' },
  })
  const keys = movieAfter(...events).factKeys
  for (const key of ['genre:science fiction', 'matched:true', `person:${personIdOf('Andrei Tarkovsky')}`]) t.ok(keys.includes(key), key)
  t.ok(keys.some((key) => key.startsWith('collection:')))
  t.match(fold(movieKeysView, ...events).get(movieId), {
    found: { title: 'Soljaris', year: 1972, externalIds: { tmdb: null } },
    onlineLanguage: 'en',
  })
  t.match(fold(movieKeysView, ...events, unmatched).get(movieId), { onlineLanguage: null })
})

t.test('facts of an .nfo precede those of the provider, member by member, in either order', async (t) => {
  const nfo = found('nfo', { overview: 'Ein Planet denkt.', genres: ['Drama'], cast: [{ name: 'Natalya Bondarchuk', character: 'Hari' }] })
  for (const events of [
    [nfo, online()],
    [found('name'), online(), nfo],
  ]) {
    const { details, match, words } = movieAfter(...events)
    t.match(details, { title: 'Soljaris', year: 1972, overview: 'Ein Planet denkt.', genres: ['Drama'], rating: 8, collection: 'Planets' })
    t.match(match, { source: 'nfo', confidence: 1, pinned: false })
    t.ok(words.includes('bondarchuk') && words.includes('tarkovsky') && !words.includes('banionis'), 'cast and crew each from one source')
    t.match(creditsAfter(...events), { cast: [{ name: 'Natalya Bondarchuk', image: null }], crew: [{ name: 'Andrei Tarkovsky' }] })
  }
})

t.test('the provider’s facts are gone when the movie is another film, and those of files stay', async (t) => {
  const before = movieAfter(found('name'))
  const { updatedAt: _, card: __, ...after } = movieAfter(found('name'), online(), unmatched)
  t.match(before, after)
  t.match(creditsAfter(found('name'), online(), unmatched), { cast: [], crew: [] })
})

t.test(
  'facts of the files that describe the movie alone are stored once, and are still known when something else describes it',
  async (t) => {
    const film = found('nfo', { overview: 'A planet thinks.' })
    const edited: Happened = { type: 'MovieEdited', data: { movieId, changes: { overview: 'Mine.' } } }
    const alone = movieAfter(film)
    t.equal(alone.found.details, null)
    for (const others of [[edited], [online()], [pinned({ title: 'Other' })]]) {
      const movie = movieAfter(film, ...others)
      t.strictSame(foundOf(movie), foundOf(alone))
      t.not(movie.details, movie.found.details)
    }
    const later = movieAfter(film, edited, found('nfo', { overview: 'It dreams.', rating: 3 }))
    t.match(foundOf(later).details, { overview: 'It dreams.', rating: 3 })
    t.match(later.details, { overview: 'Mine.', rating: 3 })
  },
)

t.test('edits stand above the provider, and a pinned match is filled with its ids', async (t) => {
  const edited: Happened = { type: 'MovieEdited', data: { movieId, changes: { overview: 'Mine.', rating: null } } }
  t.match(movieAfter(found('name'), edited, online()).details, { overview: 'Mine.', rating: null, title: 'Solaris' })
  const pin = movieAfter(found('name'), pinned({ tmdb: '593' }), online({ asked: byId, confidence: 1 }))
  t.match(pin, {
    match: { source: 'manual', confidence: 1, pinned: true },
    details: { title: 'Solaris', externalIds: { tmdb: '593', imdb: 'tt0069293' } },
  })
})

t.test('where a film was pinned to be another one than its .nfo says, the provider alone counts', async (t) => {
  const wrong = found('nfo', {
    overview: 'Another film.',
    tagline: 'Another line.',
    externalIds: { tmdb: '2103', imdb: null },
    cast: [{ name: 'X', character: null }],
  })
  const events = [wrong, pinned({ tmdb: '593' }), online({ asked: byId })]
  t.match(movieAfter(...events).details, {
    title: 'Solaris',
    year: 1971,
    overview: 'A planet thinks.',
    tagline: null,
    externalIds: { tmdb: '593' },
  })
  t.match(creditsAfter(...events), { cast: [{ name: 'Donatas Banionis' }] })
  const asked = { ...byId, tmdb: null, title: 'Solaris', year: 1971 }
  const titled = movieAfter(wrong, pinned({ title: 'Solaris', year: 1971 }), online({ asked }))
  t.match(titled.details, { title: 'Solaris', year: 1971, overview: 'A planet thinks.', externalIds: { tmdb: '593' } })
})

t.test('an .nfo that names the film that was found by its name keeps its own title and texts', async (t) => {
  const nfo: Happened = {
    type: 'MovieIdentified',
    data: {
      movieId,
      source: 'nfo',
      confidence: 1,
      facts: factsOf('Солярис', 1972, {
        overview: 'Own words.',
        externalIds: { tmdb: '593', imdb: null },
        cast: [{ name: 'X', character: null }],
      }),
    },
  }
  const events = [found('name'), online(), nfo]
  t.match(movieAfter(...events).details, { title: 'Солярис', year: 1972, overview: 'Own words.', rating: 8 })
  t.match(creditsAfter(...events), { cast: [{ name: 'X' }] })
})

t.test('an .nfo without an id, or with the other one, does not speak for the film that was pinned in its place', async (t) => {
  const other = factsOf('Brazil', 1985, { overview: 'In an office.', externalIds: { tmdb: '68', imdb: 'tt0088846' } })
  const events = [pinned({ tmdb: '68' }), online({ asked: { ...byId, tmdb: '68' }, facts: other })]
  for (const more of [{}, { externalIds: { tmdb: null, imdb: 'tt0069293' } }]) {
    const nfo = found('nfo', { overview: 'A planet thinks.', cast: [{ name: 'X', character: null }], ...more })
    t.match(movieAfter(nfo, ...events).details, { title: 'Brazil', year: 1985, overview: 'In an office.', externalIds: { tmdb: '68' } })
    t.match(creditsAfter(nfo, ...events), { cast: [] })
  }
  const same = [found('nfo', { overview: 'Own words.' }), pinned({ tmdb: '593' }), online({ asked: byId })]
  t.match(movieAfter(...same).details, { title: 'Soljaris', overview: 'Own words.' }, 'the same film under another title, a year beside')
})

t.test('a picture beside the film goes before the provider’s, and that before a still out of the film', async (t) => {
  const poster = onlineImageId(movieId, '/poster.jpg')
  const [own, still] = [named<'image'>('own'), named<'image'>('still')]
  const cardAfter = (...events: readonly Happened[]) => movieAfter(found('name'), ...events).card
  t.match(cardAfter(online()), { poster, backdrop: onlineImageId(movieId, '/backdrop.jpg'), logo: null })
  t.match(cardAfter(chosen({ imageId: own, path: '/films/poster.jpg' }), online()), { poster: own })
  t.match(cardAfter(chosen({ imageId: still, path: FILM }), online()), { poster })
  t.match(cardAfter(online(), chosen({ imageId: still, path: FILM })), { poster })
  t.match(cardAfter(online(), chosen({ imageId: still, path: FILM }), unmatched), { poster: still, backdrop: null })
})

t.test('a card has the tint of the image that it shows, and of no other', async (t) => {
  const [own, still] = [named<'image'>('own'), named<'image'>('still')]
  const backdrop = onlineImageId(movieId, '/backdrop.jpg')
  const tinted = (tints: Partial<Record<'poster' | 'backdrop', ImageTint>>): Happened => ({
    type: 'MovieImagesTinted',
    data: { movieId, poster: null, backdrop: null, ...tints },
  })
  const after = (...events: readonly Happened[]) => {
    const { card, untinted } = movieAfter(found('name'), ...events)
    return { poster: card.posterTint, backdrop: card.backdropTint, untinted }
  }
  const posterChosen = chosen({ imageId: own, path: '/films/poster.jpg' })
  const posterTinted = tinted({ poster: { imageId: own, tint: '#a01010' } })
  t.strictSame(after(), { poster: null, backdrop: null, untinted: null }, 'without an image there is nothing to tint')
  t.strictSame(after(posterChosen), { poster: null, backdrop: null, untinted: true })
  t.strictSame(after(posterChosen, posterTinted), { poster: '#a01010', backdrop: null, untinted: null })
  t.strictSame(after(posterChosen, posterTinted, chosen({ imageId: still, path: FILM })), { poster: null, backdrop: null, untinted: true })
  t.strictSame(after(posterChosen, posterTinted, online()), { poster: '#a01010', backdrop: null, untinted: true })
  const backdropTinted = tinted({ backdrop: { imageId: backdrop, tint: '#10a010' } })
  t.strictSame(after(posterChosen, posterTinted, online(), backdropTinted), { poster: '#a01010', backdrop: '#10a010', untinted: null })
  t.strictSame(after(posterChosen, posterTinted, online(), backdropTinted, unmatched).backdrop, null)
})

t.test('pictures of films and of people are known by ids that nobody can guess from their names', async (t) => {
  const known = [...fold(images, ...begun, online()).values()]
  const entry = (kind: string, picture: string) => ({
    source: 'online',
    id: onlineImageId(kind === 'person' ? libraryId : movieId, picture),
    movieId,
    kind,
    picture,
  })
  t.strictSame(known, [
    entry('poster', '/poster.jpg'),
    entry('backdrop', '/backdrop.jpg'),
    entry('person', '/kelvin.jpg'),
    entry('person', '/andrei.jpg'),
  ])
  t.not(onlineImageId(named('others'), '/kelvin.jpg'), onlineImageId(libraryId, '/kelvin.jpg'), 'another library, another id')
  t.match(creditsAfter(found('name'), online()), { cast: [{ image: onlineImageId(libraryId, '/kelvin.jpg'), order: 0 }] })
  const nfo = found('nfo', { cast: [{ name: 'DONATAS Banionis', character: 'Kris' }] })
  t.match(creditsAfter(nfo, online()), { cast: [{ character: 'Kris', image: onlineImageId(libraryId, '/kelvin.jpg') }] })
})

t.test(
  'where another movie was pinned to the same film for a while, a poster that cannot be had is not taken out of that one',
  async (t) => {
    const other = named<'movie'>('other')
    const known = fold(images, ...begun, online(), online({ movieId: other }))
    t.match(known.get(movieAfter(online()).card.poster ?? ''), { movieId, picture: '/poster.jpg' })
  },
)
