import t from 'tap'
import { credits, creditsOf } from '../../../projections/views/credits.ts'
import { files, type FileDocument } from '../../../projections/views/files.ts'
import { images } from '../../../projections/views/images.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { movies } from '../../../projections/views/movies.ts'
import type { FileId } from '../../../src/vocabulary/id.ts'
import { audioOf, factsOf, mediaOf, subtitlesOf, videoOf } from '../../fixtures/movie-facts.ts'
import { iso, NOON, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { fold } from '../../fixtures/fold.ts'

const [movieId, libraryId] = [named<'movie'>('metropolis'), named<'library'>('films')]
const [first, second] = [named<'file'>('first'), named<'file'>('second')]
const place = (path: string, sizeBytes = 1000) => {
  return { path, root: '/films', stamp: { sizeBytes, modifiedAtMs: 5, inode: 7 }, fingerprint: 'ab'.repeat(32) }
}
const discovered: Happened = { type: 'MovieDiscovered', data: { movieId, libraryId } }
const added = (fileId: FileId, path: string): Happened => ({ type: 'MovieFileAdded', data: { movieId, libraryId, fileId, ...place(path) } })
const probed = (fileId: FileId, height = 1080, language: string | null = 'de'): Happened => {
  const media = mediaOf(9_000_000, {
    video: [videoOf((height * 16) / 9, height)],
    audio: [audioOf(language), audioOf(language)],
    subtitles: [subtitlesOf('en')],
  })
  return { type: 'MovieProbed', data: { movieId, fileId, media, sidecars: [subtitlesOf('fr', '/films/a.fr.srt')], companions: 'c' } }
}
const identified: Happened = {
  type: 'MovieIdentified',
  data: {
    movieId,
    source: 'nfo',
    confidence: 1,
    facts: factsOf('The Third Man', 1949, {
      originalTitle: 'Der dritte Mann',
      cast: [{ name: 'Orson Welles', character: 'Harry Lime' }],
      crew: [{ name: 'Carol Reed', job: 'Director', department: 'Directing' }],
    }),
  },
}
const missing = (fileId: FileId): Happened => ({ type: 'MovieFileMissing', data: { movieId, fileId } })
const returned = (fileId: FileId): Happened => ({ type: 'MovieFileReturned', data: { movieId, fileId } })
const moved = (path: string): Happened => ({ type: 'MovieFileMoved', data: { movieId, fileId: first, ...place(path) } })
const replaced = (path: string): Happened => ({ type: 'MovieFileReplaced', data: { movieId, fileId: first, ...place(path, 2000) } })
const found: readonly Happened[] = [discovered, added(first, '/films/a.mkv'), probed(first), identified]

const movieAfter = (...events: readonly Happened[]): MovieDocument | undefined => fold(movies, ...events).get(movieId)
const fileAfter = (...events: readonly Happened[]): FileDocument | undefined => fold(files, ...events).get(first)

t.test('a movie says what was found out about it', async (t) => {
  t.match(movieAfter(...found), {
    id: movieId,
    libraryId,
    available: true,
    addedAt: iso(NOON),
    updatedAt: iso(NOON + 3000),
    sortTitle: 'third man',
    details: { title: 'The Third Man', year: 1949 },
    match: { source: 'nfo', confidence: 1, pinned: false },
    files: [
      {
        id: first,
        path: '/films/a.mkv',
        sizeBytes: 1000,
        available: true,
        container: 'matroska',
        durationMs: 9_000_000,
        resolution: '1080p',
        hdr: null,
        audioLanguages: ['de'],
        subtitleLanguages: ['en', 'fr'],
      },
    ],
  })
})

t.test('a movie is found by its titles and its people, whose own entry is the credits', async (t) => {
  t.strictSame(movieAfter(...found)?.words, ['the', 'third', 'man', 'der', 'dritte', 'mann', 'orson', 'welles', 'carol', 'reed'])
  t.notOk('cast' in (movieAfter(...found)?.details ?? {}))
  const people = fold(credits, ...found).get(movieId)
  t.match(people && creditsOf(people), {
    id: movieId,
    cast: [{ name: 'Orson Welles', character: 'Harry Lime', order: 0 }],
    crew: [{ name: 'Carol Reed', job: 'Director' }],
  })
})

t.test('a movie without a file that is there is not available, and is again when one returns', async (t) => {
  t.equal(movieAfter(discovered)?.available, false)
  t.equal(movieAfter(...found, missing(first))?.available, false)
  t.equal(movieAfter(...found, missing(first), returned(first))?.available, true)
  const versions = [...found, added(second, '/films/b.mkv'), probed(second, 2160)]
  t.equal(movieAfter(...versions, missing(first))?.available, true)
  t.equal(movieAfter(...versions, missing(first), missing(second))?.available, false)
  t.strictSame(
    movieAfter(...versions, missing(first))?.files.map(({ available, resolution }) => [available, resolution]),
    [
      [false, '1080p'],
      [true, '2160p'],
    ],
  )
})

t.test('a missing file that is found elsewhere, or replaced, is there again', async (t) => {
  for (const event of [moved('/films/b.mkv'), replaced('/films/a.mkv')]) {
    t.equal(movieAfter(...found, missing(first), event)?.available, true, event.type)
    t.equal(fileAfter(...found, missing(first), event)?.missing, false, event.type)
  }
})

t.test('the time a movie was added stays, whatever happens to its files', async (t) => {
  const after = movieAfter(...found, moved('/films/b.mkv'), replaced('/films/b.mkv'), missing(first), returned(first))
  t.match(after, { addedAt: iso(NOON), updatedAt: iso(NOON + 7000) })
  t.equal(fileAfter(...found, moved('/films/b.mkv'), replaced('/films/b.mkv'))?.addedAt, iso(NOON + 1000))
})

t.test('what was known of a replaced file is forgotten until it has been probed', async (t) => {
  t.match(movieAfter(...found, replaced('/films/a.mkv'))?.files, [{ sizeBytes: 2000, durationMs: null, resolution: null, container: null }])
  t.match(movieAfter(...found, replaced('/films/a.mkv'), probed(first, 480, null))?.files, [{ resolution: '480p', audioLanguages: [] }])
})

t.test('a file knows its place, its stamp and its content', async (t) => {
  t.match(fileAfter(...found, moved('/films/b.mkv')), {
    id: first,
    movieId,
    libraryId,
    root: '/films',
    path: '/films/b.mkv',
    missing: false,
    companions: 'c',
    stamp: { sizeBytes: 1000 },
    fingerprint: 'ab'.repeat(32),
    media: { durationMs: 9_000_000 },
    sidecars: [{ language: 'fr' }],
  })
  t.equal(fileAfter(...found, missing(first))?.missing, true)
  t.equal(fileAfter(...found, missing(first), returned(first))?.missing, false)
})

t.test('a picture is known by its id as long as caches may ask for it', async (t) => {
  const chosen = (word: string, path: string): Happened => ({
    type: 'MovieArtworkChosen',
    data: { movieId, artwork: { poster: { imageId: named(word), path }, backdrop: null, logo: null } },
  })
  const events = [...found, chosen('old', '/films/poster.jpg'), chosen('new', '/films/folder.jpg')]
  t.match(movieAfter(...events)?.artwork, { poster: { imageId: named('new') }, backdrop: null, logo: null })
  t.strictSame(
    [...fold(images, ...events).values()],
    [
      { source: 'file', kind: 'poster', id: named('old'), movieId, path: '/films/poster.jpg' },
      { source: 'file', kind: 'poster', id: named('new'), movieId, path: '/films/folder.jpg' },
    ],
  )
})

t.test('events of a movie or file that was never discovered leave no document behind', async (t) => {
  t.equal(fold(movies, identified, missing(first), probed(first)).size, 0)
  t.equal(fold(files, missing(first), probed(first), moved('/films/b.mkv')).size, 0)
})
