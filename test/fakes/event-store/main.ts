/**
 * A stand-in for EventStoreDB 23.10.6 (one node, or a cluster of several played by one process, insecure) that the real client talks to, built to what was measured on the real
 * server (docs/eventstoredb.md). `node main.ts --port N --folder D [--more-ports N,N] [--faults name,name=value] [--with-parent]`; prints
 * one line when it is ready. With its parent it ends, too, when the process that started it has ended, however that came.
 *
 * What it is not: no TLS, no users and access rules, no persistent subscriptions, no projections (`$ce`, `$by`), no
 * `resolveLinkTos`, no AtomPub, no statistics events, no limits other than those of an append's size. All events stay in memory.
 * What it acknowledged outlives its process, not a power loss. Appending to a softly deleted stream lifts the deletion at once,
 * where the real server takes a moment; a scavenge writes two events, not eight. It starts and ends at once, where the real one
 * takes seconds.
 *
 * Never measured, but made as the real server's source is remembered: how plain Append refuses a bad id or an empty stream name,
 * what an empty append answers on a stream that exists, ids with ANY in part known, the expected revision of deletions, that of a
 * metastream only the last event is read, `refuse`'s error, and that ids of scavenged events are forgotten with the process.
 */
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ServerCredentials } from '@grpc/grpc-js'
import { createConnections, type Connections } from './connections.ts'
import { createFaults } from './faults.ts'
import { createHttp } from './http.ts'
import { openLogFile } from './log-file.ts'
import { createNodes, type Node } from './nodes.ts'
import { createScavenger } from './scavenge.ts'
import { createService } from './service.ts'
import { createStore } from './store.ts'
import { createWriter, metadataEvent } from './writer.ts'

/** At most, for clients that do not take the end of their calls. */
const END_MS = 2_000
const PARENT_LOOK_EVERY_MS = 1_000

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '2113' },
    /** Of the other nodes of a cluster. */
    'more-ports': { type: 'string', default: '' },
    folder: { type: 'string' },
    faults: { type: 'string', default: '' },
    'with-parent': { type: 'boolean', default: false },
  },
})
const folder = values.folder
if (folder === undefined) throw new Error('--folder says where the log is kept')

const port = Number(values.port)
const otherPorts = values['more-ports'].split(',').filter((text) => text !== '')
const faults = createFaults(values.faults)
mkdirSync(folder, { recursive: true })
const { file, records, endPosition } = openLogFile(folder)
const store = createStore()
store.add(records)
const writer = createWriter({ store, file, endPosition })
const scavenge = createScavenger({ store, writer })

// The real server writes this at its first start.
if (records.length === 0) await writer.append(`$$$stats-127.0.0.1:${port}`, 'any', [metadataEvent('{"$maxAge":86400}')])

const nodes = createNodes({ ports: [port, ...otherPorts.map(Number)], store, faults })
const underway = new Set<string>()
const everyNode = await Promise.all(nodes.list.map(openNode))

async function openNode(node: Node): Promise<Connections> {
  const connections = createConnections({
    http1: (socket) => http.emit('connection', socket),
    http2: (socket) => injector.injectConnection(socket),
  })
  const faultsSet = () => nodes.changed().forEach((number) => void setImmediate(() => everyNode[number - 1]?.cutAll()))
  const http = createHttp({ faults, faultsSet, cutAll: connections.cutAll, scavenge, endPosition: writer.endPosition, port: node.port })
  const service = createService({ node, nodes, writer, faults, cut: connections.cut, underway })
  const injector = service.createConnectionInjector(ServerCredentials.createInsecure())
  await connections.listen(node.port)
  return connections
}

console.log(`EventStoreDB stand-in ready on ${port}`)

const parent = process.ppid
if (values['with-parent']) setInterval(() => process.ppid === parent || process.exit(1), PARENT_LOOK_EVERY_MS)

process.once('SIGTERM', () => {
  setTimeout(() => process.exit(0), END_MS)
  void Promise.all(everyNode.map(({ endAll }) => endAll())).then(() => process.exit(0))
})
