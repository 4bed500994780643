import t from 'tap'
import { liveEventsOf } from '../../../src/domain/feed/live-events.ts'
import { movie, noteTints } from '../../../src/domain/movies/movie.ts'
import type { EventData } from '../../../src/events/catalogue.ts'
import type { RecordedEvent } from '../../../src/events/recorded.ts'
import { given, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const movieId = named<'movie'>('metropolis')
const discovered: Happened = { type: 'MovieDiscovered', data: { movieId, libraryId: named('films') } }
const red = { imageId: named<'image'>('poster'), tint: '#a01010' }
const blue = { imageId: named<'image'>('backdrop'), tint: '#1010a0' }
const of = (tints: Partial<EventData['MovieImagesTinted']>): EventData['MovieImagesTinted'] => ({
  movieId,
  poster: null,
  backdrop: null,
  ...tints,
})
const tinted = (tints: Parameters<typeof of>[0]): Happened => ({ type: 'MovieImagesTinted', data: of(tints) })

t.test('tints are announced once for each image, those of both images together', async (t) => {
  const both = of({ poster: red, backdrop: blue })
  t.strictSame(given(movie, discovered).when(noteTints(both)), [{ type: 'MovieImagesTinted', data: both }])
  t.strictSame(given(movie, discovered, tinted(both)).when(noteTints(both)), [])
  t.strictSame(given(movie, discovered, tinted({ poster: red })).when(noteTints(both)), [tinted({ backdrop: blue })], 'only what is new')
  const separately = given(movie, discovered, tinted({ poster: red }), tinted({ backdrop: blue }))
  t.strictSame(separately.when(noteTints(both)), [], 'what was told of one image does not take back what was told of the other')
  const other = { ...red, imageId: named<'image'>('another poster') }
  t.strictSame(given(movie, discovered, tinted(both)).when(noteTints(of({ poster: other }))), [tinted({ poster: other })])
})

t.test('a movie that was never discovered, and an absent image, yield no event', async (t) => {
  t.strictSame(given(movie).when(noteTints(of({ poster: red }))), [])
  t.strictSame(given(movie, discovered).when(noteTints(of({}))), [])
})

t.test('users who see the movie are notified of its change', async (t) => {
  const event = { type: 'MovieImagesTinted', data: of({ poster: red }) } as unknown as RecordedEvent
  t.strictSame(liveEventsOf(event), [{ kind: 'movie.updated', audience: { to: 'movie', movieId }, payload: { movieId } }])
})
