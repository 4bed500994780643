/** Converts events of EventStoreDB to the port's form, and filters out those that do not belong to the log. */
import type { Position as ServerPosition, RecordedEvent } from '@eventstore/db-client'
import { isEventType } from '../../events/catalogue.ts'
import type { JsonObject, Metadata, StoredEvent } from '../../events/envelope.ts'
import { toPosition } from '../../events/position.ts'
import { UnreadableEvent } from '../../ports/event-log.ts'

/** The item type of the driver's reads and subscriptions. */
export interface Resolved {
  readonly event?: RecordedEvent
  readonly commitPosition?: bigint
}

/** Without the server's own events (`$metadata`, `$streamDeleted`, `$>`, ...) and those of other programs. */
export function storedEvents(list: readonly Resolved[]): readonly (StoredEvent | UnreadableEvent)[] {
  return list.map(storedEvent).filter((event) => event !== undefined)
}

export const isReadable = (event: StoredEvent | UnreadableEvent): event is StoredEvent => !(event instanceof UnreadableEvent)

/** In order. @throws UnreadableEvent after those before it */
export function* readableEvents(list: readonly (StoredEvent | UnreadableEvent)[]): Generator<StoredEvent> {
  for (const event of list) {
    if (!isReadable(event)) throw event
    yield event
  }
}

function storedEvent(resolved: Resolved): StoredEvent | UnreadableEvent | undefined {
  const { event } = resolved
  if (!event || event.type.startsWith('$') || event.streamId.startsWith('$')) return undefined
  const { id, streamId: stream, revision, type, data, metadata } = event
  if (!hasBody(event)) {
    if (!isEventType(type)) return undefined
    const place = { position: toPosition(commitOf(resolved)), stream, revision: Number(revision), type }
    return new UnreadableEvent(place, 'its data or metadata is not a JSON object')
  }
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

/** Place of any event, the server's own included. Its two numbers are always equal (docs/eventstoredb.md). */
export function commitOf({ event, commitPosition }: Resolved): bigint {
  const commit = event?.position?.commit ?? commitPosition
  if (commit === undefined) throw new Error('EventStoreDB gave an event without its position')
  return commit
}

export const serverPosition = (commit: bigint): ServerPosition => ({ commit, prepare: commit })

const hasBody = ({ isJson, data, metadata }: RecordedEvent): boolean => isJson && isObject(data) && isObject(metadata)

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
