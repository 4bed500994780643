import t from 'tap'
import type { AuditEntry, AuditFilter } from '../../../src/app/audit/audit-log.ts'
import { allowed, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'
import { iso } from '../../fixtures/given.ts'
import { household } from './household.ts'
import { named } from '../../fixtures/names.ts'
import { createRandom } from '../../fixtures/random.ts'

async function all(node: NodeFixture, filter: AuditFilter = {}, order: 'asc' | 'desc' = 'asc', limit = 7): Promise<readonly AuditEntry[]> {
  const met: AuditEntry[] = []
  for (let after: { value: unknown; id: string } | undefined; ;) {
    const page = await node.auditLog.list(filter, order, { limit, ...(after ? { after: after as never } : {}) })
    met.push(...page.items)
    if (page.next === null) return met
    after = page.next
  }
}

t.test('who wants a projection to be made again is on record', async (t) => {
  const { node, admin } = await household(t)
  t.match(await node.projections.rebuild('nothing', admin.caller, ORIGIN), { refusal: 'not-found' })
  allowed(await node.projections.rebuild('credits', admin.caller, ORIGIN))
  await node.seen()
  t.match(await all(node, { type: 'RebuildRequested' }), [
    { actor: { kind: 'user', id: admin.caller.userId }, changes: [{ path: 'rebuilt', to: 'credits' }] },
  ])
  t.equal((await all(node, { type: 'RebuildRequested' })).length, 1)
})

t.test('there is an entry for each event of the log, in its order', async (t) => {
  const { node } = await household(t)
  const events = await node.events()
  const entries = await all(node)
  t.strictSame(
    entries.map(({ type, at }) => ({ type, at })),
    events.map(({ type, at }) => ({ type, at })),
  )
  t.strictSame(
    entries.map(({ seq }) => seq),
    events.map((_, n) => n + 1),
  )
  t.strictSame(await all(node, {}, 'desc', 3), entries.toReversed())
})

t.test('each filter, and several at once, find what fits and nothing else', async (t) => {
  const { node, ann, library, movie } = await household(t)
  const entries = await all(node)
  const random = createRandom(3)
  const times = entries.map(({ at }) => at)
  const some = <Value>(...values: readonly Value[]): Value | undefined => (random.below(3) === 0 ? undefined : random.pick(values))
  let found = 0
  for (let round = 0; round < 150; round++) {
    const filter: AuditFilter = {
      actorId: some(ann.caller.userId as string, 'nobody'),
      targetId: some(movie.id as string, library as string),
      type: some('MovieMarkedWatched', 'ScanCompleted', 'UserRegistered'),
      requestId: some(named(`r${ann.caller.userId.slice(1)}`) as string, 'none', undefined, undefined),
      from: some(random.pick(times), undefined),
      to: some(random.pick(times), undefined),
    }
    const expected = entries.filter((entry) => fits(entry, filter))
    found += expected.length
    t.strictSame(
      await all(node, filter, random.pick(['asc', 'desc']), 5).then((list) => list.toSorted((a, b) => a.seq - b.seq)),
      expected,
      JSON.stringify(filter),
    )
  }
  t.ok(found > 50, 'some filters find something')
})

function fits(entry: AuditEntry, { actorId, targetId, type, requestId, from, to }: AuditFilter): boolean {
  const equal = [
    [actorId, entry.actor.id],
    [targetId, entry.target.id],
    [type, entry.type],
    [requestId, entry.requestId],
  ]
  return equal.every(([wanted, is]) => wanted === undefined || wanted === is) && entry.at >= (from ?? '') && entry.at < (to ?? '9')
}

t.test('an event whose clock was behind is found by its own time', async (t) => {
  const { node, ann, movie } = await household(t)
  const before = new Date(node.clock.now()).toISOString()
  node.clock.setNow(node.clock.now() - 60_000)
  allowed(await node.movieMarks.setWatchlisted(ann.caller, movie.id, true, ORIGIN))
  await node.seen()
  const [entry] = await all(node, { type: 'MovieWatchlisted', to: before })
  t.equal(entry?.type, 'MovieWatchlisted')
})

t.test('after a clock that ran a day ahead the events that follow are still found by their own time', async (t) => {
  const { node, ann, movie } = await household(t)
  let wanted = false
  const mark = async () => {
    wanted = !wanted
    allowed(await node.movieMarks.setWatchlisted(ann.caller, movie.id, wanted, ORIGIN))
    node.clock.setNow(node.clock.now() + 60_000)
  }
  const now = node.clock.now()
  node.clock.setNow(now + 86_400_000)
  await mark()
  node.clock.setNow(now)
  for (let n = 0; n < 6; n++) await mark()
  node.clock.setNow(now + 5 * 86_400_000)
  for (let n = 0; n < 3; n++) await mark()
  await node.seen()
  const entries = await all(node)
  const asked = [now - 1, now, now + 60_000, now + 200_000, now + 3_600_000, now + 86_400_000, now + 86_400_001, now + 6 * 86_400_000]
  for (const time of asked) {
    for (const filter of [{ to: iso(time) }, { from: iso(time) }, { from: iso(now + 60_000), to: iso(time) }]) {
      const expected = entries.filter((entry) => fits(entry, filter))
      t.strictSame(await all(node, filter, 'asc', 4), expected, JSON.stringify(filter))
      t.strictSame(await all(node, filter, 'desc', 4), expected.toReversed(), JSON.stringify(filter))
    }
  }
  t.equal(entries.filter(({ at }) => at >= iso(now) && at < iso(now + 3_600_000)).length > 5, true)
})

t.test('it says by name and address who it was, and "erased user" once that is nowhere known', async (t) => {
  const { node, admin, ann } = await household(t)
  const { name } = await node.accounts.open(node.access.users.get(ann.caller.userId) ?? (t.fail('no ann') as never))
  const [entry] = await all(node, { actorId: ann.caller.userId, type: 'MovieMarkedWatched' })
  t.match(entry?.actor, { kind: 'user', id: ann.caller.userId, name, ip: ORIGIN.address, client: ORIGIN.client })
  allowed(await node.users.remove(admin.caller, ann.caller.userId, ORIGIN))
  await node.seen()
  const [removed] = await all(node, { actorId: ann.caller.userId, type: 'MovieMarkedWatched' })
  t.equal(removed?.actor.name, name, 'a removed account keeps its name')
})
