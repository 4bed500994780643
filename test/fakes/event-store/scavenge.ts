/**
 * Scavenging: permanently removes events that no read of their stream returns. A tombstoned stream keeps only its tombstone, any other
 * at least its last event, like on the real server. Start and end are events in `$scavenges-<id>`.
 */
import { randomUUID } from 'node:crypto'
import { DELETED_REVISION, type NewEvent, type Recorded } from './recorded.ts'
import { visible, type Store } from './store.ts'
import type { Writer } from './writer.ts'

export interface Scavenge {
  readonly scavengeId: string
  readonly done: Promise<void>
}

/** @returns a function that starts a scavenge */
export function createScavenger({ store, writer }: { store: Store; writer: Writer }): () => Scavenge {
  return () => {
    const scavengeId = randomUUID()
    return { scavengeId, done: scavenge(store, writer, scavengeId) }
  }
}

async function scavenge(store: Store, writer: Writer, scavengeId: string): Promise<void> {
  const stream = `$scavenges-${scavengeId}`
  await writer.append(stream, 'any', [scavengeEvent('$scavengeStarted', { scavengeId })])
  await writer.keep((events) => kept(store, events))
  await writer.append(stream, 'any', [scavengeEvent('$scavengeCompleted', { scavengeId, result: 'Success' })])
}

function kept(store: Store, events: readonly Recorded[]): readonly Recorded[] {
  const nowMs = Date.now()
  const names = new Set(events.map(({ stream }) => stream))
  return [...names]
    .flatMap((name) => keptOf(store, name, nowMs))
    .concat(events.filter(isTombstone))
    .sort((a, b) => a.position - b.position)
}

function keptOf(store: Store, name: string, nowMs: number): readonly Recorded[] {
  const stream = store.stream(name)
  const seen = visible(stream, nowMs)
  return seen.length > 0 || stream.tombstoned ? seen : stream.events.slice(-1)
}

const isTombstone = ({ revision }: Recorded): boolean => revision === DELETED_REVISION

const scavengeEvent = (type: string, data: object): NewEvent => ({
  id: randomUUID(),
  type,
  contentType: 'application/json',
  data: Buffer.from(JSON.stringify(data)),
  metadata: new Uint8Array(),
})
