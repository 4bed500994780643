import t from 'tap'
import { SETTLED, viewings } from '../../../projections/views/viewings.ts'
import type { PlayState } from '../../../src/events/playback-events.ts'
import { toPosition } from '../../../src/events/position.ts'
import { fold } from '../../fixtures/fold.ts'
import { iso, NOON, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const ids = { sessionId: named<'session'>('evening'), userId: named<'user'>('ann'), movieId: named<'movie'>('metropolis') }
const file = { fileId: named<'file'>('1080p'), durationMs: 9_000_000 }
const SECOND = 1000

const started = (atMs = NOON, positionMs = 0): Happened => ({
  type: 'PlaybackStarted',
  atMs: atMs,
  data: {
    ...ids,
    ...file,
    loginId: named<'login'>('tv'),
    libraryId: named<'library'>('films'),
    title: 'Metropolis',
    year: 1927,
    positionMs,
    client: null,
    method: 'direct',
    reasons: [],
    idleSeconds: 120,
  },
})

const beat = (seconds: number, position: number, more: { readonly rate?: number; readonly playState?: PlayState } = {}): Happened => ({
  type: 'PlaybackHeartbeat',
  atMs: NOON + seconds * SECOND,
  data: { ...ids, ...file, positionMs: position * SECOND, playState: 'playing', rate: 1, sequence: null, ...more },
})

const sought = (seconds: number, fromMs: number, position: number): Happened => ({
  type: 'PlaybackSeeked',
  atMs: NOON + seconds * SECOND,
  data: { ...ids, ...file, fromMs, positionMs: position * SECOND },
})

const ended = (seconds: number, position: number): Happened => ({
  type: 'PlaybackEnded',
  atMs: NOON + seconds * SECOND,
  data: { ...ids, ...file, reason: 'client', positionMs: position * SECOND, told: true },
})

const viewing = (...events: readonly Happened[]) => {
  const document = fold(viewings, ...events).get(ids.sessionId)
  if (!document) throw new Error('There is no viewing')
  return document
}
const watched = (...events: readonly Happened[]) => viewing(started(), ...events).watchedMs / SECOND

t.test('what was watched is the film that went by between heartbeats', (t) => {
  t.equal(watched(beat(10, 10), beat(20, 20), ended(25, 20)), 20)
  t.equal(watched(beat(10, 10, { rate: 2 }), beat(20, 30, { rate: 2 })), 15, 'at double speed half of it')
  t.equal(watched(beat(10, 10), beat(20, 10, { playState: 'paused' }), beat(30, 10)), 10, 'a pause adds nothing')
  t.end()
})

t.test('whatever a client claims, no more is counted than time has passed, and nothing is taken away', (t) => {
  t.equal(watched(beat(10, 5000)), 10, 'a jump that no seek told of')
  t.equal(watched(beat(10, 10), beat(10, 500), beat(10, 900)), 10, 'three heartbeats at once')
  t.equal(watched(beat(10, 10), beat(20, 5), beat(30, 15)), 20, 'a jump back')
  t.equal(watched(beat(10, 10), beat(5, 20)), 10, 'a clock that was set back')
  t.equal(watched(beat(10, 10, { rate: 0 })), 0, 'a rate of nothing')
  t.end()
})

t.test('of a silence no more than 30 seconds are counted', (t) => {
  t.equal(watched(beat(100, 100)), 30)
  t.end()
})

t.test('what a seek skips was not watched', (t) => {
  t.equal(watched(beat(10, 10), sought(12, 10_000, 4000), beat(20, 4008)), 18)
  t.end()
})

t.test('a viewing is closed once, by the first end', (t) => {
  const expired: Happened = {
    type: 'PlaybackExpired',
    atMs: NOON + 900 * SECOND,
    data: { ...ids, expiredAt: iso(NOON + 145 * SECOND), positionMs: 20_000 },
  }
  t.match(viewing(started(), beat(10, 10)), { endedAt: null, endReason: null })
  t.match(viewing(started(), beat(25, 20), expired), { endedAt: iso(NOON + 145 * SECOND), endReason: 'idle', positionMs: 20_000 })
  t.match(viewing(started(), beat(25, 20), ended(30, 20), expired), { endedAt: iso(NOON + 30 * SECOND), endReason: 'client' })
  t.end()
})

t.test('a clock that is put back makes no viewing end before it began, or sooner than it was watched', (t) => {
  const expiredAt = (seconds: number): Happened => ({
    type: 'PlaybackExpired',
    atMs: NOON + seconds * SECOND,
    data: { ...ids, expiredAt: iso(NOON + seconds * SECOND), positionMs: 0 },
  })
  t.match(viewing(started(), ended(-300, 0)), { startedAt: iso(NOON), endedAt: iso(NOON) })
  t.match(viewing(started(), expiredAt(-180)), { endedAt: iso(NOON), endReason: 'idle' })
  const putBack = [beat(10, 10), beat(20, 20), beat(-280, 30), beat(-270, 40)]
  t.match(viewing(started(), ...putBack, ended(-265, 40)), { endedAt: iso(NOON + 30 * SECOND), watchedMs: 30 * SECOND })
  t.match(viewing(started(), beat(10, 10), ended(25, 10)), { endedAt: iso(NOON + 25 * SECOND) }, 'a clock that runs on is believed')
  t.end()
})

t.test('a viewing knows when and what was played, and whether to the end', (t) => {
  const completed: Happened = { type: 'MovieCompleted', data: { ...ids, completedAt: iso(NOON) } }
  t.match(viewing(started(NOON, 60_000), completed), {
    source: 'playback',
    title: 'Metropolis',
    year: 1927,
    startedAt: iso(NOON),
    startedMinute: NOON / 60_000,
    startPositionMs: 60_000,
    completed: true,
  })
  t.end()
})

t.test('a movie that is marked as watched is a viewing of its own; a mark that only clears a resume point is none', (t) => {
  const { sessionId: _, ...mark } = ids
  const watchedAt = iso(NOON - 86_400_000)
  const documents = fold(
    viewings,
    { type: 'MovieMarkedWatched', data: { ...mark, watchedAt, libraryId: named<'library'>('films'), title: 'Metropolis', year: 1927 } },
    { type: 'MovieMarkedWatched', data: { ...mark, watchedAt, again: true } },
  )
  const marked = [...documents.values()].filter(({ id }) => String(id) !== SETTLED)
  t.match(marked, [{ source: 'manual', startedAt: watchedAt, endedAt: watchedAt, completed: true, watchedMs: 0 }])
  t.equal(marked.length, 1)
  t.end()
})

t.test('what was hidden stays hidden while the session goes on', (t) => {
  const hidden: Happened = { type: 'HistoryHidden', data: { userId: ids.userId, viewingId: ids.sessionId } }
  t.match(viewing(started(), hidden, beat(10, 10), ended(12, 10)), { hidden: true, watchedMs: 10_000 })
  t.end()
})

t.test('the view names the viewings that may have finished, and says when one was hidden; heartbeats change nothing', (t) => {
  const settled = (...events: readonly Happened[]) => Object(fold(viewings, ...events).get(SETTLED))
  const hidden: Happened = { type: 'HistoryHidden', data: { userId: ids.userId, viewingId: ids.sessionId } }
  t.equal(settled(started(), beat(10, 10), sought(12, 10_000, 4000)).changes, undefined)
  t.match(settled(started(), beat(10, 10), ended(12, 10)), { changes: 1, at: toPosition(3), recent: [ids.sessionId] })
  t.match(settled(started(), ended(12, 10), hidden), { changes: 2, at: toPosition(3), recent: [ids.sessionId, null] })
  t.end()
})

t.test('a viewing knows the event that ended it first', (t) => {
  t.match(viewing(started(), beat(10, 10)), { over: false, overSince: null })
  t.match(viewing(started(), beat(10, 10), ended(12, 10), ended(13, 10)), { over: true, overSince: toPosition(3) })
  t.end()
})

t.test('a hidden viewing is still known after its import was undone, and is hidden if it is imported again; others are gone', (t) => {
  const { sessionId: _, ...which } = ids
  const [importId, viewingIds] = [named<'import'>('trakt'), [named<'viewing'>('hidden'), named<'viewing'>('shown')]]
  const outcome = { watchedAt: null, playCount: 0, lastImportedAt: null }
  const film = { ...which, importId, libraryId: named<'library'>('films'), title: 'Metropolis', year: 1927 }
  const watch = { ...film, source: 'trakt', watchedAt: iso(NOON), plays: 1, watchedMs: 0, left: null, outcome }
  const imported = viewingIds.map((viewingId): Happened => ({ type: 'WatchImported', data: { ...watch, viewingId } }))
  const hidden: Happened = { type: 'HistoryHidden', data: { userId: ids.userId, viewingId: named<'viewing'>('hidden') } }
  const undone: Happened = { type: 'WatchImportUndone', data: { ...which, importId, viewingIds, leftAt: [], outcome } }
  const states = (...events: readonly Happened[]) => {
    const documents = fold(viewings, ...events)
    return viewingIds.map((id) => documents.get(id)?.hidden)
  }
  t.strictSame(states(...imported, hidden, undone), [true, undefined])
  t.strictSame(states(...imported, hidden, undone, ...imported), [true, false])
  t.end()
})
