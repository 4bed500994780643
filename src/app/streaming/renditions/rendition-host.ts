/**
 * Rendition host: the renditions in use on this node. Each rendition has one actor for all nodes and viewers, on the node that holds its
 * lease. The single-process setup runs the same code with one node.
 */
import type { StreamPlan } from '../../../domain/streaming/plan.ts'
import type { Rendition } from '../../../domain/streaming/rendition.ts'
import { seekFor } from '../../../domain/streaming/seek.ts'
import type { FileStamp } from '../../../vocabulary/media-description.ts'
import { omitUndefined } from '../../../vocabulary/omit-undefined.ts'
import type { Bus } from '../../../ports/bus.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Ids } from '../../../ports/ids.ts'
import type { Leases } from '../../../ports/leases.ts'
import type { AgentDirectory } from '../agents/agent-directory.ts'
import { createRunPreemption, type RunPreemption } from './run-preemption.ts'
import { createRenditionActor, type RenditionActor } from './rendition-actor.ts'
import { createRemoteRenditions, type RemoteRenditions } from './remote-rendition.ts'
import { createRenditionResponder, type RenditionResponder } from './rendition-responder.ts'
import type { JobAttachment } from '../agents/job-attachment.ts'
import type { ActorParts, RenditionWork } from '../runs/actor-state.ts'
import type { RunJournal } from '../agents/run-journal.ts'
import type { SegmentCache } from '../segments/segment-cache.ts'
import { createNodeRendition, type NodeRendition } from './node-rendition.ts'
import { cacheKeyOf } from '../segments/segment-cache-key.ts'
import type { Unavailable } from '../segments/unavailable.ts'
import type { Report } from '../../../ports/report.ts'

export interface RenditionHost {
  find(target: RenditionTarget): NodeRendition
  /** The viewer's session has ended: runs that only it needed are stopped. */
  leave(viewer: string): void
  /** Stops everything; other nodes can take over at once. */
  close(): Promise<void>
}

export interface RenditionTarget {
  readonly file: StreamedFile
  readonly plan: StreamPlan
  readonly rendition: Rendition
  /** Data that its jobs need in addition to the film. */
  readonly attachment?: (() => Promise<JobAttachment | Unavailable>) | undefined
}

export interface StreamedFile {
  readonly fileId: string
  readonly path: string
  readonly fingerprint: string
  readonly stamp: Pick<FileStamp, 'sizeBytes' | 'modifiedAtMs'>
}

export interface RenditionHostOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly ids: Ids
  readonly leases: Leases
  /** Name of this node on the bus: letters, digits, dashes. */
  readonly node: string
  /** Token with which the agent of a job fetches a film that it does not have. */
  readonly signSource: (fileId: string, jobId: string) => string
  /** The user of a session; undefined if the session is unknown here. Default: each session counts as a separate user. */
  readonly userOf?: (sessionId: string) => string | undefined
  readonly memoryCacheBytes?: number
  readonly journal?: RunJournal
  /** Reports segments that cannot be made, once each. */
  readonly onError?: Report<Error>
  readonly answerWithinMs?: number
}

interface Parts {
  readonly directory: AgentDirectory
  readonly cache: SegmentCache
}

interface State {
  readonly clock: Clock
  readonly leases: Leases
  readonly cache: SegmentCache
  readonly memoryCacheBytes: number
  readonly actorParts: ActorParts
  readonly responder: RenditionResponder
  readonly remoteRenditions: RemoteRenditions
  readonly runPreemption: RunPreemption
  readonly renditions: Map<string, HostedRendition>
  readonly closing: AbortController
}

interface HostedRendition {
  readonly node: NodeRendition
  readonly latest: Latest
}

/** A rendition as last requested: its next run reads a renamed film at the new path. */
interface Latest {
  target: RenditionTarget
}

export const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024
const MOST_AHEAD_BYTES = 64 * 1024 * 1024
/** Share of the cache that all renditions together may fill ahead of their viewers. */
const AHEAD_SHARE = 0.75
const ANSWER_WITHIN_MS = 8_000
const SWEEP_MS = 5_000

export function createRenditionHost(options: RenditionHostOptions, parts: Parts): RenditionHost {
  const runPreemption = createRunPreemption({ ...options, actors: () => actorsOf(state) })
  const state: State = {
    clock: options.clock,
    leases: options.leases,
    cache: parts.cache,
    memoryCacheBytes: options.memoryCacheBytes ?? DEFAULT_CACHE_BYTES,
    actorParts: actorPartsOf(options, { directory: parts.directory, aheadBytes: () => aheadBytes(state), reclaim: runPreemption.giveUp }),
    responder: createRenditionResponder(options),
    remoteRenditions: createRemoteRenditions(options),
    runPreemption,
    renditions: new Map(),
    closing: new AbortController(),
  }
  const stopSweep = options.clock.every(SWEEP_MS, () => sweep(state))
  return {
    find: (target) => find(state, target),
    leave(viewer) {
      for (const { node } of state.renditions.values()) node.leave(viewer)
    },
    async close() {
      stopSweep()
      state.closing.abort(new Error('The server is stopping'))
      state.remoteRenditions.close()
      state.runPreemption.close()
      const open = [...state.renditions.values()]
      state.renditions.clear()
      await Promise.all(open.map(({ node }) => node.close()))
      state.responder.close()
    },
  }
}

function actorPartsOf(
  { bus, clock, ids, node, signSource, journal, onError = () => undefined, answerWithinMs = ANSWER_WITHIN_MS }: RenditionHostOptions,
  parts: Pick<ActorParts, 'directory' | 'aheadBytes' | 'reclaim'>,
): ActorParts {
  return { bus, clock, ids, node, signSource, journal, onError, answerWithinMs, ...parts }
}

function find(state: State, target: RenditionTarget): NodeRendition {
  const { file, plan, rendition } = target
  // Without its index a film's zero is a guess, and segments made by a guess are a separate rendition; so are those of other parts.
  const key = `${file.fingerprint}/${plan.zeroMs}/${JSON.stringify(plan.parts)}/${rendition.key}`
  const known = state.renditions.get(key)
  if (known) {
    known.latest.target = target
    return known.node
  }
  const latest = { target }
  const node = open(state, latest)
  state.renditions.set(key, { node, latest })
  return node
}

function open(state: State, latest: Latest): NodeRendition {
  const { clock, leases, responder, remoteRenditions, cache, actorParts } = state
  const { onError, answerWithinMs } = actorParts
  const { file, plan, rendition } = latest.target
  const place = cacheKeyOf({ fingerprint: file.fingerprint, zeroMs: plan.zeroMs, parts: plan.parts, rendition })
  const work = workOf(latest, `${place.source}.${place.rendition}`)
  return createNodeRendition({
    clock,
    leases,
    responder,
    remoteRenditions,
    cache,
    place,
    work,
    closing: state.closing.signal,
    onError,
    answerWithinMs,
    startActor: (owned) => createRenditionActor({ ...actorParts, ...work, ...owned }),
  })
}

function workOf(latest: Latest, renditionId: string): RenditionWork {
  const { plan, rendition } = latest.target
  return {
    rendition,
    renditionId,
    source() {
      const { fileId, path, stamp } = latest.target.file
      const { sizeBytes, modifiedAtMs } = stamp
      return { fileId, path, sizeBytes, modifiedAtMs, ...omitUndefined({ parts: plan.parts }) }
    },
    zeroMs: plan.zeroMs,
    seekFor: (segment) => seekFor(plan, rendition, segment),
    attachment: async () => latest.target.attachment?.(),
  }
}

function actorsOf({ renditions }: State): readonly RenditionActor[] {
  return [...renditions.values()].flatMap(({ node }) => node.actor() ?? [])
}

/** Segments made ahead stay in memory until they are requested, whether there is a disk store or not. */
function aheadBytes(state: State): number {
  const running = actorsOf(state).filter((actor) => actor.isRunning()).length
  return Math.min(MOST_AHEAD_BYTES, (state.memoryCacheBytes * AHEAD_SHARE) / Math.max(1, running))
}

function sweep(state: State): void {
  for (const [key, { node }] of state.renditions) {
    if (!node.sweep()) continue
    state.renditions.delete(key)
    void node.close()
  }
}
