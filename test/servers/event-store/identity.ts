/** What the server says that it is: version, methods, the one member of its cluster. */
import { randomUUID } from 'node:crypto'
import gossip, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js'
import features, { type SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'

/** The release that was measured. */
export const VERSION = '23.10.6'

const STREAMS_METHODS = ['read', 'append', 'delete', 'tombstone', 'batchappend']
const instance = randomUUID()

/** A client appends by `batchappend` where it is listed, unless it passes credentials with the append. */
export function supportedMethods(): SupportedMethods {
  const answer = new features.SupportedMethods().setEventStoreServerVersion(VERSION)
  for (const method of STREAMS_METHODS) {
    answer.addMethods(
      new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(method).setFeaturesList([]),
    )
  }
  return answer
}

export function clusterOf(port: number): ClusterInfo {
  const member = new gossip.MemberInfo()
    .setInstanceId(new shared.UUID().setString(instance))
    .setTimeStamp(String(BigInt(Date.now()) * 10_000n))
    .setState(gossip.MemberInfo.VNodeState.LEADER)
    .setIsAlive(true)
    .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port))
  return new gossip.ClusterInfo().setMembersList([member])
}
