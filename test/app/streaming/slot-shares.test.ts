import t, { type Test } from 'tap'
import { planStreams } from '../../../src/domain/streaming/plan.ts'
import type { StartReply } from '../../../src/app/streaming/agents/agent-protocol.ts'
import { mediaFile } from '../../fixtures/media-descriptions.ts'
import { openHosts, type HostNode, type Hosts } from './rendition-hosts.ts'
import { VIDEO, watch, type Asked } from '../../fixtures/scripted-agent.ts'

const SLOTS = 6

/** A viewer's request for a separate film; `greedy-1` is a session of the user `greedy`. */
function askFor({ host }: HostNode, name: string, viewer: string, segment = 0): Asked {
  const file = { fileId: name, path: `/${name}.mkv`, fingerprint: name, stamp: { sizeBytes: 1, modifiedAtMs: 0 } }
  const shared = host.find({ file, plan: planStreams(mediaFile(), undefined), rendition: VIDEO })
  return watch((signal) => shared.segment(segment, { viewer, signal }))
}

const running = (hosts: Hosts) => hosts.jobs.filter((job) => !job.stopped)

function openBusy(t: Test, nodes: number): Hosts {
  const hosts = openHosts(nodes, { userOf: (viewer) => viewer.split('-')[0] })
  const replies: StartReply[] = []
  // Accepts a job only while a slot is free.
  replies.shift = () => (running(hosts).length < SLOTS ? { type: 'accepted' } : { type: 'busy' })
  hosts.replies = replies
  t.teardown(() => hosts.close())
  return hosts
}

/** Sessions of one user take all slots, one after another. */
async function fill(hosts: Hosts, node: HostNode): Promise<void> {
  for (let session = 0; session < SLOTS; session++) {
    askFor(node, `film-${session}`, `greedy-${session}`)
    await hosts.clock.advance(200)
  }
}

/** All jobs make one segment after another, in real time. */
async function play(hosts: Hosts, steps: number): Promise<void> {
  const made = new Map<unknown, number>()
  for (let step = 0; step < steps; step++) {
    await hosts.clock.advance(500)
    for (const job of running(hosts)) {
      const done = made.get(job) ?? 0
      if (done > 2) continue
      made.set(job, done + 1)
      await job.segment(job.spec.startSegment + done).catch(() => undefined)
    }
    await hosts.clock.settle()
  }
}

t.test('six sessions of one user do not keep another user from a transcode slot', async (t) => {
  const hosts = openBusy(t, 1)
  const [node] = hosts.nodes as [HostNode]
  await fill(hosts, node)
  t.equal(running(hosts).length, SLOTS)
  const asked = askFor(node, 'other', 'other-0')
  await play(hosts, 6)
  t.equal(asked.result, 'segment 0')
  t.equal(hosts.jobs.filter(({ stopped }) => stopped).length, 1, 'one session gave way')
  t.equal(hosts.jobs[SLOTS - 1]?.stopped, true, 'the newest')
})

t.test('a session that gave way waits, and goes on when a slot is free again', async (t) => {
  const hosts = openBusy(t, 1)
  const [node] = hosts.nodes as [HostNode]
  await fill(hosts, node)
  askFor(node, 'other', 'other-0')
  await play(hosts, 4)
  const again = askFor(node, 'film-5', 'greedy-5')
  await hosts.clock.advance(9_000)
  t.equal(again.result, 'All transcoders are busy')
  t.equal(hosts.jobs.filter(({ stopped }) => stopped).length, 1, 'nothing goes back and forth')
  node.host.leave('other-0')
  await hosts.clock.advance(2_000)
  const now = askFor(node, 'film-5', 'greedy-5')
  await play(hosts, 4)
  t.equal(now.result, 'segment 0')
})

t.test('a user whose sessions run on another node gives up one, too', async (t) => {
  const hosts = openBusy(t, 2)
  const [greedy, other] = hosts.nodes as [HostNode, HostNode]
  await fill(hosts, greedy)
  const asked = askFor(other, 'other', 'other-0')
  await play(hosts, 8)
  t.equal(asked.result, 'segment 0')
  t.equal(hosts.jobs.filter(({ stopped }) => stopped).length, 1)
})
