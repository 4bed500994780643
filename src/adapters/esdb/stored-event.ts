/** Events of EventStoreDB as the port gives them back, and which of them are the log's at all. */
import type { Position as ServerPosition, RecordedEvent } from '@eventstore/db-client'
import type { JsonObject, Metadata, StoredEvent } from '../../events/envelope.ts'
import { toPosition } from '../../events/position.ts'

/** What the driver's reads and subscriptions give. */
export interface Resolved {
  readonly event?: RecordedEvent
  readonly commitPosition?: bigint
}

/** Without the server's own events (`$metadata`, `$streamDeleted`, `$>`, ...) and those of other programs. */
export function storedEvents(list: readonly Resolved[]): readonly StoredEvent[] {
  return list.map(storedEvent).filter((event) => event !== undefined)
}

function storedEvent(resolved: Resolved): StoredEvent | undefined {
  const { event } = resolved
  if (!event || !isOurs(event)) return undefined
  const { id, streamId: stream, revision, type, data, metadata } = event
  return {
    id,
    type,
    data: data as JsonObject,
    metadata: metadata as Metadata,
    stream,
    revision: Number(revision),
    position: toPosition(commitOf(resolved)),
  }
}

/** Where any event stands, the server's own too. Its two numbers are always equal (docs/eventstoredb.md). */
export function commitOf({ event, commitPosition }: Resolved): bigint {
  const commit = event?.position?.commit ?? commitPosition
  if (commit === undefined) throw new Error('EventStoreDB gave an event without its position')
  return commit
}

export const serverPosition = (commit: bigint): ServerPosition => ({ commit, prepare: commit })

function isOurs({ streamId, type, isJson, data, metadata }: RecordedEvent): boolean {
  return !type.startsWith('$') && !streamId.startsWith('$') && isJson && isObject(data) && isObject(metadata)
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
