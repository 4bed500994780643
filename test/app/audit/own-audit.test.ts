import t from 'tap'
import { noteKey, openedCheckpoint } from '../../../src/app/audit/signed-note.ts'
import type { AuditEntry } from '../../../src/app/audit/audit-log.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import { leafHash, rootByInclusion } from '../../../src/events/merkle-tree.ts'
import { START } from '../../../src/events/position.ts'
import { LOGINS_STREAM } from '../../../src/events/streams.ts'
import type { LoginId, UserId } from '../../../src/vocabulary/id.ts'
import { allowed, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'
import { household } from './household.ts'

t.test('a user reads what was done with the own account, and not from where others did it', async (t) => {
  const { node, admin, ann } = await household(t)
  allowed(await node.users.change(admin.caller, ann.caller.userId, { maxConcurrentStreams: 2 }, { ...ORIGIN, address: '192.0.2.55' }))
  await node.seen()
  const { items } = await node.ownAudit.list(ann.caller.userId, 'desc', { limit: 100 })
  const change = items.find(({ type }) => type === 'UserStreamLimitChanged')
  t.match(change, {
    actor: { kind: 'user', id: admin.caller.userId, ip: null, client: null },
    changes: [{ path: 'maxConcurrentStreams', to: 2 }],
  })
  t.match(items.find(({ type }) => type === 'SignedIn')?.actor, { id: ann.caller.userId, ip: ORIGIN.address })
  t.strictSame(
    items.filter(({ type }) => type.startsWith('Library')),
    [],
    'what concerns nobody',
  )
  const others = await node.ownAudit.list(admin.caller.userId, 'desc', { limit: 100 })
  t.notOk(others.items.some(({ seq }) => items.some((item) => item.seq === seq)))
})

async function all(node: NodeFixture, userId: UserId, order: 'asc' | 'desc', limit: number): Promise<readonly AuditEntry[]> {
  const met: AuditEntry[] = []
  for (let after: { value: unknown; id: string } | undefined; ;) {
    const page = await node.ownAudit.list(userId, order, { limit, ...(after ? { after: after as never } : {}) })
    met.push(...page.items)
    if (page.next === null) return met
    after = page.next
  }
}

t.test('a look at everybody is in the own audit of each who was there, in its place', async (t) => {
  const { node, admin, ann } = await household(t)
  const look = () => node.accessRecords.viewed(admin.caller, { userId: null, operation: 'GET /v1/history' }, ORIGIN)
  for (let n = 0; n < 4; n++) await look()
  await node.accessRecords.viewed(admin.caller, { userId: ann.caller.userId, operation: 'GET /v1/history' }, ORIGIN)
  const ben = await node.person()
  for (let n = 0; n < 3; n++) {
    await node.login(ann.caller.userId)
    await look()
  }
  await node.seen()
  const looks = (entries: readonly AuditEntry[]) => entries.filter(({ type }) => type === 'HistoryViewed').length
  const anns = await all(node, ann.caller.userId, 'asc', 3)
  t.equal(looks(anns), 8)
  t.equal(looks(await all(node, ben.caller.userId, 'asc', 3)), 3, 'those from before are none of theirs')
  t.equal(looks(await all(node, admin.caller.userId, 'asc', 3)), 0, 'nor is the own look')
  t.match(anns.at(-1), { type: 'HistoryViewed', actor: { id: admin.caller.userId, ip: null, client: null } })
  t.strictSame(
    anns.map(({ seq }) => seq),
    anns.map(({ seq }) => seq).toSorted((a, b) => a - b),
  )
  for (const limit of [1, 2, 5, 100]) {
    t.strictSame(await all(node, ann.caller.userId, 'asc', limit), anns, String(limit))
    t.strictSame(await all(node, ann.caller.userId, 'desc', limit), anns.toReversed(), String(limit))
  }
})

async function storedIn({ cluster: { log } }: NodeFixture): Promise<readonly StoredEvent[]> {
  const head = await log.head()
  const events: StoredEvent[] = []
  for await (const batch of log.follow(START, new AbortController().signal)) {
    events.push(...batch)
    if ((batch.at(-1)?.position ?? START) >= head) break
  }
  return events
}

/** The log's events about a user or by the user, selected only by streams, actors and ids. */
function expectedOf(events: readonly StoredEvent[], userId: UserId, logins: readonly LoginId[]): readonly StoredEvent[] {
  const since = events.findIndex(({ stream }) => stream === `user-${userId}`)
  const streams = new Set([...logins.map((id) => `login-${id}`), `user-${userId}`])
  const isOwn = ({ stream, type, data, metadata }: StoredEvent, n: number): boolean => {
    if (metadata.actor === `user:${userId}` || streams.has(stream)) return true
    if (stream.startsWith(`watched-${userId}_`) || stream.startsWith(`access-${userId}_`)) return true
    if (type === 'HistoryViewed' && data['userId'] === null) return n > since
    if (['HistoryViewed', 'SignInRefused', 'NameClaimed'].includes(type)) return data['userId'] === userId
    return type === 'LoginsExpired' && (data['loginIds'] as LoginId[]).some((id) => logins.includes(id))
  }
  return events.filter(isOwn)
}

t.test('the export has every event about the user and by the user, each with a proof that leads to its checkpoint', async (t) => {
  const { node, admin, ann, library, movie } = await household(t)
  const second = await node.login(ann.caller.userId)
  const expire = (...loginIds: readonly LoginId[]) =>
    node.commandHandler.execute(
      { stream: LOGINS_STREAM, decider: { initial: null, evolve: () => null } },
      () => [{ type: 'LoginsExpired', data: { loginIds } }],
      { actor: 'system', command: 'expireLogins' },
    )
  allowed(await expire(second.caller.loginId))
  allowed(await expire(admin.caller.loginId))
  allowed(await node.libraries.change(admin.caller, library, { name: 'Other films' }, ORIGIN))
  allowed(await node.users.change(admin.caller, ann.caller.userId, { name: 'Anna Nowhere', maxConcurrentStreams: 2 }, ORIGIN))
  const { session } = allowed(await node.playback.start(ann.caller, { movieId: movie.id }, ORIGIN))
  for (const positionMs of [1000, 2000]) {
    allowed(await node.playback.heartbeat(ann.caller, session.id, { positionMs, playState: 'playing' }, ORIGIN))
  }
  for (const userId of [null, ann.caller.userId]) {
    await node.accessRecords.viewed(admin.caller, { userId, operation: 'GET /v1/history' }, ORIGIN)
  }
  await node.accessRecords.denied(ann.caller, 'GET /v1/users', ORIGIN)
  await node.signIns.confirmPassword(ann.caller, 'wrong horse', ORIGIN)
  await node.seen()
  const events = await storedIn(node)
  const own = noteKey(await node.cluster.vault.secret('checkpoint-key'))
  for (const [person, ...logins] of [[ann, ann.caller.loginId, second.caller.loginId] as const, [admin, admin.caller.loginId] as const]) {
    const { userId } = person.caller
    const lines: Record<string, unknown>[] = []
    for await (const line of node.exportData(userId)) lines.push(line)
    const checkpoint = lines.find(({ type }) => type === 'checkpoint')
    const tree = openedCheckpoint(String(checkpoint?.['checkpoint']), [own])
    if (typeof tree === 'string') throw new Error(tree)
    const entries = lines.filter(({ type }) => type === 'audit')
    const expected = expectedOf(events, userId, logins)
    t.strictSame(
      entries.map(({ event }) => (JSON.parse(String(event)) as StoredEvent).id).toSorted(),
      expected.map(({ id }) => id).toSorted(),
    )
    t.ok(new Set(expected.map(({ type }) => type)).size > 7)
    t.notMatch(JSON.stringify(entries), /tokenHash/, 'the hash of a token is shown to nobody')
    for (const { seq, event, hashes } of entries) {
      const path = (hashes as string[]).map((hash) => Buffer.from(hash, 'base64'))
      const root = rootByInclusion(Number(seq) - 1, tree.size, { hash: leafHash(event as string), path })
      t.ok(root && Buffer.compare(root, tree.root) === 0, `entry ${Number(seq)}`)
    }
    if (person === admin) t.notMatch(JSON.stringify(entries), /Anna Nowhere/, 'names of others are theirs')
  }
})
