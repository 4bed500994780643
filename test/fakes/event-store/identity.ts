/** The server's identity: version, supported methods, and the members of its cluster. */
import { randomUUID } from 'node:crypto'
import gossip, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js'
import features, { type SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { Node, Nodes } from './nodes.ts'

/** The release that was measured. */
export const VERSION = '23.10.6'

const STREAMS_METHODS = ['read', 'append', 'delete', 'tombstone', 'batchappend']
const instances = new Map<number, string>()

/** A client uses `batchappend` if it is listed, unless it passes credentials with the append. */
export function supportedMethods(): SupportedMethods {
  const answer = new features.SupportedMethods().setEventStoreServerVersion(VERSION)
  for (const method of STREAMS_METHODS) {
    answer.addMethods(
      new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(method).setFeaturesList([]),
    )
  }
  return answer
}

/** The cluster as the asked node sees it: a node that is cut off takes itself for the leader. */
export function clusterOf(asked: Node, nodes: Nodes): ClusterInfo {
  const { FOLLOWER, LEADER, UNKNOWN } = gossip.MemberInfo.VNodeState
  const leader = asked.isIsolated() ? asked : nodes.leader()
  const members = nodes.list.map((node) =>
    new gossip.MemberInfo()
      .setInstanceId(new shared.UUID().setString(instanceAt(node.port)))
      .setTimeStamp(String(BigInt(Date.now()) * 10_000n))
      .setState(leader === undefined ? UNKNOWN : node === leader ? LEADER : FOLLOWER)
      .setIsAlive(node === asked || !(asked.isIsolated() || node.isIsolated()))
      .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(node.port)),
  )
  return new gossip.ClusterInfo().setMembersList(members)
}

function instanceAt(port: number): string {
  const instance = instances.get(port) ?? randomUUID()
  instances.set(port, instance)
  return instance
}
