import t from 'tap'
import type { FileId, LibraryId, MovieId } from '../../../src/vocabulary/id.ts'
import type { MediaDescription } from '../../../src/vocabulary/media-description.ts'
import { collectionIdOf, personIdOf, shuffleKeyOf } from '../../../projections/views/movie-query-fields.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { movies } from '../../../projections/views/movies.ts'
import { audioOf, factsOf, mediaOf, subtitlesOf, videoOf } from '../../fixtures/movie-facts.ts'
import type { Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { fold } from '../../fixtures/fold.ts'

const libraryId: LibraryId = named('library')
const movieId: MovieId = named('movie')
const [first, second]: readonly [FileId, FileId] = [named('first'), named('second')]

const added = (fileId: FileId): Happened => {
  const place = { path: `/films/${fileId}.mkv`, root: '/films', fingerprint: 'f', stamp: { sizeBytes: 5, modifiedAtMs: 1, inode: null } }
  return { type: 'MovieFileAdded', data: { movieId, libraryId, fileId, ...place } }
}
const probed = (fileId: FileId, media: Partial<MediaDescription>): Happened => ({
  type: 'MovieProbed',
  data: { movieId, fileId, media: mediaOf(60_000, media), sidecars: [subtitlesOf('fr', '/films/a.fr.srt')], companions: 'c' },
})
const identified: Happened = {
  type: 'MovieIdentified',
  data: {
    movieId,
    source: 'name',
    confidence: 0.8,
    facts: factsOf('Ein Film', 1999, {
      genres: ['Drama', 'DRAMA', 'Krimi & Thriller'],
      studios: ['Größe'],
      contentRating: 'FSK 12',
      collection: 'Die Reihe',
      cast: [{ name: 'Orson Welles', character: 'Lime' }],
      crew: [{ name: 'Orson  WELLES', job: 'Director', department: 'Directing' }],
    }),
  },
}
const uhd = probed(first, { video: [{ ...videoOf(3840, 2160), codec: 'hevc', hdr: 'hdr10' }], audio: [audioOf('de')] })
const sd = probed(second, { video: [videoOf(720, 576)], audio: [audioOf('en'), audioOf(null)] })
const movie: readonly Happened[] = [
  { type: 'MovieDiscovered', data: { movieId, libraryId } },
  added(first),
  uhd,
  added(second),
  sd,
  identified,
]
const after = (...more: readonly Happened[]): MovieDocument | undefined => fold(movies, ...movie, ...more).get(movieId)

t.test('a movie is found by folded values of its facts', async (t) => {
  t.strictSame(after()?.factKeys, [
    'genre:drama',
    'genre:krimi & thriller',
    'studio:grosse',
    'contentRating:fsk 12',
    `collection:${collectionIdOf('DIE REIHE')}`,
    'matched:false',
    `person:${personIdOf('orson welles')}`,
    'title:ein film',
  ])
})

t.test('by the picture of its primary file, and by the tracks of all that are there', async (t) => {
  const keys = ['resolution:2160p', 'hdr:hdr10', 'videoCodec:hevc', 'videoCodec:h264', 'audioLanguage:de', 'audioLanguage:en']
  t.strictSame(after()?.fileKeys, [...keys, 'subtitleLanguage:fr', 'language:de', 'language:en'])
  const gone = after({ type: 'MovieFileMissing', data: { movieId, fileId: first } })
  t.strictSame(gone?.fileKeys, ['resolution:480p', 'videoCodec:h264', 'audioLanguage:en', 'subtitleLanguage:fr', 'language:en'])
  t.match(gone, { card: { resolution: '480p', hdr: null, available: true }, missing: null })
})

t.test('what is there is counted in its library, and what is away is only counted as missing', async (t) => {
  t.strictSame(
    after()?.tallies,
    [
      'available ',
      'genre Drama',
      'genre Krimi & Thriller',
      'year 1999',
      'videoCodec hevc',
      'videoCodec h264',
      'audioCodec aac',
      'resolution 2160p',
      'language de',
      'language en',
      'collection die reihe\0Die Reihe',
    ].map((tally) => `${libraryId} ${tally}`),
  )
  const lost = [first, second].map((fileId): Happened => ({ type: 'MovieFileMissing', data: { movieId, fileId } }))
  t.match(after(...lost), { tallies: [`${libraryId} missing `], missing: true, available: false, card: { available: false } })
})

t.test('an id or an administrator makes a movie a matched one', async (t) => {
  const pin = { movieId, tmdb: '5', imdb: null, title: null, year: null }
  t.ok(after({ type: 'MovieMatchPinned', data: pin })?.factKeys.includes('matched:true'))
})

t.test('places in a random order are spread evenly', async (t) => {
  const places = Array.from({ length: 3200 }, (_, n) => shuffleKeyOf(`movie${n}`))
  t.ok(places.every((place) => Number.isInteger(place) && place >= 0 && place < 2 ** 32))
  const blocks = Map.groupBy(places, (place) => Math.floor(place / 2 ** 27))
  t.equal(blocks.size, 32)
  for (const [, block] of blocks) t.ok(block.length > 50 && block.length < 170, String(block.length))
})
