import t from 'tap'
import type { Audience } from '../../../src/domain/feed/live-event.ts'
import { isFor, liveEventsOf, type Listener } from '../../../src/domain/feed/live-events.ts'
import { decode } from '../../../src/events/codec.ts'
import { parseId, type Id } from '../../../src/vocabulary/id.ts'
import { goldenEvents as golden } from '../../fixtures/golden-events.ts'

const KINDS =
  /^(library\.(created|updated|deleted|offline|online|massMissing)|scan\.(started|progress|completed|failed|cancelled)|movie\.(added|updated|missing|restored|removed|watched|unwatched)|resume\.changed|watchlist\.changed|trickplay\.ready|playback\.(started|progress|seeked|ended|command)|user\.(created|updated|deleted)|access\.changed|preferences\.changed|history\.added|analytics\.changed)$/

const told = new Map(
  golden.map((stored) => {
    const event = decode(stored)
    return [stored.type, event ? liveEventsOf(event) : []]
  }),
)
const kindsOf = (type: string): readonly string[] => told.get(type)?.map(({ kind }) => kind) ?? []

t.test('every recorded event yields exactly the documented kinds of live events, and nothing personal', (t) => {
  for (const [type, events] of told) {
    for (const { kind, payload } of events) {
      t.match(kind, KINDS, type)
      t.notMatch(JSON.stringify(payload), /sealed:|"(loginId|tokenHash|path|roots)"/, type)
    }
  }
  t.strictSame(kindsOf('LibraryRemoved'), ['library.deleted'])
  t.strictSame(kindsOf('ScanInterrupted'), ['scan.failed'])
  t.strictSame(kindsOf('MovieDiscovered'), ['movie.added'])
  t.strictSame(kindsOf('UserAccessChanged'), ['user.updated', 'access.changed'])
  t.match(told.get('MovieWatchlisted'), [{ kind: 'watchlist.changed', audience: { to: 'user' }, payload: { watchlist: true } }])
  t.match(told.get('MovieUnwatchlisted'), [{ kind: 'watchlist.changed', audience: { to: 'user' }, payload: { watchlist: false } }])
  t.strictSame(kindsOf('UserPreferencesChanged'), ['preferences.changed'])
  t.match(told.get('PlaybackCommandIssued'), [
    {
      kind: 'playback.command',
      audience: { to: 'player' },
      payload: { sessionId: String, command: 'message', message: null },
    },
  ])
  t.match(told.get('PlaybackExpired'), [
    { kind: 'playback.ended', payload: { endReason: 'idle' } },
    { kind: 'history.added' },
    { kind: 'analytics.changed' },
  ])
  t.strictSame(kindsOf('PlaybackStarted'), ['playback.started', 'analytics.changed'])
  t.strictSame(kindsOf('PlaybackHeartbeat'), ['playback.progress'])
  t.strictSame(kindsOf('MovieCompleted'), ['movie.watched', 'analytics.changed'])
  t.strictSame(kindsOf('PlaybackEnded'), ['playback.ended', 'history.added', 'analytics.changed'])
  for (const silent of ['SignedIn', 'SignInRefused', 'SignedOut', 'NameClaimed', 'PlaybackAdopted', 'ScanRequested', 'UserPasswordChanged'])
    t.strictSame(kindsOf(silent), [], silent)
  t.end()
})

function id<Kind extends string>(name: string): Id<Kind> {
  const made = parseId<Kind>(name.padEnd(21, '0'))
  if (!made) throw new Error(name)
  return made
}

t.test('side doors: a user who may not see a library, or is somebody else, learns nothing', (t) => {
  const ann: Listener = { userId: id('ann'), role: 'user', libraryAccess: 'selected', libraryIds: [id('films')] }
  const admin: Listener = { userId: id('admin'), role: 'admin', libraryAccess: 'all', libraryIds: [] }
  const hears = (audience: Audience, listener: Listener, visible = true, everyone = false) =>
    isFor(listener, { kind: 'x.y', audience, payload: {} }, { visible, admin: listener.role === 'admin', everyone })
  const seen: readonly Audience[] = [
    { to: 'library', libraryId: id('films') },
    { to: 'movie', movieId: id('movie') },
    { to: 'user', userId: id('ann'), movieId: id('movie') },
  ]
  for (const audience of seen) {
    t.ok(hears(audience, ann))
    t.notOk(hears(audience, ann, false), `${audience.to}, not visible`)
  }
  t.ok(hears({ to: 'granted', libraryId: id('films') }, ann, false), 'the end of a library is told to who had it')
  t.notOk(hears({ to: 'granted', libraryId: id('shelf') }, ann, true))
  t.notOk(hears({ to: 'user', userId: id('ann'), movieId: null }, admin))
  t.notOk(hears({ to: 'player', userId: id('ann') }, admin))
  t.ok(hears({ to: 'player', userId: id('ann') }, admin, false, true), 'an admin who asks for everybody’s')
  t.notOk(hears({ to: 'player', userId: id('bob') }, ann, true, true), 'nobody else')
  t.notOk(hears({ to: 'admins' }, ann))
  for (const to of ['admins', 'player'] as const) {
    const event = { kind: 'x.y', audience: { to, userId: id<'user'>('ann') }, payload: {} }
    t.notOk(isFor(admin, event, { visible: true, admin: false, everyone: true }), 'an admin by a token without that scope')
  }
  t.end()
})
