import t from 'tap'
import type { MovieFacts } from '../../../src/events/movie-events.ts'
import type { LibraryId, MovieId } from '../../../src/vocabulary/id.ts'
import { keyIn, movieKeysView } from '../../../projections/views/movie-keys.ts'
import { factsOf } from '../../fixtures/movie-facts.ts'
import type { Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { fold } from '../../fixtures/fold.ts'

const libraryId: LibraryId = named('library')
const movieId: MovieId = named('movie')
const discovered: Happened = { type: 'MovieDiscovered', data: { movieId, libraryId } }
const found = (facts: MovieFacts): Happened => ({ type: 'MovieIdentified', data: { movieId, source: 'name', confidence: 1, facts } })
const pinned = (tmdb: string | null): Happened => ({
  type: 'MovieMatchPinned',
  data: { movieId, tmdb, imdb: null, title: 'Another', year: 1950 },
})
const edited: Happened = { type: 'MovieEdited', data: { movieId, changes: { title: 'Edited' } } }
const keysAfter = (...events: readonly Happened[]) => fold(movieKeysView, discovered, ...events).get(movieId)
const film = factsOf('Die Brücke', 1959, { externalIds: { tmdb: '3', imdb: null } })

t.test('files are versions of a movie by what scans found, whatever was edited since', async (t) => {
  const keys = ['tmdb:3', 'title:die brucke:1959'].map((key) => keyIn(libraryId, key))
  t.match(keysAfter(found(film), edited), { keys, externalIds: { tmdb: '3' } })
})

t.test('a pinned id takes the place of the one that was found, also after the next scan', async (t) => {
  const keys = ['tmdb:5', 'title:die brucke:1959'].map((key) => keyIn(libraryId, key))
  t.match(keysAfter(found(film), pinned('5')), { keys, externalIds: { tmdb: '5' } })
  t.match(keysAfter(pinned('5'), found(film)), { keys, externalIds: { tmdb: '5' } })
  t.match(keysAfter(found(film), pinned('5'), pinned(null)), { externalIds: { tmdb: '3' } }, 'without an id what was found counts')
})
