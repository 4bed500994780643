/** The final checks of a simulation, after a time without faults. */
import { verifyLog } from '../../src/app/operator/verification.ts'
import { START } from '../../src/events/position.ts'
import { compareWithRebuild, rebuild, type Rebuilt } from '../system/whole/whole-log.ts'
import { logins } from '../../projections/views/logins.ts'
import { playbackSessions } from '../../projections/views/playback-sessions.ts'
import { users } from '../../projections/views/users.ts'
import { collectionOf } from '../../projections/views/view.ts'
import type { ApiNode } from './api-node.ts'
import type { Cluster } from './cluster.ts'
import type { LogFacts } from './log-facts.ts'

interface Ended {
  readonly cluster: Cluster
  readonly facts: LogFacts
  readonly nodes: readonly ApiNode[]
}

export async function checkEnd(ended: Ended): Promise<void> {
  const { cluster, facts, nodes } = ended
  const { world, log, store } = cluster
  const { problems } = await verifyLog(log.raw, { step: () => {}, signal: new AbortController().signal })
  for (const { stream, revision, reason } of problems) world.fail(`${stream} ${revision}: ${reason}`)
  const rebuilt = await rebuild(facts.events)
  for (const difference of (await compareWithRebuild(store.raw, rebuilt)).differences) world.fail(difference)
  for (const node of nodes) checkNode(cluster, rebuilt, node)
  for (const [id, { endedAtMs }] of facts.sessions) {
    if (endedAtMs === undefined) world.fail(`the end of session ${id} is not written down`)
  }
  for (const { type, data } of facts.events) {
    if (type !== 'PlaybackHeartbeat' || data.positionMs < data.durationMs * 0.9) continue
    if (facts.effects(`complete ${data.sessionId}`) === 0)
      world.fail(`session ${data.sessionId} has completed its film, and the log does not say so`)
  }
}

/** A node's in-memory state must follow from the log, and nothing it waits for may be missing. */
function checkNode({ world, log }: Cluster, rebuilt: Rebuilt, { host, services, readySinceMs }: ApiNode): void {
  const { access, readYourWrites } = services
  if (readySinceMs() === undefined) world.fail(`${host.name} is not ready`)
  const head = log.all.at(-1)?.position ?? START
  for (const [view, position] of readYourWrites.positions())
    if (position < head) world.fail(`${host.name} knows ${view} up to ${position} of ${head}`)
  const held: readonly (readonly [collection: string, ReadonlyMap<string, object>])[] = [
    [collectionOf(users), access.users],
    [collectionOf(logins), access.logins],
    [collectionOf(playbackSessions), access.sessions],
  ]
  for (const [collection, documents] of held) {
    const folded = rebuilt.get(collection) ?? new Map()
    for (const id of new Set([...folded.keys(), ...documents.keys()])) {
      const [ours, theirs] = [JSON.stringify(folded.get(id)?.body), JSON.stringify(documents.get(id))]
      if (ours !== theirs) world.fail(`${host.name} holds ${collection} ${id} as ${theirs}, not as ${ours}`)
    }
  }
}
