import t from 'tap'
import type { Sealed } from '../../../src/events/sealed.ts'
import { continueKey, userMovieId, userMovies, type UserMovieDocument } from '../../../projections/views/user-movies.ts'
import { iso, NOON, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { fold } from '../../fixtures/fold.ts'

const HOUR_MS = 3_600_000
const [userId, movieId] = [named<'user'>('ann'), named<'movie'>('metropolis')]
const session = { sessionId: named<'session'>('evening'), userId, movieId, fileId: named<'file'>('1080p'), durationMs: HOUR_MS }
type Session = typeof session

const started = (of: Session = session, client: string | null = null): Happened => {
  const plan = { method: 'remux', reasons: [], idleSeconds: 120, positionMs: 0 } as const
  const more = { loginId: named<'login'>('phone'), libraryId: named<'library'>('films'), client: client as Sealed | null }
  return { type: 'PlaybackStarted', data: { ...of, ...plan, ...more } }
}
const beat = (positionMs: number, of: Session = session): Happened => {
  return { type: 'PlaybackHeartbeat', data: { ...of, positionMs, playState: 'playing', rate: 1, sequence: null } }
}
const seek = (positionMs: number): Happened => ({ type: 'PlaybackSeeked', data: { ...session, fromMs: 0, positionMs } })
const end = (positionMs: number, told = true, of: Session = session): Happened => {
  return { type: 'PlaybackEnded', data: { ...of, reason: 'client', positionMs, told } }
}
const mark = { userId, movieId }
const markedWatched: Happened = { type: 'MovieMarkedWatched', data: { ...mark, watchedAt: iso(NOON) } }
const markedUnwatched: Happened = { type: 'MovieMarkedUnwatched', data: mark }
const completed: Happened = { type: 'MovieCompleted', data: { ...mark, sessionId: session.sessionId, completedAt: iso(NOON + 5) } }
const dismissed: Happened = { type: 'ResumePointDismissed', data: mark }

const after = (...events: readonly Happened[]): UserMovieDocument | undefined =>
  fold(userMovies, ...events).get(userMovieId(userId, movieId))
const resumeAfter = (...events: readonly Happened[]): number | null => after(...events)?.resume?.positionMs ?? null
const isListed = (...events: readonly Happened[]): boolean => after(...events)?.continueKey != null

t.test('a session that starts writes no position', async (t) => {
  t.match(after(started()), { resume: null, continueKey: null, watched: false, playCount: 0, lastPlayedAt: null })
  t.equal(resumeAfter(beat(600_000), started()), 600_000, 'nor does it wipe one')
})

t.test('the last reported position is the resume point, also further back', async (t) => {
  t.equal(resumeAfter(beat(1_200_000), beat(600_000)), 600_000)
  t.equal(resumeAfter(beat(600_000), seek(1_800_000)), 1_800_000)
  t.match(after(started(), beat(600_000), seek(500_000)), {
    resume: { positionMs: 500_000, durationMs: HOUR_MS, fileId: session.fileId, at: iso(NOON + 2000) },
    continueKey: continueKey(userId, iso(NOON + 2000)),
  })
})

t.test('nothing is listed below min(30 s, 1 % of the film)', async (t) => {
  t.notOk(isListed(beat(0)))
  t.notOk(isListed(beat(29_999)), 'an hour: 30 s are less than 1 %')
  t.ok(isListed(beat(30_000)))
  const short = { ...session, durationMs: 600_000 }
  t.notOk(isListed(beat(5999, short)), 'ten minutes: 1 % is 6 s')
  t.ok(isListed(beat(6000, short)))
})

t.test('nothing is listed from 90 % of the film on', async (t) => {
  t.ok(isListed(beat(0.9 * HOUR_MS - 1)))
  t.notOk(isListed(beat(0.9 * HOUR_MS)))
  t.equal(resumeAfter(beat(600_000), beat(0.9 * HOUR_MS)), null, 'the old point is not offered again')
})

t.test('a film of no length is never listed', async (t) => {
  t.notOk(isListed(beat(0, { ...session, durationMs: 0 })))
})

t.test('going back to the very beginning leaves nothing to go on with', async (t) => {
  t.equal(resumeAfter(beat(600_000), seek(0)), null)
})

t.test('a mark as watched clears the resume point; taking the mark back does not bring it back', async (t) => {
  t.match(after(beat(600_000), markedWatched), { watched: true, watchedAt: iso(NOON), resume: null, continueKey: null, playCount: 0 })
  t.match(after(beat(600_000), markedWatched, markedUnwatched), { watched: false, watchedAt: null, resume: null, continueKey: null })
})

t.test('a glance or another look at a watched film leaves it watched', async (t) => {
  t.match(after(markedWatched, started(), beat(600_000)), { watched: true, watchedAt: iso(NOON), resume: { positionMs: 600_000 } })
  t.match(after(markedWatched, started(), beat(0), end(0)), { watched: true, continueKey: null })
})

t.test('a completed film is watched, played once more, and off the list', async (t) => {
  t.match(after(beat(600_000), beat(0.95 * HOUR_MS), completed), {
    watched: true,
    watchedAt: iso(NOON + 5),
    playCount: 1,
    lastPlayedAt: iso(NOON + 2000),
    resume: null,
    continueKey: null,
  })
  t.match(after(markedWatched, completed), { watchedAt: iso(NOON), playCount: 1 }, 'the first time stays')
})

t.test('a mark by hand changes neither play count nor the time of the last play', async (t) => {
  t.match(after(completed, markedUnwatched, markedWatched), { playCount: 1, lastPlayedAt: iso(NOON) })
})

t.test('a dismissed film leaves the list with its progress kept, and the next position lists it again', async (t) => {
  t.match(after(beat(600_000), dismissed), { continueKey: null, resume: { positionMs: 600_000 } })
  t.ok(isListed(beat(600_000), dismissed, beat(610_000)))
})

t.test('the end of a session confirms where it stands', async (t) => {
  t.equal(after(beat(600_000), end(600_000))?.continueKey, continueKey(userId, iso(NOON + 1000)))
  t.equal(resumeAfter(started(), end(600_000, false)), null, 'a session in which no position was told says nothing')
  t.equal(resumeAfter(beat(600_000), started(), end(900_000, false)), 600_000)
})

t.test('a film marked as watched during a session does not come back to the list when the session ends', async (t) => {
  t.match(after(beat(3_000_000), markedWatched, end(3_000_000)), { watched: true, resume: null, continueKey: null })
})

t.test('a film dismissed during a session does not come back to the list when the session ends', async (t) => {
  t.notOk(isListed(beat(600_000), dismissed, end(600_000)))
})

t.test('the late end of an old session does not take a newer one back', async (t) => {
  const second = { ...session, sessionId: named<'session'>('next-day') }
  t.equal(resumeAfter(beat(600_000), beat(1_200_000, second), end(600_000)), 1_200_000)
})

t.test('the device is that of the session which reported the resume point, not that of the newest one', async (t) => {
  const second = { ...session, sessionId: named<'session'>('next-day') }
  const both = [started(session, 'sealed:tv'), beat(600_000), started(second, 'sealed:phone')] as const
  t.match(after(...both), { client: 'sealed:tv' })
  t.match(after(...both, beat(610_000, second)), { client: 'sealed:phone' })
  t.match(after(...both, beat(610_000, second), beat(620_000)), { client: 'sealed:tv' })
  t.match(after(...both, end(600_000)), { client: 'sealed:tv', players: [{ sessionId: second.sessionId }] }, 'also once it has ended')
  t.match(after(started(second), beat(600_000, second)), { client: null }, 'a player that has no name')
})

t.test('of players that come and never end no more than a few are remembered', async (t) => {
  const many = Array.from({ length: 50 }, (_, n) => started({ ...session, sessionId: named<'session'>(`evening-${n}`) }, 'sealed:tv'))
  t.ok((after(...many)?.players.length ?? 0) <= 8)
})

t.test('users have documents of their own', async (t) => {
  const ben = named<'user'>('ben')
  const documents = fold(userMovies, beat(600_000), beat(1_200_000, { ...session, userId: ben }), markedWatched)
  t.match(documents.get(userMovieId(ben, movieId)), { watched: false, resume: { positionMs: 1_200_000 } })
  t.match(documents.get(userMovieId(userId, movieId)), { watched: true, resume: null })
})

const watched = (watchedAt: string, positionMs: number | null, importId = 'trakt'): Happened => {
  const left = positionMs === null ? null : { fileId: session.fileId, positionMs, durationMs: HOUR_MS }
  const facts = { libraryId: named<'library'>('films'), title: 'Metropolis', year: 1927, source: importId, watchedMs: 0 }
  const outcome = { watchedAt: left ? null : watchedAt, playCount: 1, lastImportedAt: watchedAt }
  const viewingId = named<'viewing'>(`${importId} ${watchedAt} ${positionMs}`)
  const data = { ...mark, ...facts, importId: named<'import'>(importId), viewingId, watchedAt, plays: left ? 0 : 1, left, outcome }
  return { type: 'WatchImported', data }
}
const undone = (importId = 'trakt'): Happened => {
  const outcome = { watchedAt: null, playCount: 0, lastImportedAt: null }
  return { type: 'WatchImportUndone', data: { ...mark, importId: named<'import'>(importId), viewingIds: [], leftAt: [], outcome } }
}
const [MONDAY, TUESDAY] = ['2020-01-06T20:00:00.000Z', '2020-01-07T20:00:00.000Z']
const [BEFORE, SINCE] = [iso(NOON - HOUR_MS), iso(NOON + HOUR_MS)]

t.test('the newest of several imported viewings is gone on with, in whatever order they come', async (t) => {
  const either = (a: Happened, b: Happened) => [resumeAfter(a, b), resumeAfter(b, a)]
  t.strictSame(either(watched(MONDAY, 600_000), watched(TUESDAY, null)), [null, null], 'left, then watched to its end')
  t.strictSame(either(watched(MONDAY, null), watched(TUESDAY, 600_000)), [600_000, 600_000], 'watched, then begun again')
  t.strictSame(either(watched(MONDAY, 600_000), watched(TUESDAY, 900_000)), [900_000, 900_000], 'left twice')
  t.strictSame(either(watched(MONDAY, 900_000), watched(TUESDAY, 600_000)), [600_000, 600_000], 'left earlier the second time')
  t.strictSame(either(watched(MONDAY, 600_000), watched(TUESDAY, 1_000)), [null, null], 'the second time only glanced at')
  t.strictSame(either(watched(MONDAY, 600_000, 'kodi'), watched(TUESDAY, null)), [null, null], 'from two programs')
  t.strictSame(either(watched(MONDAY, 600_000), watched(MONDAY, null)), [null, null], 'at the same time')
  t.match(after(watched(TUESDAY, 900_000), watched(MONDAY, 600_000)), { continueKey: continueKey(userId, TUESDAY) })
})

t.test('what happened here and what is imported are ordered by time', async (t) => {
  t.equal(resumeAfter(beat(600_000), watched(SINCE, null)), null, 'finished elsewhere since')
  t.equal(resumeAfter(beat(600_000), watched(SINCE, 900_000)), 900_000, 'gone on with elsewhere since')
  t.equal(resumeAfter(beat(600_000), watched(BEFORE, null)), 600_000)
  t.equal(resumeAfter(beat(600_000), watched(BEFORE, 900_000)), 600_000)
  t.equal(resumeAfter(watched(BEFORE, null), beat(600_000)), 600_000, 'begun again here')
  t.equal(resumeAfter(markedWatched, watched(BEFORE, 900_000)), null, 'watched here since')
  t.equal(resumeAfter(markedWatched, watched(SINCE, 900_000)), 900_000)
  const cleared: Happened = { type: 'ResumePointDismissed', data: { ...mark, cleared: true } }
  t.equal(resumeAfter(beat(600_000), cleared, watched(BEFORE, 900_000)), null, 'cleared since')
})

t.test('a dismissal is about what there was until then', async (t) => {
  t.notOk(isListed(beat(600_000), dismissed, watched(BEFORE, 900_000)))
  t.ok(isListed(beat(600_000), dismissed, watched(SINCE, 900_000)))
  t.match(after(watched(MONDAY, 900_000), dismissed), { continueKey: null, resume: { positionMs: 900_000 } })
  t.match(after(watched(MONDAY, 900_000), dismissed, undone()), { continueKey: null, resume: null })
})

t.test('undoing an import brings back what there was without it', async (t) => {
  const phone = [started(session, 'sealed:phone'), beat(600_000)] as const
  const here = { resume: { positionMs: 600_000 }, continueKey: continueKey(userId, iso(NOON + 1000)), client: 'sealed:phone' }
  t.match(after(...phone, watched(SINCE, null), undone()), here)
  t.match(after(...phone, watched(SINCE, 900_000), undone()), here)
  t.match(after(...phone, watched(SINCE, 900_000)), { client: null }, 'the player is not that of the position here')
  t.equal(resumeAfter(watched(MONDAY, 600_000, 'kodi'), watched(TUESDAY, null), undone()), 600_000, 'that of the other import')
  t.equal(resumeAfter(watched(MONDAY, 600_000, 'kodi'), watched(TUESDAY, null), undone('kodi')), null)
  t.equal(resumeAfter(watched(MONDAY, 600_000), watched(TUESDAY, 900_000), undone()), null)
  t.equal(resumeAfter(watched(MONDAY, 600_000), undone(), beat(1_200_000)), 1_200_000)
})

t.test('of many imports no more than the newest are remembered', async (t) => {
  const many = Array.from({ length: 50 }, (_, n) => watched(iso(NOON - n * HOUR_MS), 600_000 + n, `import-${n}`))
  t.ok((after(...many)?.imported.length ?? 0) <= 20)
  t.equal(resumeAfter(...many), 600_000)
})
