import t from 'tap'
import { planStreams } from '../../../../src/domain/streaming/plan.ts'
import { mediaFile } from '../../../fixtures/media-descriptions.ts'
import { MAX_BODY_BYTES } from '../../../../src/ports/bus.ts'
import { large, openHosts, sendLarge, sends, type HostNode, type Hosts } from '../rendition-hosts.ts'
import { VIDEO, type ScriptedJob } from '../../../fixtures/scripted-agent.ts'

/** Two nodes, of which the first owns the rendition, and its run. */
async function owned(count = 2): Promise<{ hosts: Hosts; owner: HostNode; other: HostNode; job: ScriptedJob }> {
  const hosts = openHosts(count)
  const [owner, other] = hosts.nodes as [HostNode, HostNode]
  owner.ask(0, 'olga')
  const job = await sends(hosts, 0)
  return { hosts, owner, other, job }
}

t.test('viewers at several nodes share one run, regardless of who asked first', async (t) => {
  const hosts = openHosts(3)
  const asked = hosts.nodes.map((node, index) => node.ask(0, `viewer-${index}`))
  await sends(hosts, 0)
  await hosts.clock.advance(500)
  t.strictSame(
    asked.map(({ result }) => result),
    ['segment 0', 'segment 0', 'segment 0'],
  )
  t.equal(hosts.jobs.length, 1)
  t.equal(hosts.nodes.filter(({ rendition }) => rendition.actor()).length, 1)
  await hosts.close()
})

t.test('a film that is read in parts is another rendition than the same film read as one', async (t) => {
  const hosts = openHosts(1)
  const [node] = hosts.nodes as [HostNode]
  const whole = node.rendition
  const parts = [0, 1].map((one) => ({ startByte: one * 100, endByte: one * 100 + 100, durationMs: 1_000 }))
  node.retarget({ plan: planStreams(mediaFile(), undefined, { parts }) })
  t.not(node.rendition, whole)
  t.equal(node.rendition, node.rendition)
  node.ask(0)
  const job = await sends(hosts, 0)
  t.strictSame(job.spec.source.parts, parts)
  await hosts.close()
})

t.test('one player whose requests alternate between two nodes has one run', async (t) => {
  const { hosts, owner, other, job } = await owned()
  for (let segment = 1; segment <= 20; segment++) {
    await job.segment(segment)
    const asked = (segment % 2 ? other : owner).ask(segment, 'olga')
    await hosts.clock.advance(2_000)
    t.equal(asked.result, `segment ${segment}`)
  }
  t.equal(hosts.jobs.length, 1)
  t.ok(
    job.orders.every(({ type }) => type === 'credit'),
    'and it goes on',
  )
  await hosts.close()
})

t.test('what came from the owner is kept: it is fetched once', async (t) => {
  const { hosts, other } = await owned()
  const [first, second] = [other.ask(0, 'ann'), other.ask(0, 'ben')]
  await hosts.clock.settle()
  other.line.asked.length = 0
  const third = other.ask(0, 'cy')
  await hosts.clock.settle()
  t.strictSame([first.result, second.result, third.result], ['segment 0', 'segment 0', 'segment 0'])
  t.strictSame(other.line.asked, ['rendition seen'])
  await hosts.close()
})

t.test('no request is sent for what the actor on the same node has or makes', async (t) => {
  const { hosts, owner, job } = await owned()
  owner.line.asked.length = 0
  const asked = [owner.ask(0), owner.ask(1)]
  await hosts.clock.settle()
  await job.segment(1)
  await hosts.clock.settle()
  t.strictSame(
    asked.map(({ result }) => result),
    ['segment 0', 'segment 1'],
  )
  t.strictSame(owner.line.asked, [])
  await hosts.close()
})

const bytesAt = async ({ rendition }: HostNode, segment: number, viewer = 'ann'): Promise<Buffer> => {
  const answer = await rendition.segment(segment, { viewer, signal: new AbortController().signal })
  return Buffer.from(answer instanceof Uint8Array ? answer : '')
}

for (const [what, sizeBytes] of [
  ['one message', MAX_BODY_BYTES],
  ['a byte more than one message', MAX_BODY_BYTES + 1],
  ['more parts than the window has', 11 * MAX_BODY_BYTES - 3],
] as const) {
  t.test(`a segment of ${what} arrives as it is`, async (t) => {
    const { hosts, other, job } = await owned()
    const bytes = large(sizeBytes)
    await sendLarge(job, 1, bytes)
    other.line.asked.length = 0
    const both = await Promise.all([bytesAt(other, 1, 'ann'), bytesAt(other, 1, 'ben')])
    t.ok(both.every((one) => one.equals(bytes)))
    t.equal(other.line.asked.filter((asked) => asked === 'stream part').length, Math.ceil(sizeBytes / MAX_BODY_BYTES) - 1, 'pulled once')
    t.ok((await bytesAt(other, 1)).equals(bytes), 'from its own cache')
    await hosts.close()
  })
}

/** Requests a segment from the owner like another node, without pulling parts yet. */
async function beginToPull({ bus, table }: Hosts, segment: number) {
  const [subject] = [...table.held.keys()].map((key) => `${key}.get`)
  const get = { type: 'get', ask: `ask-${segment}`, viewer: 'ann', segment, withinMs: 1_000 }
  const { head } = await bus.request(subject!, { head: get }, { timeoutMs: 3_000 })
  const pull = async (part: number) => {
    const asked = { type: 'part', transfer: head['transfer'] ?? 'none', part }
    return (await bus.request('stream.node-0.parts', { head: asked }, { timeoutMs: 1_000 })).head['type']
  }
  return { said: head['type'], pull }
}

t.test('what is lent to other nodes is let go when they have it, or have not gone on for five seconds', async (t) => {
  const { hosts, job } = await owned()
  await sendLarge(job, 1, large(4 * MAX_BODY_BYTES))
  const slow = await beginToPull(hosts, 1)
  for (const part of [1, 2, 2]) {
    t.equal(await slow.pull(part), 'part')
    await hosts.clock.advance(4_000)
  }
  t.equal(await slow.pull(3), 'part')
  t.equal(await slow.pull(3), 'lost', 'it has all of it')
  const left = await beginToPull(hosts, 1)
  await hosts.clock.advance(5_000)
  t.equal(await left.pull(1), 'lost')
  await hosts.close()
})

t.test('two segments that have no room beside each other both arrive, one after the other', async (t) => {
  const { hosts, job } = await owned()
  for (const segment of [1, 2]) await sendLarge(job, segment, Buffer.alloc(40 * 1024 * 1024, segment))
  const first = await beginToPull(hosts, 1)
  t.equal((await beginToPull(hosts, 2)).said, 'moved', 'it asks again in a moment')
  t.equal(await first.pull(1), 'part')
  await hosts.clock.advance(400)
  t.equal((await beginToPull(hosts, 2)).said, 'moved')
  t.equal(await first.pull(2), 'part')
  await hosts.clock.advance(600)
  t.equal((await beginToPull(hosts, 2)).said, 'bytes', 'of the first nothing is pulled any more')
  t.equal(await first.pull(3), 'lost')
  await hosts.close()
})

t.test('a part that is lost on the way is asked for again', async (t) => {
  const { hosts, other, job } = await owned()
  const bytes = large(3 * MAX_BODY_BYTES)
  await sendLarge(job, 1, bytes)
  other.line.loseParts = 2
  const asked = bytesAt(other, 1)
  await hosts.clock.advance(500)
  t.ok((await asked).equals(bytes))
  t.equal(hosts.jobs.length, 1)
  await hosts.close()
})

t.test('the init segment comes from the owner with its codec string', async (t) => {
  const { hosts, other, job } = await owned()
  const asked = other.init()
  await hosts.clock.settle()
  t.equal(asked.result, undefined)
  await job.say({ type: 'init', codec: 'avc1.640028' }, Buffer.from('init'))
  await hosts.clock.settle()
  t.strictSame([asked.result, other.rendition.codec()], ['init', 'avc1.640028'])
  other.line.asked.length = 0
  const again = other.init()
  await hosts.clock.settle()
  t.strictSame([again.result, other.line.asked.length], ['init', 0])
  await hosts.close()
})

t.test('why a segment cannot be had is the same at every node, and numbers beyond the film are none', async (t) => {
  const { hosts, other, job } = await owned()
  const [asked, none] = [other.ask(5), other.ask(600)]
  await hosts.clock.settle()
  await job.say({ type: 'missing', from: 1, through: 599 })
  await hosts.clock.settle()
  t.strictSame([asked.result, none.result], ['The film has nothing at this position', 'no such segment'])
  await hosts.close()
})

t.test('nobody waits longer at another node than a player does', async (t) => {
  const { hosts, other, job } = await owned()
  const asked = other.ask(100)
  for (let passed = 0; passed < 16; passed++) {
    t.equal(asked.result, undefined, `after ${passed / 2} s`)
    await hosts.clock.advance(500)
    await Promise.all(hosts.jobs.map((one) => one.say({ type: 'beat' }).catch(() => undefined)))
  }
  await hosts.clock.advance(100)
  t.equal(asked.result, 'It takes longer than a player waits')
  t.equal(job.stopped, false)
  await hosts.close()
})

t.test('a viewer served from the cache of another node has what comes next made in time', async (t) => {
  const { hosts, owner, other, job } = await owned()
  await job.segments(1, 5)
  for (let segment = 0; segment <= 5; segment++) other.ask(segment, 'ann')
  await hosts.clock.settle()
  hosts.nodes.forEach(({ host }) => host.leave('ann'))
  owner.host.leave('olga')
  await hosts.clock.advance(2_000)
  t.equal(job.stopped, true, 'nobody watches')
  other.line.asked.length = 0
  const asked = other.ask(4, 'ben')
  await hosts.clock.advance(1_000)
  t.equal(asked.result, 'segment 4')
  t.strictSame(other.line.asked, ['rendition seen'])
  t.strictSame([hosts.jobs.length, hosts.newest().spec.startSegment], [2, 6])
  await hosts.close()
})

t.test('a viewer who prewarms at a node that owns nothing starts the owner’s run', async (t) => {
  const { hosts, other } = await owned()
  other.rendition.prewarm(200, 'ann')
  await hosts.clock.advance(1_000)
  t.strictSame([hosts.jobs.length, hosts.newest().spec.startSegment], [2, 200])
  await hosts.close()
})

t.test('what is kept here is played without an owner, until something is missing soon: then this node becomes it', async (t) => {
  const { hosts, owner, other, job } = await owned()
  await job.segments(1, 20)
  for (let segment = 0; segment <= 20; segment++) other.ask(segment, 'ann')
  await hosts.clock.settle()
  await owner.host.close()
  const early = other.ask(2, 'ann')
  await hosts.clock.advance(100)
  t.strictSame([early.result, hosts.table.held.size, hosts.jobs.length], ['segment 2', 0, 1])
  const late = other.ask(15, 'ann')
  await hosts.clock.advance(1_000)
  t.strictSame([late.result, hosts.jobs.length, hosts.newest().spec.startSegment], ['segment 15', 2, 21])
  t.ok(hosts.newest().spec.epoch > job.spec.epoch)
  await hosts.close()
})

t.test('a client that has gone takes its run with it after half a second, wherever it asked', async (t) => {
  const { hosts, other } = await owned()
  const asked = other.ask(300)
  await hosts.clock.advance(500)
  const job = hosts.newest()
  t.equal(job.spec.startSegment, 300)
  asked.abort()
  await hosts.clock.advance(400)
  t.strictSame([asked.result, job.stopped], ['The client has gone', false], 'it may come back')
  await hosts.clock.advance(200)
  t.equal(job.stopped, true)
  await hosts.close()
})

t.test('a scrub at another node starts few runs and leaves one', async (t) => {
  const { hosts, other } = await owned()
  for (let step = 1; step <= 20; step++) {
    const asked = other.ask(20 * step)
    await hosts.clock.advance(200)
    if (step < 20) asked.abort()
  }
  await hosts.clock.advance(2_000)
  t.ok(hosts.jobs.length <= 5, `${hosts.jobs.length - 1} runs`)
  t.strictSame(
    hosts.jobs
      .slice(1)
      .filter(({ stopped }) => !stopped)
      .map(({ spec }) => spec.startSegment),
    [400],
  )
  await hosts.close()
})

t.test('video of another encoder than those kept here is not mixed with them', async (t) => {
  const hosts = openHosts(2, { rendition: VIDEO })
  const [owner, other] = hosts.nodes as [HostNode, HostNode]
  owner.ask(0)
  await hosts.clock.advance(100)
  await hosts.newest().say({ type: 'init', codec: 'avc1.640028' }, Buffer.from('one encoder'))
  await hosts.newest().segments(0, 3)
  for (const segment of [0, 1, 2, 3]) other.ask(segment)
  await hosts.clock.settle()
  owner.ask(200)
  await hosts.clock.advance(1_000)
  await hosts.newest().say({ type: 'init', codec: 'avc1.640029' }, Buffer.from('another one'))
  await hosts.newest().segment(200)
  const far = other.ask(200)
  await hosts.clock.settle()
  const init = other.init()
  await hosts.clock.settle()
  t.strictSame([far.result, init.result, other.rendition.codec()], ['segment 200', 'another one', 'avc1.640029'])
  const old = other.ask(2)
  await hosts.clock.advance(1_000)
  t.equal(old.result, undefined, 'made again')
  t.equal(hosts.newest().spec.startSegment, 2)
  await hosts.close()
})

t.test('what has come from the owner is given to the player, although the bus goes away before its init segment is known', async (t) => {
  const hosts = openHosts(2, { rendition: VIDEO })
  const [owner, other] = hosts.nodes as [HostNode, HostNode]
  owner.ask(0)
  await hosts.clock.advance(100)
  await hosts.newest().say({ type: 'init', codec: 'avc1.640028' }, Buffer.from('init'))
  await hosts.newest().segment(0)
  other.line.asked.length = 0
  Object.defineProperty(other.line, 'state', { get: () => (other.line.asked.length > 1 ? 'away' : 'well') })
  const asked = other.ask(0)
  await hosts.clock.settle()
  t.strictSame(other.line.asked, ['rendition get', 'rendition get'])
  t.equal(asked.result, 'segment 0')
  await hosts.close()
})

t.test('no more requests of other nodes wait at an owner than it has room for', async (t) => {
  const { hosts, other } = await owned()
  const asked = Array.from({ length: 1_001 }, (_, index) => other.ask(3, `viewer-${index}`))
  await hosts.clock.settle()
  t.strictSame(
    asked.flatMap(({ result }) => result ?? []),
    ['Too many wait for this film'],
  )
  await hosts.close()
})

t.test('messages that are none get no answer that means anything, and do no harm', async (t) => {
  const { hosts, owner, other, job } = await owned()
  const [subject] = [...hosts.table.held.keys()].map((key) => `${key}.get`)
  for (const head of [
    {},
    { type: 'get' },
    { type: 'get', ask: 'a', viewer: 'ann', segment: 1.5, withinMs: 1 },
    { type: 'seen', viewer: 'eve', segment: -1 },
    { type: 'gone', ask: 'nobody' },
  ]) {
    const { head: said } = await hosts.bus.request(subject!, { head }, { timeoutMs: 1_000 })
    t.match(said['type'], /^(unavailable|noted)$/)
  }
  for (const head of [{}, { type: 'part', transfer: '0', part: -1 }, { type: 'part', transfer: 'none', part: 1 }]) {
    t.strictSame((await hosts.bus.request('stream.node-0.parts', { head }, { timeoutMs: 1_000 })).head, { type: 'lost' })
  }
  await job.segment(1)
  const asked = [owner.ask(1), other.ask(1)]
  await hosts.clock.advance(1_000)
  t.strictSame(
    asked.map(({ result }) => result),
    ['segment 1', 'segment 1'],
  )
  t.equal(owner.line.asked.filter((subject) => subject.startsWith('agent ')).length, 1, 'no agent is asked for what there is none of')
  await hosts.close()
})
