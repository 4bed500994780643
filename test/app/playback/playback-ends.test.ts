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
  readonly house: NodeFixture
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
  const house = await openNodeFixture(t, { cluster, streams: { leave: (id) => void left.one.push(id) } })
  await openNodeFixture(t, { cluster, node: 'two', streams: { leave: (id) => void left.two.push(id) } })
  const admin = await house.person({ role: 'admin' })
  house.films.put('/films/Metropolis (1927).mkv')
  const library = await house.newLibrary('/films')
  await house.scan(library)
  const ann = await house.person({ libraryAccess: 'selected', libraryIds: [library] })
  const { id: movieId } = await house.movieNamed('Metropolis')
  const { session } = allowed(await house.playback.start(ann.caller, { movieId }, ORIGIN))
  return { cluster, house, ann, admin, session, left, holds: (credential) => house.streamAccess.holds(credential, session.id) }
}

interface Ending {
  readonly reason: string
  readonly end: (setting: Setting) => Promise<unknown>
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  'its player ends it': { reason: 'client', end: ({ house, ann, session }) => house.playback.end(ann.caller, session.id, ORIGIN) },
  'an admin ends it': {
    reason: 'admin',
    end: ({ house, admin, session }) => house.playback.terminate(admin.caller, session.id, { message: null, origin: ORIGIN }),
  },
  'its login signs out': { reason: 'signed_out', end: ({ house, ann }) => house.signIns.signOut(ann.caller, ORIGIN) },
  'its login is revoked': {
    reason: 'signed_out',
    end: ({ house, ann }) => house.logins.revoke(ann.caller.userId, ann.caller.loginId, AUTHOR),
  },
  'the grant goes': {
    reason: 'access_revoked',
    end: ({ house, ann }) => house.accountChanges.change(ann.caller.userId, { libraryIds: [] }, AUTHOR),
  },
  'the account is disabled': {
    reason: 'user_disabled',
    end: ({ house, ann }) => house.accountChanges.change(ann.caller.userId, { enabled: false }, AUTHOR),
  },
  'the account is removed': {
    reason: 'user_disabled',
    end: ({ house, ann }) => house.accountChanges.remove(ann.caller.userId, AUTHOR),
  },
  'the library is removed': {
    reason: 'library_deleted',
    end: ({ house, admin, session }) => house.libraries.remove(admin.caller, session.libraryId, ORIGIN),
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
    const { house, cluster, ann, session, left, holds } = setting
    const { token } = house.streamAccess.issue(session)
    t.ok(holds(token))
    t.ok(holds(ann.token))
    await end(setting)
    await cluster.clock.advance(1000)
    t.notOk(holds(token))
    t.notOk(holds(ann.token))
    const ends = (await house.events()).filter(({ type }) => type === 'PlaybackEnded' || type === 'PlaybackExpired')
    t.match(ends, { length: 1 })
    t.match(ends, [reason === 'idle' ? { type: 'PlaybackExpired' } : { data: { reason } }])
    t.strictSame(left, { one: [session.id], two: [session.id] })
    t.strictSame(house.problems, [])
  })
}

t.test('what another login of the user has opened ends with that login, the session does not', async (t) => {
  const { house, ann, session, holds } = await setUp(t)
  const tablet = await house.login(ann.caller.userId)
  t.ok(holds(tablet.token))
  await house.signIns.signOut(tablet.caller, ORIGIN)
  t.notOk(holds(tablet.token))
  t.ok(holds(house.streamAccess.issue(session).token))
})

t.test('an end that comes twice keeps its first reason', async (t) => {
  const { house, ann, admin, session } = await setUp(t)
  await Promise.all([
    house.playback.end(ann.caller, session.id, ORIGIN),
    house.playback.terminate(admin.caller, session.id, { message: null, origin: ORIGIN }),
    house.signIns.signOut(ann.caller, ORIGIN),
  ])
  await house.clock.advance(1000)
  t.match(
    (await house.events()).filter(({ type }) => type === 'PlaybackEnded'),
    { length: 1 },
  )
})

t.test('a session that ends before its first segment is planned starts no encoder', async (t) => {
  const asked: (() => boolean)[] = []
  const house = await openNodeFixture(t, { streams: { prewarm: (_file, { wanted }) => void asked.push(wanted) } })
  const ann = await house.person()
  house.films.put('/films/Metropolis (1927).mkv')
  await house.scan(await house.newLibrary('/films'))
  const { id: movieId } = await house.movieNamed('Metropolis')
  const { session } = allowed(await house.playback.start(ann.caller, { movieId }, ORIGIN))
  t.strictSame(
    asked.map((wanted) => wanted()),
    [true],
  )
  await house.playback.end(ann.caller, session.id, ORIGIN)
  t.strictSame(
    asked.map((wanted) => wanted()),
    [false],
  )
})
