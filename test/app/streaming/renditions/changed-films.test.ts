/** Films that a scan finds renamed or replaced while they play. */
import t from 'tap'
import { jobAttachmentOf } from '../../../../src/app/streaming/agents/job-attachment.ts'
import { FILM, openHosts, sends, type HostNode } from '../rendition-hosts.ts'

async function playing() {
  const hosts = openHosts(1)
  const [node] = hosts.nodes as [HostNode]
  node.ask(0, 'olga')
  return { hosts, node, job: await sends(hosts, 0) }
}

t.test('the next run of a renamed film and its attachment are read at the new path', async (t) => {
  const { hosts, node, job } = await playing()
  t.equal(job.spec.source.path, '/film.mkv')
  const subtitle = jobAttachmentOf([Buffer.from('read at the new path')])
  node.retarget({ file: { ...FILM, path: '/renamed.mkv' }, attachment: async () => subtitle })
  const asked = node.ask(15, 'olga')
  await hosts.clock.advance(500)
  const { spec } = await sends(hosts, 15)
  t.match(spec, { source: { fileId: 'film', path: '/renamed.mkv' }, attachment: { digest: subtitle.digest } })
  t.equal(spec.rendition, job.spec.rendition)
  t.equal(asked.result, 'segment 15')
  await hosts.close()
})

t.test('a replaced film is another rendition, whose runs read the new file', async (t) => {
  const { hosts, node, job } = await playing()
  node.retarget({ file: { ...FILM, fingerprint: 'replaced', stamp: { sizeBytes: 2, modifiedAtMs: 1 } } })
  const asked = node.ask(0, 'olga')
  await hosts.clock.advance(500)
  t.equal(asked.result, undefined, 'it gets no segment of the old file')
  const { spec } = await sends(hosts, 0, 'of the new file')
  t.equal(spec.source.sizeBytes, 2)
  t.not(spec.rendition, job.spec.rendition)
  t.equal(asked.result, 'of the new file')
  await hosts.close()
})
