/**
 * The nodes of a cluster, played by one process: one log, one port for each node. What a node knows of the log is bounded while it
 * lags, is frozen or is cut off from the others; what a leader takes that is cut off is on that node alone, until it is taken back.
 */
import type { Faults } from './faults.ts'
import { FRAME_HEADER_BYTES } from './log-file.ts'
import { recordEvent, type NewEvent, type Recorded } from './recorded.ts'
import type { Store, Stream } from './store.ts'

export interface Node {
  /** From 1 on. */
  readonly number: number
  readonly port: number
  /** The log as this node has it. */
  readonly store: Store
  readonly isLeader: () => boolean
  readonly isFrozen: () => boolean
  /** Cut off from the others, and takes itself for the leader. */
  readonly isIsolated: () => boolean
  /** Keeps events that no other node has. */
  readonly keepAlone: (stream: string, events: readonly NewEvent[]) => void
}

export interface Nodes {
  readonly list: readonly Node[]
  /** The one that others are sent to; none during an election. */
  readonly leader: () => Node | undefined
  /** After faults were set. @returns the numbers of nodes that took back what only they had */
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
      // What is not committed is not read, until the node has come back.
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
