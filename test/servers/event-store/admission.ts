/** What a node says of a call before it looks at it: refused by a fault, not the leader, or nothing at all. */
import { ServerInterceptingCall, ServerListenerBuilder, type Metadata, type ServerInterceptor, type StatusObject } from '@grpc/grpc-js'
import type { Faults } from './faults.ts'
import type { Node, Nodes } from './nodes.ts'
import { notLeader, permissionDenied, unauthenticated, unavailable } from './refusals.ts'

export interface Admission {
  readonly faults: Faults
  readonly node: Node
  readonly nodes: Nodes
}

const GOSSIP = '/event_store.client.gossip.Gossip/Read'

export const admitting =
  (admission: Admission): ServerInterceptor =>
  ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start(next) {
        const listener = new ServerListenerBuilder()
          .withOnReceiveMetadata((metadata, take) => {
            if (admission.node.isFrozen()) return
            const refused = refusalOf(admission, path, metadata)
            if (refused) call.sendStatus(refused)
            else take(metadata)
          })
          .build()
        next(listener)
      },
    })

function refusalOf({ faults, node, nodes }: Admission, path: string, metadata: Metadata): StatusObject | undefined {
  if (faults.refuse || (path === GOSSIP && faults['gossip-fails'])) return unavailable()
  if (path === GOSSIP) return undefined
  if (faults.unauthenticated) return unauthenticated()
  if (faults.denied) return permissionDenied()
  if (node.isLeader()) return undefined
  const leader = nodes.leader()
  if (!leader) return unavailable()
  return metadata.get('requires-leader').includes('true') ? notLeader('127.0.0.1', leader.port) : undefined
}
