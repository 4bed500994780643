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

/** Of the real server's web server: further ones wait until one has ended. */
const CALLS_A_CONNECTION = 100

export function admitting(admission: Admission): ServerInterceptor {
  const begin = createPlaces()
  return ({ path }, call) => {
    const peer = call.getPeer()
    let leave = () => {}
    return new ServerInterceptingCall(call, {
      start(next) {
        const listener = new ServerListenerBuilder()
          .withOnCancel(() => leave())
          .withOnReceiveMetadata((metadata, take) => {
            if (admission.node.isFrozen()) return
            const refused = refusalOf(admission, path, metadata)
            if (refused) call.sendStatus(refused)
            else take(metadata)
          })
          .build()
        leave = begin({ peer, deadlineMs: Number(call.getDeadline()), run: () => next(listener) })
      },
      sendStatus(status, next) {
        leave()
        next(status)
      },
    })
  }
}

interface Waiting {
  readonly peer: string
  readonly deadlineMs: number
  readonly run: () => void
}

/** @returns a function that begins a call when its connection has a place; what that returns gives the place back, once */
function createPlaces(): (call: Waiting) => () => void {
  const open = new Map<string, number>()
  let waiting: readonly Waiting[] = []

  function leave(peer: string): void {
    waiting = waiting.filter(({ deadlineMs }) => deadlineMs > Date.now())
    const next = waiting.find((call) => call.peer === peer)
    waiting = waiting.filter((call) => call !== next)
    if (next) next.run()
    else open.set(peer, (open.get(peer) ?? 1) - 1)
  }

  return (call) => {
    const count = open.get(call.peer) ?? 0
    if (count < CALLS_A_CONNECTION) {
      open.set(call.peer, count + 1)
      call.run()
    } else waiting = [...waiting, call]
    let isLeft = false
    return () => {
      if (!isLeft) leave(call.peer)
      isLeft = true
    }
  }
}

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
