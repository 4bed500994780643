/** A rendition moves from one node to another while players wait. */
import t from 'tap'
import { openHosts, sends, type HostNode, type Hosts } from './rendition-hosts.ts'
import type { Asked, ScriptedJob } from '../../fixtures/scripted-agent.ts'

interface Played {
  readonly hosts: Hosts
  readonly owner: HostNode
  readonly others: readonly HostNode[]
  readonly job: ScriptedJob
  /** Requests for segment 1 by a viewer at each other node. */
  readonly waiting: readonly Asked[]
}

/** The first node owns the rendition and its run; viewers at the other nodes wait for it. */
async function played(count = 2): Promise<Played> {
  const hosts = openHosts(count)
  const [owner, ...others] = hosts.nodes as [HostNode, ...HostNode[]]
  owner.ask(0, 'olga')
  const job = await sends(hosts, 0)
  const waiting = others.map((other, index) => other.ask(1, `viewer-${index}`))
  await hosts.clock.advance(500)
  return { hosts, owner, others, job, waiting }
}

/** Milliseconds until another run has started. */
async function untilAnother({ clock, jobs }: Hosts, job: ScriptedJob, mostMs: number): Promise<number> {
  const count = jobs.indexOf(job) + 1
  let passedMs = 0
  for (; passedMs < mostMs && jobs.length === count; passedMs += 50) await clock.advance(50)
  return passedMs
}

t.test('an owner that stops is followed at once: who waits at another node gets their segment from the new one', async (t) => {
  const { hosts, owner, job, waiting } = await played(3)
  const here = owner.ask(7, 'olga')
  await hosts.clock.settle()
  await owner.host.close()
  await hosts.clock.settle()
  t.equal(job.stopped, true)
  const tookMs = await untilAnother(hosts, job, 2_000)
  t.ok(tookMs <= 500, `${tookMs} ms`)
  await sends(hosts, 1)
  await hosts.clock.advance(500)
  t.strictSame(
    waiting.map(({ result }) => result),
    ['segment 1', 'segment 1'],
  )
  t.equal(here.result, 'The server is stopping')
  t.strictSame([hosts.jobs.length, hosts.table.held.size], [2, 1])
  t.ok(hosts.newest().spec.epoch > job.spec.epoch)
  await hosts.close()
})

t.test('an owner whose process was killed is followed within a lease time', async (t) => {
  const { hosts, owner, job, waiting } = await played()
  owner.line.cut()
  owner.leases.stall()
  const tookMs = await untilAnother(hosts, job, 8_000)
  t.ok(tookMs <= 5_500, `${tookMs} ms`)
  t.ok(hosts.newest().spec.epoch > job.spec.epoch)
  await sends(hosts, 1)
  t.equal(waiting[0]?.result, 'segment 1')
  await hosts.close()
})

t.test('an owner that does not answer any more is followed before the player gives up', async (t) => {
  const { hosts, owner, job, waiting } = await played()
  owner.line.state = 'frozen'
  owner.leases.stall()
  const tookMs = await untilAnother(hosts, job, 8_000)
  t.ok(tookMs <= 6_000, `${tookMs} ms`)
  await sends(hosts, 1)
  t.equal(waiting[0]?.result, 'segment 1')
  t.ok(hosts.newest().spec.epoch > job.spec.epoch)
  await hosts.close()
})

t.test('an owner that loses its lease stops its run, and its own viewers get their segments from the next owner', async (t) => {
  const { hosts, owner, others, job, waiting } = await played()
  const own = owner.ask(1, 'olga')
  owner.leases.stall()
  const tookMs = await untilAnother(hosts, job, 8_000)
  t.ok(tookMs <= 6_000, `${tookMs} ms`)
  t.equal(job.stopped, true)
  await t.rejects(job.segment(1, 'late'), 'its words are void')
  await sends(hosts, 1, 'by the next owner')
  await hosts.clock.advance(500)
  t.strictSame([own.result, waiting[0]?.result], ['by the next owner', 'by the next owner'])
  t.equal([owner, ...others].filter(({ rendition }) => rendition.actor()).length, 1)
  await hosts.close()
})

t.test('an owner that an agent knows as superseded releases the rendition, and the next node to ask owns it', async (t) => {
  const hosts = openHosts(1)
  const [node] = hosts.nodes as [HostNode]
  hosts.replies = [{ type: 'superseded' }]
  const asked = node.ask(0)
  await hosts.clock.advance(1_000)
  await hosts.newest().segment(0)
  await hosts.clock.settle()
  t.equal(asked.result, 'segment 0')
  t.equal(hosts.table.token, 2, 'with a lease of its own')
  await hosts.close()
})

t.test('the new owner knows where the viewers that it served were: their lead is kept up', async (t) => {
  const { hosts, owner, others, job } = await played()
  await job.segments(1, 12)
  for (let segment = 1; segment <= 12; segment++) others[0]?.ask(segment, 'ann')
  await hosts.clock.settle()
  await owner.host.close()
  others[0]?.ask(12, 'ann')
  await hosts.clock.advance(1_000)
  t.equal(hosts.newest().spec.startSegment, 13)
  t.equal(hosts.newest().spec.creditMs, 34_000, 'a step, not the first ten seconds only')
  await hosts.close()
})

t.test('while the bus is away what is kept is played; the rest waits for it as long as a player does', async (t) => {
  const { hosts, others, job, waiting } = await played()
  const other = others[0] as HostNode
  await job.segment(1)
  await hosts.clock.settle()
  t.equal(waiting[0]?.result, 'segment 1')
  other.line.state = 'away'
  const [kept, rest] = [other.ask(1), other.ask(2)]
  await hosts.clock.settle()
  t.strictSame([kept.result, rest.result], ['segment 1', undefined])
  await hosts.clock.advance(8_000)
  t.equal(rest.result, 'The transcoders cannot be reached')
  const again = other.ask(2)
  await hosts.clock.advance(2_000)
  other.line.state = 'well'
  await hosts.clock.advance(300)
  await job.segment(2)
  await hosts.clock.settle()
  t.equal(again.result, 'segment 2')
  t.strictSame(other.problems, [])
  await hosts.close()
})

t.test('while another node has the lease and does not answer nobody waits longer than a player does', async (t) => {
  const { hosts, owner, waiting } = await played()
  owner.line.state = 'frozen'
  await hosts.clock.advance(8_600)
  t.equal(waiting[0]?.result, 'The transcoders are being taken over')
  t.equal(hosts.jobs.length, 1)
  await hosts.close()
})

t.test('a request whose owner stands still ends before its player gives up, and not with the next question', async (t) => {
  const { hosts, owner, others } = await played()
  owner.line.state = 'frozen'
  const asked = others[0]?.ask(50, 'ben')
  await hosts.clock.advance(8_400)
  t.equal(asked?.result, undefined)
  await hosts.clock.advance(200)
  t.equal(asked?.result, 'The transcoders are being taken over')
  await hosts.close()
})

t.test('a rendition that nobody watches is let go after five minutes, and comes back with the next request', async (t) => {
  const { hosts, owner, others, job, waiting } = await played()
  await job.segment(1)
  await hosts.clock.settle()
  t.equal(waiting[0]?.result, 'segment 1')
  for (let passed = 0; passed < 72; passed++) {
    await hosts.clock.advance(5_000)
    if (!job.stopped) await job.say({ type: 'beat' }).catch(() => undefined)
  }
  t.equal(job.stopped, true)
  t.strictSame([hosts.table.held.size, owner.line.open.size, others[0]?.line.open.size], [0, 2, 1], 'but for the parts and the held runs')
  const asked = others[0]?.ask(2)
  await sends(hosts, 2)
  t.equal(asked?.result, 'segment 2')
  t.equal(others[0]?.rendition.actor() !== undefined, true)
  await hosts.close()
})

t.test('closing leaves nothing: no lease, no subscription, no run, nobody who waits', async (t) => {
  const { hosts, owner, others, waiting } = await played(3)
  const more = [owner.ask(50), ...others.map((other) => other.ask(50))]
  await hosts.clock.advance(500)
  await hosts.close()
  await hosts.clock.settle()
  t.strictSame([hosts.table.held.size, ...hosts.nodes.map(({ line }) => line.open.size)], [0, 0, 0, 0])
  t.ok(hosts.jobs.every(({ stopped }) => stopped))
  for (const { result } of [...waiting, ...more]) t.equal(result, 'The server is stopping')
})
