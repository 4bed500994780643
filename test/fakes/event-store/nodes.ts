/**
 * Simulates the nodes of a cluster in one process: one log, and one port for each node. While a node lags, is frozen or is cut off, it
 * sees only part of the log. Events that an isolated leader takes exist on that node alone, until it takes them back.
 */
import type { Faults } from './faults.ts'
import { FRAME_HEADER_BYTES } from './log-file.ts'
import { recordEvent, type NewEvent, type Recorded } from './recorded.ts'
import type { Store, Stream } from './store.ts'

export interface Node {
  /** Starting at 1. */
  readonly number: number
  readonly port: number
  /** The log as this node sees it. */
  readonly store: Store
  readonly isLeader: () => boolean
  readonly isFrozen: () => boolean
  /** Cut off from the others, and takes itself for the leader. */
  readonly isIsolated: () => boolean
  /** Stores events that no other node has. */
  readonly keepAlone: (stream: string, events: readonly NewEvent[]) => void
}

export interface Nodes {
  readonly list: readonly Node[]
  /** The node that others redirect to; undefined during an election. */
  readonly leader: () => Node | undefined
  /** Called after faults were set. @returns the numbers of nodes that took back their own events */
  readonly changed: () => readonly number[]
}

export function createNodes({ ports, store, faults }: { ports: readonly number[]; store: Store; faults: Faults }): Nodes {
  const limits = new Map<number, number>()
  const alone = new Map<number, Recorded[]>()
  const isStuck = (number: number): boolean =>
    faults.frozen === number || faults.isolated === number || (faults['followers-lag'] && faults.leader !== number)

  const nodeAt = (port: number, index: number): Node => {
    const number = index + 1
    const tail = (): readonly Recorded[] => alone.get(number) ?? []
    return {
      number,
      port,
      // Uncommitted events are not readable until the node has rejoined.
      store: storeOfNode(
        store,
        () => limits.get(number) ?? Infinity,
        () => (faults.isolated === number ? [] : tail()),
      ),
      isLeader: () => (!faults.electing && faults.leader === number) || faults.isolated === number,
      isFrozen: () => faults.frozen === number,
      isIsolated: () => faults.isolated === number,
      keepAlone(stream, events) {
        const last = tail().at(-1) ?? store.all().at(-1)
        let position = (last?.endPosition ?? 0) + FRAME_HEADER_BYTES
        let { lastRevision } = store.stream(stream)
        const records = events.map((event) => {
          const record = recordEvent(event, { position, stream, revision: (lastRevision += 1), createdMs: Date.now() })
          position = record.endPosition
          return record
        })
        alone.set(number, [...tail(), ...records])
        store.committed()
      },
    }
  }
  const list = ports.map(nodeAt)
  return {
    list,
    leader: () => list.find((node) => node.isLeader() && !node.isIsolated()),
    changed() {
      for (const { number } of list) {
        if (!isStuck(number)) limits.delete(number)
        else if (!limits.has(number)) limits.set(number, store.all().at(-1)?.position ?? -1)
      }
      const takenBack = [...alone.keys()].filter((number) => faults.isolated !== number && !faults.untruncated)
      for (const number of takenBack) alone.delete(number)
      store.committed()
      return takenBack
    },
  }
}

function storeOfNode(store: Store, limit: () => number, tail: () => readonly Recorded[]): Store {
  const isKnown = ({ position }: Recorded): boolean => position <= limit()
  const isWhole = (): boolean => limit() === Infinity && tail().length === 0
  return {
    ...store,
    all: () => (isWhole() ? store.all() : [...store.all().filter(isKnown), ...tail()]),
    stream(name): Stream {
      const stream = store.stream(name)
      if (isWhole()) return stream
      const events = [...stream.events.filter(isKnown), ...tail().filter((event) => event.stream === name)]
      return { ...stream, events, lastRevision: events.at(-1)?.revision ?? -1 }
    },
  }
}
