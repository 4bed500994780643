/** A node's state of one rendition, on its owner and elsewhere: cache, viewers, init segment, and the actor while that runs here. */
import { segmentCount, startOf } from '../../../domain/streaming/segment-grid.ts'
import type { Rendition } from '../../../domain/streaming/rendition.ts'
import type { LruCache } from '../../../concurrency/lru-cache.ts'
import type { Clock } from '../../../ports/clock.ts'
import { INIT, type RenditionCache } from '../../../ports/segment-store.ts'
import { formOf, packInit, unpackInit, type Init } from '../segments/init-record.ts'
import type { RemoteRenditions } from './remote-rendition.ts'
import type { RenditionOwnership } from './rendition-ownership.ts'
import type { Form } from './rendition-protocol.ts'
import type { Viewers } from '../runs/viewers.ts'
import { LEAST_LEAD_MS } from '../runs/demand.ts'
import type { Report } from '../../../ports/report.ts'

/** What the renditions of a node have in common. */
export interface NodeParts {
  readonly clock: Clock
  readonly remoteRenditions: RemoteRenditions
  /** Aborts when the node stops. */
  readonly closing: AbortSignal
  readonly onError: Report<Error>
  readonly answerWithinMs: number
}

export interface NodeState extends NodeParts {
  readonly rendition: Rendition
  readonly renditionId: string
  readonly ownership: RenditionOwnership
  readonly viewers: Viewers
  readonly renditionCache: RenditionCache
  /** Viewers that this node serves from its cache, with their segments, to be reported to the owner. */
  readonly unreported: LruCache<number>
  isReporting: boolean
  /** Used while the actor runs elsewhere. */
  init: Init | undefined
  usedAt: number
}

/** The init segment in this node's cache. */
export async function recallInit(node: NodeState): Promise<Init | undefined> {
  const kept = node.init || !node.renditionCache.has(INIT) ? undefined : await node.renditionCache.get(INIT)
  node.init ??= kept && unpackInit(kept)
  return node.init
}

/** Caches the owner's init segment. Segments that belong to another init segment are dropped. */
export function keepInit(node: NodeState, init: Init): void {
  if (node.init && formOf(node.rendition, node.init) !== formOf(node.rendition, init)) node.renditionCache.clear()
  node.init = init
  node.renditionCache.put(INIT, packInit(init))
}

/** Whether the owner's segments match those in the cache; if not, the cache is cleared. */
export async function keepMatchingCache(node: NodeState, form: Form): Promise<boolean> {
  const known = await recallInit(node)
  // If the rendition has moved here meanwhile, its actor takes care of the cache.
  if (node.ownership.actor() || form === null || (known && formOf(node.rendition, known) === form)) return true
  if (known) node.renditionCache.clear()
  node.init = undefined
  return false
}

/** Whether a viewer at a segment will soon need one that is not cached here. */
export function lacksAhead({ rendition: { grid }, renditionCache }: NodeState, from: number): boolean {
  const untilMs = startOf(grid, from) + LEAST_LEAD_MS
  for (let segment = from; segment < segmentCount(grid) && startOf(grid, segment) < untilMs; segment++) {
    if (!renditionCache.has(segment)) return true
  }
  return false
}
