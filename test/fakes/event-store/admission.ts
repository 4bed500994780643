/** Admits or rejects a call before it runs: an injected fault, not the leader, or no answer at all. */
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

/** Limit of the real server's web server: further calls wait until one has ended. */
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

/**
 * @returns a function that starts a call when its connection has a free slot; the function returned by that start frees the slot, once.
 * A call also ends at its deadline: the library does not report the end of a call that has not started.
 */
function createPlaces(): (call: Waiting) => () => void {
  const open = new Map<string, number>()
  const waiting = new Set<Waiting>()

  function leave(call: Waiting): void {
    if (waiting.delete(call)) return
    const next = [...waiting].find(({ peer }) => peer === call.peer)
    if (!next) return void open.set(call.peer, (open.get(call.peer) ?? 1) - 1)
    waiting.delete(next)
    next.run()
  }

  return (call) => {
    const count = open.get(call.peer) ?? 0
    if (count >= CALLS_A_CONNECTION) waiting.add(call)
    else {
      open.set(call.peer, count + 1)
      call.run()
    }
    let isLeft = false
    const end = (): void => {
      if (!isLeft) leave(call)
      isLeft = true
    }
    if (Number.isFinite(call.deadlineMs)) setTimeout(end, call.deadlineMs - Date.now()).unref()
    return end
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
