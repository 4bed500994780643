/**
 * A fake of EventStoreDB 23.10.6 (insecure; one node, or a cluster of several in one process) for the real client. It behaves as measured
 * on the real server (docs/eventstoredb.md).
 * `node main.ts --port N --folder D [--more-ports N,N] [--faults name,name=value] [--with-parent]` prints one line when it is ready. With
 * `--with-parent` it also ends when the process that started it has ended, for any reason.
 *
 * Limits: no TLS, no users and access rules, no persistent subscriptions, no projections (`$ce`, `$by`), no `resolveLinkTos`, no AtomPub,
 * no
 * statistics events, and no limits other than the size of an append. All events stay in memory. Acknowledged events survive the process,
 * but not a power loss. An append to a softly deleted stream lifts the deletion at once, where the real server takes a moment. A scavenge
 * writes two events, not eight. It starts and ends at once, where the real one takes seconds.
 *
 * Not measured, but written from memory of the real server's source: how plain Append rejects a bad id or an empty stream name; the reply
 * to an empty append to an existing stream; ids with ANY that are partly known; the expected revision of deletions; that a metastream shows
 * only its last event; the error of `refuse`; and that ids of scavenged events are forgotten at the end of the process.
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

/** Longest wait for clients that do not react to the end of their calls. */
const END_MS = 2_000
const PARENT_LOOK_EVERY_MS = 1_000

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '2113' },
    /** Ports of the other nodes of a cluster. */
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
