import t, { type Test } from 'tap'
import { reportScan } from '../../src/wiring/start-scans.ts'
import { allowed, createCluster, openNodeFixture, type NodeFixture } from '../fixtures/node-fixture.ts'

/** Follows a scan of `/films`: its printed lines so far, and its end. */
async function follow(node: NodeFixture, signal = new AbortController().signal) {
  const libraryId = await node.newLibrary('/films')
  const asked = { mode: 'incremental', paths: null, trigger: 'start', startedBy: null } as const
  const scanId = allowed(await node.scans.request(libraryId, asked, { actor: 'system', command: 'test' }))
  const lines: string[] = []
  const told = reportScan(node, { libraryId, scanId }, { clock: node.clock, signal, print: (line) => void lines.push(line) })
  return { lines, told, scanId }
}

t.test('a scan that began at the start reports its end: films and problems', async (t) => {
  const node = await openNodeFixture(t)
  node.mediaFiles.put('/films/Alien (1979).mkv')
  node.mediaFiles.put('/films/Aliens (1986).mkv')
  node.mediaFiles.put('/films/Broken (1990).mkv', { probe: 'This is no film' })
  const { lines, told, scanId } = await follow(node)
  await node.scanned(scanId)
  await node.clock.advance(1000)
  await told
  t.strictSame(lines, ['Scanned library /films: 2 films, 1 problem.', '  Broken (1990).mkv: This is no film'])
})

/** A node whose films are read only once `read` is called. */
async function slowFixture(t: Test) {
  const cluster = createCluster()
  const { promise, resolve: read } = Promise.withResolvers<void>()
  const probe = async (path: string, signal: AbortSignal) => promise.then(() => cluster.mediaFiles.probe(path, signal))
  const node = await openNodeFixture(t, { cluster, media: { ...cluster.mediaFiles, probe } })
  node.mediaFiles.put('/films/Alien (1979).mkv')
  return { node, read }
}

t.test('a long scan reports its progress, every five seconds', async (t) => {
  const { node, read } = await slowFixture(t)
  const { lines, told, scanId } = await follow(node)
  await node.clock.advance(6000)
  t.strictSame(lines, ['Scanning library /films: 0 of 1 file.'])
  read()
  await node.scanned(scanId)
  await node.clock.advance(1000)
  await told
  t.equal(lines.at(-1), 'Scanned library /films: 1 film, 0 problems.')
})

t.test('a stop ends the telling', async (t) => {
  const { node, read } = await slowFixture(t)
  const stopping = new AbortController()
  const { told } = await follow(node, stopping.signal)
  const rejected = t.rejects(told, { message: 'The server is stopping' })
  stopping.abort(new Error('The server is stopping'))
  await rejected
  read()
})
