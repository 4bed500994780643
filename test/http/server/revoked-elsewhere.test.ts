/**
 * A revocation on one node takes effect on the other within a second: requests are rejected, open responses are cut, event streams close,
 * sessions end.
 */
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { decode } from '../../../src/events/codec.ts'
import type { EventClient } from '../event-client.ts'
import { allowed, ORIGIN, type Person } from '../../fixtures/node-fixture.ts'
import { openTwoNodes } from './two-nodes.ts'

const PASSWORD = 'an old password'

interface Viewing {
  readonly viewer: Person
  /** Another login of the same account. */
  readonly elsewhere: Person
  readonly sessionId: string
  readonly streamToken: string
  /** Activity on the second node. */
  readonly film: IncomingMessage
  readonly segment: Promise<IncomingMessage>
  readonly events: EventClient
}

const { one, two, cluster, library, movie } = await openTwoNodes(t)
const admin = await one.fixture.person({ role: 'admin' })

/** A user watches a film through the second node. */
async function watch(t: Test, email: string): Promise<Viewing> {
  const rights = { role: 'user', libraryAccess: 'all', libraryIds: [], maxConcurrentStreams: null } as const
  const account = allowed(await one.fixture.users.create(admin.caller, { email, name: 'Ann', password: PASSWORD, ...rights }, ORIGIN))
  const [viewer, elsewhere] = [await one.fixture.login(account.id), await one.fixture.login(account.id)]
  const started = await two.ask('POST', '/v1/playback/sessions', { token: viewer.token, body: { movieId: movie } })
  t.equal(started.status, 201)
  const { id: sessionId, streamToken } = JSON.parse(started.body) as { id: string; streamToken: string }
  const film = await two.get(`/api/stream/${sessionId}/file?token=${streamToken}`)
  t.equal(film.statusCode, 200)
  const events = await two.events(viewer.token)
  await events.first('hello')
  const segment = two.get(`/api/stream/${sessionId}/original/seg-1.m4s?token=${streamToken}`)
  while (!two.waiting.has(sessionId)) await setImmediate()
  return { viewer, elsewhere, sessionId, streamToken, film, segment, events }
}

async function read(answer: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const chunk of answer) bytes += chunk.length
  return bytes
}

/** The second node's responses about the account, the film, the session and a part of its stream. */
async function answers({ viewer: { token }, sessionId, streamToken }: Viewing): Promise<readonly number[]> {
  const paths = ['/v1/users/me', `/v1/movies/${movie}`, `/v1/playback/sessions/${sessionId}`]
  const rest = await Promise.all(paths.map((path) => two.ask('GET', path, { token })))
  const stream = await two.ask('GET', `/api/stream/${sessionId}/original/init.mp4?token=${streamToken}`)
  return [...rest, stream].map(({ status }) => status)
}

/** The session's end reason in the log. */
async function endOf({ sessionId }: Viewing): Promise<string | undefined> {
  for await (const stored of cluster.log.read(`playback-${sessionId}`)) {
    const event = decode(stored)
    if (event?.type === 'PlaybackEnded') return event.data.reason
  }
  return undefined
}

interface Revocation {
  readonly what: string
  /** On the first node. */
  readonly revoke: (viewing: Viewing) => Promise<{ readonly status: number }>
  readonly answers: readonly [account: number, film: number, session: number, stream: number]
  /** For an event stream: that it ends, or the event that it sends. */
  readonly events: 'ends' | 'access.changed' | 'library.deleted'
  readonly reason: string
}

const change = ({ viewer }: Viewing, body: object) => one.ask('PATCH', `/v1/users/${viewer.caller.userId}`, { token: admin.token, body })

const REVOCATIONS: readonly Revocation[] = [
  {
    what: 'a sign-out',
    revoke: ({ viewer: { token } }) => one.ask('POST', '/api/auth/sign-out', { token }),
    answers: [401, 401, 401, 401],
    events: 'ends',
    reason: 'signed_out',
  },
  {
    what: 'a change of password that ends the other logins',
    revoke({ elsewhere: { token } }) {
      const body = { currentPassword: PASSWORD, newPassword: 'a new password', revokeOtherSessions: true }
      return one.ask('POST', '/api/auth/change-password', { token, body })
    },
    answers: [401, 401, 401, 401],
    events: 'ends',
    reason: 'signed_out',
  },
  {
    what: 'a grant that is taken',
    revoke: (viewing) => change(viewing, { libraryAccess: 'selected', libraryIds: [] }),
    answers: [200, 404, 404, 404],
    events: 'access.changed',
    reason: 'access_revoked',
  },
  {
    what: 'an account that is disabled',
    revoke: (viewing) => change(viewing, { enabled: false }),
    answers: [401, 401, 401, 401],
    events: 'ends',
    reason: 'user_disabled',
  },
  {
    what: 'a library that is deleted',
    revoke: () => one.ask('DELETE', `/v1/libraries/${library}`, { token: admin.token }),
    answers: [200, 404, 404, 404],
    events: 'library.deleted',
    reason: 'library_deleted',
  },
]

for (const { what, revoke, answers: expected, events, reason } of REVOCATIONS) {
  t.test(`${what} on one node is felt on the other within a second`, async (t) => {
    const viewing = await watch(t, `${reason}.${what.length}@example.org`)
    t.strictSame(await answers(viewing), [200, 200, 200, 200])
    const { status } = await revoke(viewing)
    t.ok(status >= 200 && status < 300, String(status))
    await cluster.clock.advance(999)
    t.strictSame(await answers(viewing), expected)
    await t.rejects(read(viewing.film), { code: 'ECONNRESET' })
    t.equal((await viewing.segment).statusCode, expected[3])
    if (events === 'ends') await viewing.events.ended
    else await viewing.events.first(events)
    await two.fixture.seen()
    t.equal(await endOf(viewing), reason)
    t.notOk(two.fixture.access.sessions.has(viewing.sessionId))
  })
}
