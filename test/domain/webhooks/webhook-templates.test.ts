import t from 'tap'
import { isForWebhooks, isNamed, subjectOf } from '../../../src/domain/webhooks/webhook-kinds.ts'
import { messageOf, type WebhookEvent } from '../../../src/domain/webhooks/webhook-message.ts'
import { contentOf } from '../../../src/domain/webhooks/webhook-templates.ts'
import type { LiveEvent } from '../../../src/domain/feed/live-event.ts'
import type { LibraryId, MovieId, UserId } from '../../../src/vocabulary/id.ts'

const AT = '2026-01-02T12:00:00.000Z'
const event: WebhookEvent = {
  kind: 'movie.added',
  at: AT,
  data: { seq: '7', at: AT, movieId: 'movie0000000000000000' },
  film: '<@everyone> & *Friends* (2019)',
}
const parsed = (template: Parameters<typeof contentOf>[0]): unknown => JSON.parse(contentOf(template, event).body)

t.test('json is the payload of Standard Webhooks, with the data of the live event', async (t) => {
  t.strictSame(parsed('json'), { type: 'movie.added', timestamp: AT, data: event.data })
  t.equal(contentOf('json', event).headers['content-type'], 'application/json')
})

t.test('ntfy gets the message as the body, and its title in a header', async (t) => {
  t.match(contentOf('ntfy', event), { headers: { title: 'Marquee' }, body: '<@everyone> & *Friends* (2019) was added' })
})

t.test('Discord shows a title as it is, and notifies nobody', async (t) => {
  t.strictSame(parsed('discord'), {
    username: 'Marquee',
    content: String.raw`<@everyone\> & \*Friends\* \(2019\) was added`,
    allowed_mentions: { parse: [] },
  })
})

t.test('Slack gets a title that is no markup', async (t) => {
  t.strictSame(parsed('slack'), { text: '&lt;@everyone&gt; &amp; *Friends* (2019) was added' })
})

t.test('Home Assistant gets the message and everything that json has', async (t) => {
  t.strictSame(parsed('home-assistant'), { ...Object(parsed('json')), message: '<@everyone> & *Friends* (2019) was added' })
})

t.test('a message names the film, or none if it is not known', async (t) => {
  t.equal(messageOf({ ...event, kind: 'playback.started', film: 'Ponyo (2008)' }), 'Somebody started Ponyo (2008)')
  t.equal(messageOf({ ...event, kind: 'playback.started', film: null }), 'Somebody started a film')
  t.equal(messageOf({ ...event, film: '$& (2008)' }), '$& (2008) was added')
  t.equal(messageOf({ ...event, kind: 'something.new' }), 'Event something.new')
})

t.test('kinds are named one by one, by group, or all', async (t) => {
  t.ok(isNamed('movie.added', ['movie.added']))
  t.ok(isNamed('movie.added', ['scan.failed', 'movie.*']))
  t.ok(isNamed('movie.added', ['*']))
  t.notOk(isNamed('movie.added', ['movie.updated', 'scan.*']))
})

const live = (audience: LiveEvent['audience'], payload: LiveEvent['payload'] = {}): LiveEvent => ({ kind: 'a.b', audience, payload })
const libraryId = 'library00000000000000' as LibraryId
const movieId = 'movie0000000000000000' as MovieId
const userId = 'user00000000000000000' as UserId

t.test('a webhook gets what every administrator sees, and nothing personal', async (t) => {
  t.ok(isForWebhooks(live({ to: 'admins' }), false))
  t.ok(isForWebhooks(live({ to: 'player', userId }), false))
  t.ok(isForWebhooks(live({ to: 'granted', libraryId }), false))
  t.ok(isForWebhooks(live({ to: 'movie', movieId }), true))
  t.notOk(isForWebhooks(live({ to: 'movie', movieId }), false), 'its library is gone')
  t.notOk(isForWebhooks(live({ to: 'user', userId, movieId }), true), 'the marks of a person')
})

t.test('the subject of an event is the session, movie, library or user that it is about', async (t) => {
  t.equal(subjectOf(live({ to: 'player', userId }, { sessionId: 's' })), 'session s')
  t.equal(subjectOf(live({ to: 'player', userId })), `user ${userId}`)
  t.equal(subjectOf(live({ to: 'movie', movieId })), `movie ${movieId}`)
  t.equal(subjectOf(live({ to: 'library', libraryId })), `library ${libraryId}`)
  t.equal(subjectOf(live({ to: 'admins' }, { userId })), `user ${userId}`)
})
