/** Commands to players, from the sender to the heartbeat that delivers them. */
import t, { type Test } from 'tap'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import {
  allowed,
  createCluster,
  openNodeFixture,
  opened,
  ORIGIN,
  type NodeFixture,
  type Person,
  type Cluster,
} from '../../fixtures/node-fixture.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Ten minutes before the expiry of the token in a master playlist loaded at the start. */
const DUE_MS = 4 * HOUR_MS - 10 * MINUTE_MS

interface Setting {
  readonly cluster: Cluster
  readonly fixture: NodeFixture
  /** Another node. */
  readonly elsewhere: NodeFixture
  readonly ann: Person
  readonly admin: Person
  readonly session: SessionDocument
}

async function setUp(t: Test): Promise<Setting> {
  const cluster = createCluster()
  const fixture = await openNodeFixture(t, { cluster })
  const elsewhere = await openNodeFixture(t, { cluster, node: 'two' })
  const [ann, admin] = [await fixture.person(), await fixture.person({ role: 'admin' })]
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
  await fixture.scan(await fixture.newLibrary('/films'))
  const { id: movieId } = await fixture.movieNamed('Metropolis')
  const { session } = allowed(await fixture.playback.start(ann.caller, { movieId }, ORIGIN))
  return { cluster, fixture, elsewhere, ann, admin, session }
}

const beat = async (fixture: NodeFixture, { caller }: Person, { id }: SessionDocument, lastCommandId?: string) =>
  allowed(await fixture.playback.heartbeat(caller, id, { positionMs: 1000, ...(lastCommandId ? { lastCommandId } : {}) }, ORIGIN)).commands

/** Advances the time like a player, with a heartbeat every 100 s; returns the last response. */
async function watch({ fixture, ann, session }: Pick<Setting, 'fixture' | 'ann' | 'session'>, ms: number) {
  let commands = await beat(fixture, ann, session)
  for (let passed = 0; passed < ms; passed += 100_000) {
    fixture.clock.setNow(fixture.clock.now() + Math.min(100_000, ms - passed))
    commands = await beat(fixture, ann, session)
  }
  return commands
}

const command = async ({ fixture, admin, session }: Setting, message: string) => {
  const ask = { order: { command: 'message', message }, origin: ORIGIN } as const
  return allowed(await fixture.playback.command(admin.caller, session.id, ask))
}

t.test('commands come with every heartbeat, on every node, until the player says that it has them', async (t) => {
  const setting = await setUp(t)
  const { fixture, elsewhere, ann, session } = setting
  t.strictSame(await beat(fixture, ann, session), [])
  const [first, second] = [await command(setting, 'Dinner is ready'), await command(setting, 'It gets cold')]
  t.match(first, { id: /^.{21}$/, command: 'message', message: 'Dinner is ready' })
  t.strictSame(await beat(fixture, ann, session), [first, second])
  t.strictSame(await beat(elsewhere, ann, session), [first, second])
  t.strictSame(await beat(elsewhere, ann, session, first.id), [second])
  t.strictSame(await beat(fixture, ann, session, first.id), [second], 'said twice')
  t.strictSame(await beat(fixture, ann, session, second.id), [])
  t.strictSame(await beat(fixture, ann, session, second.id), [])
})

t.test('commands that wait outlive a restart', async (t) => {
  const setting = await setUp(t)
  const waiting = await command(setting, 'Dinner is ready')
  await setting.elsewhere.stop()
  await setting.fixture.stop()
  const restarted = await openNodeFixture(t, { cluster: { ...setting.cluster, store: createMemoryReadStore() }, node: 'three' })
  await opened(restarted)
  t.strictSame(await beat(restarted, setting.ann, setting.session), [waiting])
})

t.test('a message is sealed for the person who watches: erasing them erases it, in the log, the audit and the read models', async (t) => {
  const setting = await setUp(t)
  const { fixture, cluster, ann, admin, session } = setting
  const told: unknown[] = []
  fixture.liveEvents.listen((events) => told.push(...(events ?? []).filter(({ kind }) => kind === 'playback.command')))
  await command(setting, 'Ann, dinner is ready')
  await fixture.clock.settle()
  t.match(told, [{ payload: { sessionId: session.id, message: 'Ann, dinner is ready' } }], 'the player gets it as it is')
  const listed = async () => JSON.stringify((await fixture.auditLog.list({ type: 'PlaybackCommandIssued' }, 'desc', { limit: 10 })).items)
  t.match(await listed(), /Ann, dinner is ready/)
  t.match((await fixture.events()).at(-1), { type: 'PlaybackCommandIssued', data: { message: `sealed:${ann.caller.userId}:` } })
  t.match(await fixture.readModels.audit.find({ where: [], limit: 100 }).then(({ items }) => JSON.stringify(items)), /sealed:/)
  t.notMatch(await fixture.readModels.audit.find({ where: [], limit: 100 }).then(({ items }) => JSON.stringify(items)), /dinner/)
  allowed(await fixture.users.erase(admin.caller, ann.caller.userId, ORIGIN))
  t.equal(await cluster.vault.key(ann.caller.userId), undefined)
  t.notMatch(await listed(), /dinner/)
})

t.test('no session, no command', async (t) => {
  const { fixture, admin, ann, session } = await setUp(t)
  await fixture.playback.end(ann.caller, session.id, ORIGIN)
  const order = { command: 'pause', message: null } as const
  t.match(await fixture.playback.command(admin.caller, session.id, { order, origin: ORIGIN }), { refusal: 'not-found' })
})

t.test('an evicted player is notified before the session ends, even if no heartbeat can deliver it any more', async (t) => {
  const { fixture, admin, ann, session } = await setUp(t)
  t.equal(await fixture.playback.terminate(admin.caller, session.id, { message: 'Bedtime', origin: ORIGIN }), undefined)
  t.match(await fixture.playback.heartbeat(ann.caller, session.id, { positionMs: 0 }, ORIGIN), { refusal: 'not-found' })
  t.match((await fixture.events()).slice(-2), [
    { type: 'PlaybackCommandIssued', data: { command: 'stop', message: /^sealed:/ }, metadata: { actor: `user:${admin.caller.userId}` } },
    { type: 'PlaybackEnded', data: { reason: 'admin' } },
  ])
})

t.test('a player whose playlists have less than ten minutes left is asked once to reload them', async (t) => {
  const setting = await setUp(t)
  const { fixture, ann, session } = setting
  t.strictSame(await watch(setting, DUE_MS - 1), [])
  fixture.clock.setNow(fixture.clock.now() + 1)
  const [reload, ...more] = await beat(fixture, ann, session)
  t.match(reload, { command: 'reload', message: null })
  t.strictSame(more, [])
  t.strictSame(await beat(fixture, ann, session), [reload], 'again until it is taken')
  t.strictSame(await beat(fixture, ann, session, reload?.id), [])
  t.strictSame(await watch(setting, DUE_MS - 1), [], 'and then not for as long as the new ones are good')
  t.match(await watch(setting, 1), [{ command: 'reload' }])
})

t.test('a player that loads its playlists by itself is left alone until those have less than ten minutes left', async (t) => {
  const setting = await setUp(t)
  t.strictSame(await watch(setting, 2 * HOUR_MS), [])
  setting.fixture.playback.masterGiven(setting.session.id)
  t.strictSame(await watch(setting, DUE_MS - 1), [])
  t.match(await watch(setting, 1), [{ command: 'reload' }])
})

t.test('when its node is gone, a player is asked to reload at most once too often', async (t) => {
  const setting = await setUp(t)
  const { cluster, ann, session } = setting
  await watch(setting, 2 * HOUR_MS)
  setting.fixture.playback.masterGiven(session.id)
  await setting.fixture.stop()
  await cluster.clock.advance(3000)
  const fixture = setting.elsewhere
  const [reload, ...more] = await watch({ fixture, ann, session }, 2 * HOUR_MS - 10 * MINUTE_MS)
  t.match(reload, { command: 'reload' })
  t.strictSame(more, [])
  await beat(fixture, ann, session, reload?.id)
  t.strictSame(await watch({ fixture, ann, session }, DUE_MS - 1), [])
})
