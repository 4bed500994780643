/** However a session ends, the reason is stored, and its work stops on every node. */
import t, { type Test } from 'tap'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import {
  allowed,
  createCluster,
  openNodeFixture,
  ORIGIN,
  type NodeFixture,
  type Person,
  type Cluster,
} from '../../fixtures/node-fixture.ts'

const AUTHOR = { actor: 'system', command: 'test' }

interface Setting {
  readonly cluster: Cluster
  readonly fixture: NodeFixture
  readonly ann: Person
  readonly admin: Person
  readonly session: SessionDocument
  /** Sessions that the nodes' streaming engines were told to stop, by node. */
  readonly left: Readonly<Record<'one' | 'two', string[]>>
  readonly holds: (credential: string) => boolean
}

async function setUp(t: Test): Promise<Setting> {
  const cluster = createCluster()
  const left = { one: [] as string[], two: [] as string[] }
  const fixture = await openNodeFixture(t, { cluster, streams: { leave: (id) => void left.one.push(id) } })
  await openNodeFixture(t, { cluster, node: 'two', streams: { leave: (id) => void left.two.push(id) } })
  const admin = await fixture.person({ role: 'admin' })
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
  const library = await fixture.newLibrary('/films')
  await fixture.scan(library)
  const ann = await fixture.person({ libraryAccess: 'selected', libraryIds: [library] })
  const { id: movieId } = await fixture.movieNamed('Metropolis')
  const { session } = allowed(await fixture.playback.start(ann.caller, { movieId }, ORIGIN))
  return { cluster, fixture, ann, admin, session, left, holds: (credential) => fixture.streamAccess.holds(credential, session.id) }
}

interface Ending {
  readonly reason: string
  readonly end: (setting: Setting) => Promise<unknown>
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  'its player ends it': { reason: 'client', end: ({ fixture, ann, session }) => fixture.playback.end(ann.caller, session.id, ORIGIN) },
  'an admin ends it': {
    reason: 'admin',
    end: ({ fixture, admin, session }) => fixture.playback.terminate(admin.caller, session.id, { message: null, origin: ORIGIN }),
  },
  'its login signs out': { reason: 'signed_out', end: ({ fixture, ann }) => fixture.signIns.signOut(ann.caller, ORIGIN) },
  'its login is revoked': {
    reason: 'signed_out',
    end: ({ fixture, ann }) => fixture.logins.revoke(ann.caller.userId, ann.caller.loginId, AUTHOR),
  },
  'the grant goes': {
    reason: 'access_revoked',
    end: ({ fixture, ann }) => fixture.accountChanges.change(ann.caller.userId, { libraryIds: [] }, AUTHOR),
  },
  'the account is disabled': {
    reason: 'user_disabled',
    end: ({ fixture, ann }) => fixture.accountChanges.change(ann.caller.userId, { enabled: false }, AUTHOR),
  },
  'the account is removed': {
    reason: 'user_disabled',
    end: ({ fixture, ann }) => fixture.accountChanges.remove(ann.caller.userId, AUTHOR),
  },
  'the library is removed': {
    reason: 'library_deleted',
    end: ({ fixture, admin, session }) => fixture.libraries.remove(admin.caller, session.libraryId, ORIGIN),
  },
  'no heartbeat comes': {
    reason: 'idle',
    end: async ({ cluster }) => {
      await cluster.clock.advance(125_000)
    },
  },
}

for (const [title, { reason, end }] of Object.entries(ENDINGS)) {
  t.test(`when ${title} the session ends as "${reason}", its stream is over and nothing of it is left running`, async (t) => {
    const setting = await setUp(t)
    const { fixture, cluster, ann, session, left, holds } = setting
    const { token } = fixture.streamAccess.issue(session)
    t.ok(holds(token))
    t.ok(holds(ann.token))
    await end(setting)
    await cluster.clock.advance(1000)
    t.notOk(holds(token))
    t.notOk(holds(ann.token))
    const ends = (await fixture.events()).filter(({ type }) => type === 'PlaybackEnded' || type === 'PlaybackExpired')
    t.match(ends, { length: 1 })
    t.match(ends, [reason === 'idle' ? { type: 'PlaybackExpired' } : { data: { reason } }])
    t.strictSame(left, { one: [session.id], two: [session.id] })
    t.strictSame(fixture.problems, [])
  })
}

t.test('what another login of the user has opened ends with that login, the session does not', async (t) => {
  const { fixture, ann, session, holds } = await setUp(t)
  const tablet = await fixture.login(ann.caller.userId)
  t.ok(holds(tablet.token))
  await fixture.signIns.signOut(tablet.caller, ORIGIN)
  t.notOk(holds(tablet.token))
  t.ok(holds(fixture.streamAccess.issue(session).token))
})

t.test('an end that comes twice keeps its first reason', async (t) => {
  const { fixture, ann, admin, session } = await setUp(t)
  await Promise.all([
    fixture.playback.end(ann.caller, session.id, ORIGIN),
    fixture.playback.terminate(admin.caller, session.id, { message: null, origin: ORIGIN }),
    fixture.signIns.signOut(ann.caller, ORIGIN),
  ])
  await fixture.clock.advance(1000)
  t.match(
    (await fixture.events()).filter(({ type }) => type === 'PlaybackEnded'),
    { length: 1 },
  )
})

t.test('a session that ends before its first segment is planned starts no encoder', async (t) => {
  const asked: (() => boolean)[] = []
  const fixture = await openNodeFixture(t, { streams: { prewarm: (_file, { wanted }) => void asked.push(wanted) } })
  const ann = await fixture.person()
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
  await fixture.scan(await fixture.newLibrary('/films'))
  const { id: movieId } = await fixture.movieNamed('Metropolis')
  const { session } = allowed(await fixture.playback.start(ann.caller, { movieId }, ORIGIN))
  t.strictSame(
    asked.map((wanted) => wanted()),
    [true],
  )
  await fixture.playback.end(ann.caller, session.id, ORIGIN)
  t.strictSame(
    asked.map((wanted) => wanted()),
    [false],
  )
})
