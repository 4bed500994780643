/** The gRPC services that a client of a single node uses: ServerFeatures, Gossip, Streams. */
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js'
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js'
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js'
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  DeleteReq,
  DeleteResp,
  ReadReq,
  TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb.js'
import {
  Server,
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
} from '@grpc/grpc-js'
import { admitting } from './admission.ts'
import { takeAppend } from './appends.ts'
import { takeBatchAppend } from './batch-appends.ts'
import type { AppendDeps } from './carrying-out.ts'
import { takeDelete, takeTombstone } from './deletions.ts'
import { clusterOf, supportedMethods } from './identity.ts'
import { sized, type Sized } from './message-size.ts'
import type { Node, Nodes } from './nodes.ts'
import { answerRead, type Answer } from './reads.ts'
import { handlerThrew } from './refusals.ts'
import { answerSubscription } from './subscriptions.ts'

export interface ServiceDeps extends AppendDeps {
  readonly node: Node
  readonly nodes: Nodes
}

/** Large enough that `message-size.ts` rejects large messages first. */
const LIBRARY_MAX_BYTES = 64 * 1024 * 1024

export function createService(deps: ServiceDeps): Server {
  const server = new Server({ 'grpc.max_receive_message_length': LIBRARY_MAX_BYTES, interceptors: [admitting(deps)] })
  const getSupportedMethods: handleUnaryCall<Empty, SupportedMethods> = (_call, answer) => answer(null, supportedMethods())
  const read: handleUnaryCall<Empty, ClusterInfo> = (_call, answer) => answer(null, clusterOf(deps.node, deps.nodes))
  server.addService(ServerFeaturesService, { getSupportedMethods })
  server.addService(GossipService, { read })
  server.addService(streamsService(), streamsHandlers(deps))
  return server
}

/** Sends events in their stored encoding; a message that is too large reaches its handler as such. */
const streamsService = () => ({
  ...StreamsService,
  append: { ...StreamsService.append, requestDeserialize: sized(StreamsService.append.requestDeserialize) },
  batchAppend: { ...StreamsService.batchAppend, requestDeserialize: sized(StreamsService.batchAppend.requestDeserialize) },
  read: {
    ...StreamsService.read,
    responseSerialize: (answer: Answer) => (Buffer.isBuffer(answer) ? answer : StreamsService.read.responseSerialize(answer)),
  },
})

function streamsHandlers(deps: ServiceDeps) {
  const { writer } = deps
  const append: handleClientStreamingCall<Sized<AppendReq>, AppendResp> = (call, answer) => takeAppend(deps, call, answer)
  const read: handleServerStreamingCall<ReadReq, Answer> = (call) => void takeRead(deps, call)
  const remove: handleUnaryCall<DeleteReq, DeleteResp> = (call, answer) => void takeDelete(writer, call, answer)
  const tombstone: handleUnaryCall<TombstoneReq, TombstoneResp> = (call, answer) => void takeTombstone(writer, call, answer)
  const batchAppend: handleBidiStreamingCall<Sized<BatchAppendReq>, BatchAppendResp> = (call) => takeBatchAppend(deps, call)
  return { append, batchAppend, read, delete: remove, tombstone }
}

async function takeRead(deps: ServiceDeps, call: Parameters<handleServerStreamingCall<ReadReq, Answer>>[0]): Promise<void> {
  const options = call.request.getOptions()
  try {
    if (!options) throw new Error('A read without options')
    if (options.hasSubscription()) await answerSubscription(call, { store: deps.node.store, faults: deps.faults }, options)
    else await answerRead(call, deps.node.store, options)
  } catch {
    call.emit('error', handlerThrew())
  }
}
