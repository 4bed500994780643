import t from 'tap'
import { liveEventsOf } from '../../../src/domain/feed/live-events.ts'
import { movie, noteTrickplay } from '../../../src/domain/movies/movie.ts'
import type { EventData } from '../../../src/events/catalogue.ts'
import type { RecordedEvent } from '../../../src/events/recorded.ts'
import { given, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const [movieId, fileId] = [named<'movie'>('metropolis'), named<'file'>('first')]
const [first, second] = ['ab'.repeat(32), 'cd'.repeat(32)]
const place = (fingerprint: string) => ({
  path: '/films/Metropolis.mkv',
  root: '/films',
  stamp: { sizeBytes: 1000, modifiedAtMs: 5, inode: 7 },
  fingerprint,
})
const added: Happened = { type: 'MovieFileAdded', data: { movieId, fileId, libraryId: named('films'), ...place(first) } }
const replaced = (fingerprint: string): Happened => ({ type: 'MovieFileReplaced', data: { movieId, fileId, ...place(fingerprint) } })
const of = (fingerprint: string): EventData['TrickplayMade'] => ({
  movieId,
  fileId,
  fingerprint,
  intervalMs: 10_000,
  width: 320,
  height: 180,
  pictures: 540,
})
const made = (fingerprint: string): Happened => ({ type: 'TrickplayMade', data: of(fingerprint) })

t.test('preview pictures are announced once for each content of a file', async (t) => {
  t.strictSame(given(movie, added).when(noteTrickplay(of(first))), [{ type: 'TrickplayMade', data: of(first) }])
  t.strictSame(given(movie, added, made(first)).when(noteTrickplay(of(first))), [])
  const moved: Happened = { type: 'MovieFileMoved', data: { movieId, fileId, ...place(first), path: '/films/Other.mkv' } }
  t.strictSame(given(movie, added, made(first), moved).when(noteTrickplay(of(first))), [], 'moved')
  t.match(given(movie, added, made(first), replaced(second)).when(noteTrickplay(of(second))), [{ data: { fingerprint: second } }])
  const back = given(movie, added, made(first), replaced(second), made(second), replaced(first))
  t.match(back.when(noteTrickplay(of(first))), [{ data: { fingerprint: first } }], 'replaced and back again')
  const soon = given(movie, added, made(first), replaced(second), replaced(first))
  t.match(soon.when(noteTrickplay(of(first))), [{ data: { fingerprint: first } }], 'and back before there were any of the other')
})

t.test('pictures of content that a file no longer has are announced to nobody', async (t) => {
  t.strictSame(given(movie, added, replaced(second)).when(noteTrickplay(of(first))), [])
  t.strictSame(given(movie).when(noteTrickplay(of(first))), [], 'there is no such file')
})

t.test('users who see the movie are notified of its pictures', (t) => {
  const event = { type: 'TrickplayMade', data: of(first) } as unknown as RecordedEvent
  t.strictSame(liveEventsOf(event), [{ kind: 'trickplay.ready', audience: { to: 'movie', movieId }, payload: { movieId } }])
  t.end()
})
