import t from 'tap'
import { planStreams } from '../../../../src/domain/streaming/plan.ts'
import { mediaFile } from '../../../fixtures/media-descriptions.ts'
import { openHosts, sends, type HostNode } from '../rendition-hosts.ts'
import { audioOf, watch } from '../../../fixtures/scripted-agent.ts'

/** A request for another film. */
function askOther({ host }: HostNode, segment: number) {
  const file = { fileId: 'other', path: '/other.mkv', fingerprint: 'other', stamp: { sizeBytes: 1, modifiedAtMs: 0 } }
  const shared = host.find({ file, plan: planStreams(mediaFile(), undefined), rendition: audioOf(20) })
  return watch((signal) => shared.segment(segment, { viewer: 'ben', signal }))
}

t.test('where all agents are busy with held runs of another node, one of those is given up for who waits', async (t) => {
  const hosts = openHosts(3)
  const [paused, ...others] = hosts.nodes as [HostNode, HostNode, HostNode]
  paused.ask(0, 'olga')
  const held = await sends(hosts, 0)
  await held.segments(1, 6)
  hosts.replies = [{ type: 'busy' }, { type: 'busy' }]
  const asked = askOther(others[0], 0)
  await hosts.clock.advance(1_200)
  t.equal(held.stopped, true)
  await hosts.newest().segment(0, 'of the other film')
  await hosts.clock.settle()
  t.equal(asked.result, 'of the other film')
  t.strictSame([hosts.jobs.length, hosts.newest().stopped], [2, false])
  await hosts.close()
})

t.test('a run that is not held is given up for nobody, and nobody is asked again and again for it', async (t) => {
  const hosts = openHosts(2)
  const [busy, other] = hosts.nodes as [HostNode, HostNode]
  busy.ask(0, 'olga')
  const job = await sends(hosts, 0)
  hosts.replies = Array.from({ length: 20 }, () => ({ type: 'busy' }) as const)
  const asked = askOther(other, 0)
  await hosts.clock.advance(2_000)
  t.strictSame([asked.result, job.stopped], [undefined, false])
  t.ok(other.line.asked.filter((subject) => subject.startsWith('rendition-runs')).length <= 20)
  await hosts.close()
})
