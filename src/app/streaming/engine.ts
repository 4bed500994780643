/**
 * Streaming engine: what a film can be streamed as, its playlists, and its segments, made when they are asked for. One rendition
 * actor for each film and form, whoever watches; the work is done by transcode agents over the bus.
 */
import { mediaPlaylist, masterPlaylist, type SubtitleEntry } from '../../domain/streaming/playlist.ts'
import type { StreamPlan } from '../../domain/streaming/plan.ts'
import { segmentAt } from '../../domain/streaming/grid.ts'
import { seekFor } from '../../domain/streaming/seek.ts'
import { qualityName, type Quality } from '../../domain/streaming/stream-name.ts'
import type { Rendition } from '../../domain/streaming/rendition.ts'
import type { ClientCapabilities } from '../../events/client-capabilities.ts'
import type { FileStamp, MediaDescription, SubtitleTrack } from '../../events/media-description.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { FilmTexts } from '../../ports/film-texts.ts'
import type { Media } from '../../ports/media.ts'
import type { SegmentStore } from '../../ports/segment-store.ts'
import { createAgentDirectory, type AgentDirectory } from './agent-directory.ts'
import { createPlans, type Plans } from './plans.ts'
import { createRenditionActor, type Ask, type RenditionActor } from './rendition-actor.ts'
import { createSegmentCache, type SegmentCache } from './segment-cache.ts'
import { placeOf } from './shelf-place.ts'
import { createSubtitles, type SubtitleAnswer, type SubtitlePlace, type Subtitles } from './subtitles.ts'
import type { Unavailable } from './unavailable.ts'

/** A film file, as the files view has it. */
export interface StreamSource {
  readonly fileId: string
  readonly path: string
  readonly fingerprint: string
  readonly stamp: Pick<FileStamp, 'sizeBytes' | 'modifiedAtMs'>
  readonly media: MediaDescription
  readonly sidecars: readonly SubtitleTrack[]
  /** What the viewer's player said of itself; without it, what every player can. */
  readonly capabilities?: ClientCapabilities
}

export interface StreamingEngineOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly ids: Ids
  readonly media: Media
  readonly texts: FilmTexts
  /** Name of this node on the bus: letters, digits, dashes. */
  readonly node: string
  /** Token with which the agent of a job fetches a film that it does not have. */
  readonly signSource: (fileId: string, jobId: string) => string
  readonly memoryCacheBytes?: number
  /** Where segments are kept beyond memory and beyond this process. */
  readonly segmentStore?: SegmentStore
  /** Told of what cannot be made, once a segment. */
  readonly problem?: (cause: Error) => void
  readonly answerWithinMs?: number
}

export interface StreamingEngine {
  /** Which renditions the film has, and why. Reads the film's index the first time, for a few seconds at most. */
  plan(source: StreamSource): Promise<StreamPlan>
  /** What can be offered as WebVTT: tracks in the film, then files beside it. */
  subtitles(source: StreamSource): readonly SubtitleEntry[]
  master(source: StreamSource, token: string, ask: Ask): Promise<string>
  /** Undefined, here and below: the film has no such quality, segment or subtitle. */
  mediaPlaylist(source: StreamSource, quality: Quality, token: string): Promise<string | undefined>
  /** @throws the signal's reason when the client has gone */
  init(source: StreamSource, quality: Quality, ask: Ask): Promise<Uint8Array | Unavailable | undefined>
  /** @throws the signal's reason when the client has gone */
  segment(source: StreamSource, place: Place, ask: Ask): Promise<Uint8Array | Unavailable | undefined>
  subtitlePlaylist(source: StreamSource, index: number, token: string): string | undefined
  subtitlePiece(source: StreamSource, place: SubtitlePlace, ask: Ask): SubtitleAnswer
  subtitleWhole(source: StreamSource, index: number, ask: Ask): SubtitleAnswer
  /**
   * Starts what a viewer will ask for first: the sound, and the picture of the quality that is named, or else the one that the
   * master lists first. Nothing for a player that is to take the file itself, unless it names a quality.
   */
  prewarm(source: StreamSource, start: Start): Promise<void>
  /** The viewer's session is over: runs that only it needed are stopped. */
  leave(viewer: string): void
  /** Whether there is anybody who makes segments. */
  hasAgents(): boolean
  /** Stops everything. */
  close(): Promise<void>
}

export interface Place {
  readonly quality: Quality
  readonly segment: number
}

export interface Start {
  readonly positionMs: number
  readonly viewer: string
  readonly quality?: Quality
  /** Whether the viewer is still there once the plan is. */
  readonly wanted?: () => boolean
}

interface State {
  readonly options: StreamingEngineOptions
  readonly cache: SegmentCache
  readonly directory: AgentDirectory
  readonly subtitles: Subtitles
  readonly plans: Plans
  readonly actors: Map<string, RenditionActor>
}

const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024
const MOST_AHEAD_BYTES = 64 * 1024 * 1024
/** Share of the memory that all renditions together may fill ahead of their viewers. */
const AHEAD_SHARE = 0.75
const ANSWER_WITHIN_MS = 8_000
const SWEEP_MS = 5_000
/** A master playlist waits no longer for the bytes that its codec strings come from. */
const CODEC_WITHIN_MS = 3_000

export function createStreamingEngine(options: StreamingEngineOptions): StreamingEngine {
  const { bus, clock, media } = options
  const state: State = {
    options,
    cache: createSegmentCache({ memoryBytes: options.memoryCacheBytes ?? DEFAULT_CACHE_BYTES, store: options.segmentStore }),
    directory: createAgentDirectory({ bus, clock }),
    subtitles: createSubtitles(options),
    plans: createPlans({ media, clock }),
    actors: new Map(),
  }
  const plan = async (source: StreamSource): Promise<StreamPlan> => {
    await state.cache.ready()
    return state.plans.of(source)
  }
  const timed = async (source: StreamSource) => ({ ...source, zeroMs: (await plan(source)).zeroMs })
  const stopSweep = clock.every(SWEEP_MS, () => sweep(state))

  async function find(source: StreamSource, quality: Quality): Promise<RenditionActor | undefined> {
    const streams = await plan(source)
    const rendition = renditionOf(streams, quality)
    return rendition && actorFor(state, source, { plan: streams, rendition })
  }

  return {
    plan,
    subtitles: (source) => state.subtitles.entries(source),
    async master(source, token, ask) {
      const streams = await plan(source)
      const codecs = await codecsOf(state, source, { plan: streams, ask })
      return masterPlaylist({ plan: streams, subtitles: state.subtitles.entries(source), codecs, token })
    },
    async mediaPlaylist(source, quality, token) {
      const streams = await plan(source)
      const rendition = renditionOf(streams, quality)
      return rendition && mediaPlaylist(rendition.grid, streams.targetSeconds, token)
    },
    init: async (source, quality, ask) => (await find(source, quality))?.init(ask),
    segment: async (source, { quality, segment }, ask) => (await find(source, quality))?.segment(segment, ask),
    subtitlePlaylist: (source, index, token) => state.subtitles.playlist(source, index, token),
    subtitlePiece: async (source, place, ask) => state.subtitles.piece(await timed(source), place, ask),
    subtitleWhole: async (source, index, ask) => state.subtitles.whole(await timed(source), index, ask),
    async prewarm(source, { positionMs, viewer, quality, wanted = () => true }) {
      const streams = await plan(source)
      if (!wanted()) return
      const named = quality && streams.video.find(({ name }) => name === qualityName(quality))
      if (!named && streams.decision.method === 'direct') return
      for (const rendition of [named ?? streams.video[0], streams.audio.find((one) => one.default)]) {
        if (!rendition) continue
        actorFor(state, source, { plan: streams, rendition }).prewarm(segmentAt(rendition.grid, positionMs), viewer)
      }
    },
    leave(viewer) {
      for (const actor of state.actors.values()) actor.leave(viewer)
      state.subtitles.leave(viewer)
    },
    hasAgents: () => state.directory.any(),
    async close() {
      stopSweep()
      state.directory.close()
      state.plans.close()
      await state.subtitles.close()
      for (const actor of state.actors.values()) actor.close()
      state.actors.clear()
    },
  }
}

function renditionOf(plan: StreamPlan, quality: Quality): Rendition | undefined {
  const name = qualityName(quality)
  return [...plan.video, ...plan.audio].find((rendition) => rendition.name === name)
}

interface Chosen {
  readonly plan: StreamPlan
  readonly rendition: Rendition
}

function actorFor(state: State, source: StreamSource, { plan, rendition }: Chosen): RenditionActor {
  // Without its index a film's zero is a guess: what was made by that guess is another rendition.
  const key = `${source.fingerprint}/${plan.zeroMs}/${rendition.key}`
  const known = state.actors.get(key)
  if (known) return known
  const { answerWithinMs = ANSWER_WITHIN_MS, problem = () => undefined } = state.options
  const place = placeOf({ fingerprint: source.fingerprint, zeroMs: plan.zeroMs, rendition })
  const actor = createRenditionActor({
    ...state.options,
    directory: state.directory,
    cache: state.cache,
    place,
    rendition,
    renditionId: `${place.source}.${place.rendition}`,
    epoch: 1,
    source: { fileId: source.fileId, path: source.path, sizeBytes: source.stamp.sizeBytes, modifiedAtMs: source.stamp.modifiedAtMs },
    zeroMs: plan.zeroMs,
    seekFor: (segment) => seekFor(plan, rendition, segment),
    aheadBytes: () => aheadBytes(state),
    answerWithinMs,
    reclaim: () => reclaim(state),
    report: problem,
  })
  state.actors.set(key, actor)
  return actor
}

/** What is made ahead stays in memory until it is asked for, whatever there is on disk. */
function aheadBytes({ actors, options: { memoryCacheBytes = DEFAULT_CACHE_BYTES } }: State): number {
  let running = 0
  for (const actor of actors.values()) if (actor.isRunning()) running++
  return Math.min(MOST_AHEAD_BYTES, (memoryCacheBytes * AHEAD_SHARE) / Math.max(1, running))
}

/** Gives up the held run of those who asked for nothing the longest. */
function reclaim({ actors }: State): boolean {
  let longest: { readonly actor: RenditionActor; readonly since: number } | undefined
  for (const actor of actors.values()) {
    const since = actor.heldSince()
    if (since !== undefined && (!longest || since < longest.since)) longest = { actor, since }
  }
  return longest?.actor.giveUpHeld() ?? false
}

function sweep({ actors }: State): void {
  for (const [key, actor] of actors) {
    if (!actor.sweep()) continue
    actor.close()
    actors.delete(key)
  }
}

interface Wanted {
  readonly plan: StreamPlan
  readonly ask: Ask
}

/** Codec strings that only made bytes tell: those of copied pictures whose container does not. */
async function codecsOf(state: State, source: StreamSource, { plan, ask }: Wanted): Promise<ReadonlyMap<string, string>> {
  const codecs = new Map<string, string>()
  for (const rendition of plan.video) {
    if (rendition.isCodecExact) continue
    const actor = actorFor(state, source, { plan, rendition })
    if (!actor.codec()) await actor.init({ ...ask, withinMs: CODEC_WITHIN_MS })
    const codec = actor.codec()
    if (codec) codecs.set(rendition.name, codec)
  }
  return codecs
}
