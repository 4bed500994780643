/**
 * Serves one rendition on this node. Cached segments are served at once. The rest comes from the rendition's actor, on this node or
 * another; if it runs nowhere, this node starts it.
 */
import { segmentCount } from '../../../domain/streaming/segment-grid.ts'
import { createLruCache } from '../../../concurrency/lru-cache.ts'
import { ServerUnavailable } from '../../../ports/server.ts'
import type { Leases } from '../../../ports/leases.ts'
import { INIT, type RenditionCacheKey, type SegmentFile } from '../../../ports/segment-store.ts'
import type { OwnedActorOptions, RenditionWork } from '../runs/actor-state.ts'
import { keepMatchingCache, lacksAhead, recallInit, type NodeParts, type NodeState } from './node-state.ts'
import { REMEMBER_MS, type Ask, type RenditionActor } from './rendition-actor.ts'
import type { Answer } from './remote-rendition.ts'
import { createRenditionOwnership } from './rendition-ownership.ts'
import type { RenditionResponder } from './rendition-responder.ts'
import { search } from './rendition-request.ts'
import type { SegmentCache } from '../segments/segment-cache.ts'
import { createIframes } from './iframes.ts'
import { missing, type Unavailable } from '../segments/unavailable.ts'
import { createViewers, nearTo } from '../runs/viewers.ts'

export interface NodeRendition {
  /** @throws the signal's reason when the client has disconnected */
  init(ask: Ask): Promise<Uint8Array | Unavailable>
  /** Undefined for numbers beyond the last segment. @throws the signal's reason when the client has disconnected */
  segment(segment: number, ask: Ask): Promise<Answer>
  /** The file of a segment in this node's cache. If there is one, the viewer counts as served; otherwise nothing happens. */
  file(segment: number, viewer: string): SegmentFile | undefined
  /** The first frame of a segment, as a segment; otherwise like `segment`. The viewer's position does not change. */
  still(segment: number, ask: Ask): Promise<Answer>
  /** Starts the work that a viewer will request first. */
  prewarm(segment: number, viewer: string): void
  leave(viewer: string): void
  /** Codec string from the init segment's bytes, once this node knows them. */
  codec(): string | undefined
  /** Undefined while it runs elsewhere. */
  actor(): RenditionActor | undefined
  /** Stops unneeded runs. True if there is nothing left to do here. */
  sweep(): boolean
  close(): Promise<void>
}

export interface NodeRenditionOptions extends NodeParts {
  readonly leases: Leases
  readonly responder: RenditionResponder
  readonly cache: SegmentCache
  readonly place: RenditionCacheKey
  readonly work: RenditionWork
  readonly startActor: (options: OwnedActorOptions) => RenditionActor
}

const UNREPORTED_MAX = 1_000

export function createNodeRendition(options: NodeRenditionOptions): NodeRendition {
  const node = createNodeState(options)
  const { ownership, viewers, renditionCache, clock, answerWithinMs } = node
  const iframes = createIframes({ clock, renditionCache, answerWithinMs, make: (segment, ask) => search(node, segment, ask) })
  return {
    async init(ask) {
      node.usedAt = clock.monotonic()
      const known = ownership.actor() ? undefined : await recallInit(node)
      return known?.bytes ?? (await search(node, INIT, ask)) ?? missing('The film has nothing at this position')
    },
    segment: (segment, ask) => give(node, segment, ask),
    file(segment, viewer) {
      const file = isIn(node, segment) ? node.renditionCache.file?.(segment) : undefined
      if (!file) return undefined
      node.usedAt = clock.monotonic()
      report(node, segment, viewer)
      return file
    },
    async still(segment, ask) {
      if (!isIn(node, segment)) return undefined
      node.usedAt = clock.monotonic()
      return iframes.give(segment, ask)
    },
    prewarm(segment, viewer) {
      node.usedAt = clock.monotonic()
      report(node, segment, viewer)
    },
    leave(viewer) {
      node.unreported.remove(viewer)
      const actor = ownership.actor()
      if (actor) actor.leave(viewer)
      else viewers.left(viewer)
    },
    codec: () => (ownership.actor()?.knownInit() ?? node.init)?.codec,
    actor: () => ownership.actor(),
    sweep: () => ownership.actor()?.sweep() ?? clock.monotonic() - node.usedAt > REMEMBER_MS,
    async close() {
      await ownership.close()
      renditionCache.close()
    },
  }
}

function createNodeState(options: NodeRenditionOptions): NodeState {
  const { clock, remoteRenditions, closing, onError, answerWithinMs, leases, responder, startActor } = options
  const { rendition, renditionId } = options.work
  const viewers = createViewers(clock)
  const renditionCache = options.cache.open(options.place, () => nearTo(viewers, rendition.grid))
  const ownership = createRenditionOwnership({
    rendition,
    renditionId,
    leases,
    responder,
    start: (epoch, superseded) => startActor({ epoch, superseded, viewers, renditionCache }),
    ended: (actor) => void (node.init = actor.knownInit()),
  })
  const node: NodeState = {
    clock,
    remoteRenditions,
    closing,
    onError,
    answerWithinMs,
    rendition,
    renditionId,
    ownership,
    viewers,
    renditionCache,
    unreported: createLruCache(UNREPORTED_MAX),
    isReporting: false,
    init: undefined,
    usedAt: clock.monotonic(),
  }
  return node
}

const isIn = ({ rendition }: NodeState, segment: number): boolean => segment >= 0 && segment < segmentCount(rendition.grid)

async function give(node: NodeState, segment: number, ask: Ask): Promise<Answer> {
  if (!isIn(node, segment)) return undefined
  node.usedAt = node.clock.monotonic()
  if (node.ownership.actor()) return search(node, segment, ask)
  node.viewers.moved(ask.viewer, segment)
  const kept = await node.renditionCache.get(segment, ask.until)
  if (!kept) return search(node, segment, ask)
  report(node, segment, ask.viewer)
  return kept
}

/** Reports the position of a viewer that is served from the cache, so that the actor makes the next segments in time. */
function report(node: NodeState, segment: number, viewer: string): void {
  const actor = node.ownership.actor()
  if (actor) return actor.prewarm(segment, viewer)
  node.viewers.moved(viewer, segment)
  node.unreported.put(viewer, segment)
  if (!node.isReporting) void reportAll(node)
}

async function reportAll(node: NodeState): Promise<void> {
  const { unreported } = node
  node.isReporting = true
  try {
    for (let [next] = unreported.entries(); next && !node.closing.aborted; [next] = unreported.entries()) {
      const [viewer, segment] = next
      unreported.remove(viewer)
      await reportOne(node, segment, viewer)
    }
  } catch (cause) {
    // If a report is lost, the viewer's next request for a missing segment corrects it.
    unreported.clear()
    if (!(cause instanceof ServerUnavailable) && !node.closing.aborted && cause instanceof Error) node.onError(cause, 'warn')
  } finally {
    node.isReporting = false
  }
}

async function reportOne(node: NodeState, segment: number, viewer: string): Promise<void> {
  const actor = node.ownership.actor()
  if (actor) return actor.prewarm(segment, viewer)
  const reply = await node.remoteRenditions.ask(node.renditionId, { type: 'seen', viewer, segment }, node.closing)
  if (reply.type === 'noted') await keepMatchingCache(node, reply.form)
  const lacking = reply.type === 'nobody' && lacksAhead(node, segment)
  if (lacking) (await node.ownership.acquire())?.prewarm(segment, viewer)
}
