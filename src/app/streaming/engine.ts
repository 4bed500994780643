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
import type { MediaDescription, SubtitleTrack } from '../../events/media-description.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Media } from '../../ports/media.ts'
import { createAgentDirectory, type AgentDirectory } from './agent-directory.ts'
import { createPlans, type Plans } from './plans.ts'
import { createRenditionActor, type Ask, type RenditionActor } from './rendition-actor.ts'
import { createMemoryCache, type SegmentCache } from './segment-cache.ts'
import { createSubtitles, type Subtitles } from './subtitles.ts'
import type { Unavailable } from './unavailable.ts'

/** A film file, as the files view has it. */
export interface StreamSource {
  readonly fileId: string
  readonly path: string
  readonly fingerprint: string
  readonly media: MediaDescription
  readonly sidecars: readonly SubtitleTrack[]
}

export interface StreamingEngineOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly ids: Ids
  readonly media: Media
  /** Name of this node on the bus: letters, digits, dashes. */
  readonly node: string
  readonly memoryCacheBytes?: number
  readonly answerWithinMs?: number
}

export interface StreamingEngine {
  /** Which renditions the film has, and why. Reads the film's index the first time, for a few seconds at most. */
  plan(source: StreamSource): Promise<StreamPlan>
  /** What can be offered as WebVTT; `index` is the place in `sidecars`. */
  subtitles(source: StreamSource): readonly SubtitleEntry[]
  master(source: StreamSource, token: string, ask: Ask): Promise<string>
  /** Undefined, here and below: the film has no such quality, segment or subtitle. */
  mediaPlaylist(source: StreamSource, quality: Quality, token: string): Promise<string | undefined>
  /** @throws the signal's reason when the client has gone */
  init(source: StreamSource, quality: Quality, ask: Ask): Promise<Uint8Array | Unavailable | undefined>
  /** @throws the signal's reason when the client has gone */
  segment(source: StreamSource, place: Place, ask: Ask): Promise<Uint8Array | Unavailable | undefined>
  subtitlePlaylist(source: StreamSource, index: number, token: string): string | undefined
  subtitlePiece(source: StreamSource, index: number, piece: number): Promise<string | undefined>
  subtitleWhole(source: StreamSource, index: number): Promise<string | undefined>
  /** Starts what a viewer will ask for first: the best picture and the sound, unless a quality is named. */
  prewarm(source: StreamSource, start: Start): Promise<void>
  /** The viewer's session is over: runs that only it needed are stopped. */
  leave(viewer: string): void
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
/** Share of the cache that one rendition may fill ahead of its viewers. */
const AHEAD_SHARE = 0.25
const ANSWER_WITHIN_MS = 8_000
const SWEEP_MS = 5_000
/** A master playlist waits no longer for the bytes that its codec strings come from. */
const CODEC_WITHIN_MS = 3_000

export function createStreamingEngine(options: StreamingEngineOptions): StreamingEngine {
  const { bus, clock, media } = options
  const state: State = {
    options,
    cache: createMemoryCache(options.memoryCacheBytes ?? DEFAULT_CACHE_BYTES),
    directory: createAgentDirectory({ bus, clock }),
    subtitles: createSubtitles(media),
    plans: createPlans({ media, clock }),
    actors: new Map(),
  }
  const plan = (source: StreamSource): Promise<StreamPlan> => state.plans.of(source)
  const stopSweep = clock.every(SWEEP_MS, () => sweep(state))

  async function find(source: StreamSource, quality: Quality): Promise<RenditionActor | undefined> {
    const streams = await plan(source)
    const rendition = renditionOf(streams, quality)
    return rendition && actorFor(state, source, { plan: streams, rendition })
  }

  return {
    plan,
    subtitles: ({ sidecars }) => state.subtitles.entries(sidecars),
    async master(source, token, ask) {
      const streams = await plan(source)
      const codecs = await codecsOf(state, source, { plan: streams, ask })
      return masterPlaylist({ plan: streams, subtitles: state.subtitles.entries(source.sidecars), codecs, token })
    },
    async mediaPlaylist(source, quality, token) {
      const streams = await plan(source)
      const rendition = renditionOf(streams, quality)
      return rendition && mediaPlaylist(rendition.grid, streams.targetSeconds, token)
    },
    init: async (source, quality, ask) => (await find(source, quality))?.init(ask),
    segment: async (source, { quality, segment }, ask) => (await find(source, quality))?.segment(segment, ask),
    subtitlePlaylist: (source, index, token) => state.subtitles.playlist(subtitleSource(source), index, token),
    subtitlePiece: (source, index, piece) => state.subtitles.piece(subtitleSource(source), index, piece),
    subtitleWhole: (source, index) => state.subtitles.whole(subtitleSource(source), index),
    async prewarm(source, { positionMs, viewer, quality }) {
      const streams = await plan(source)
      const first = [streams.video[0], streams.audio.find((one) => one.default)]
      const chosen = quality ? [renditionOf(streams, quality)] : first
      for (const rendition of chosen) {
        if (!rendition) continue
        actorFor(state, source, { plan: streams, rendition }).prewarm(segmentAt(rendition.grid, positionMs), viewer)
      }
    },
    leave(viewer) {
      for (const actor of state.actors.values()) actor.leave(viewer)
    },
    async close() {
      stopSweep()
      state.directory.close()
      state.plans.close()
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
  const { memoryCacheBytes = DEFAULT_CACHE_BYTES, answerWithinMs = ANSWER_WITHIN_MS } = state.options
  const actor = createRenditionActor({
    ...state.options,
    directory: state.directory,
    cache: state.cache,
    key,
    rendition,
    source: { type: 'path', path: source.path },
    zeroMs: plan.zeroMs,
    seekFor: (segment) => seekFor(plan, rendition, segment),
    aheadBytes: Math.min(MOST_AHEAD_BYTES, memoryCacheBytes * AHEAD_SHARE),
    answerWithinMs,
    reclaim: () => reclaim(state),
  })
  state.actors.set(key, actor)
  return actor
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

/** Codec strings that only the bytes tell: those of copied pictures. What is encoded here has a forced profile and level. */
async function codecsOf(state: State, source: StreamSource, { plan, ask }: Wanted): Promise<ReadonlyMap<string, string>> {
  const copied = plan.video.filter(({ method }) => method === 'remux')
  const codecs = new Map<string, string>()
  for (const rendition of copied) {
    const actor = actorFor(state, source, { plan, rendition })
    if (!actor.codec()) await actor.init({ ...ask, withinMs: CODEC_WITHIN_MS })
    const codec = actor.codec()
    if (codec) codecs.set(rendition.name, codec)
  }
  return codecs
}

function subtitleSource({ fileId, media, sidecars }: StreamSource) {
  return { fileId, durationMs: media.durationMs, tracks: sidecars }
}
