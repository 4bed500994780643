/**
 * Streaming engine: what a film can be streamed as, its playlists, and its segments, made when they are asked for. One rendition
 * actor for each film and form, whoever watches and at whichever node; the work is done by transcode agents over the bus.
 */
import { mediaPlaylist, masterPlaylist, type SubtitleEntry } from '../../domain/streaming/playlist.ts'
import type { StreamPlan } from '../../domain/streaming/plan.ts'
import { segmentAt } from '../../domain/streaming/grid.ts'
import { qualityName, type Quality } from '../../domain/streaming/stream-name.ts'
import type { Rendition } from '../../domain/streaming/rendition.ts'
import type { ClientCapabilities } from '../../events/client-capabilities.ts'
import type { MediaDescription, SubtitleTrack } from '../../events/media-description.ts'
import type { FilmTexts } from '../../ports/film-texts.ts'
import type { Media } from '../../ports/media.ts'
import type { SegmentStore } from '../../ports/segment-store.ts'
import { createAgentDirectory, type AgentDirectory } from './agent-directory.ts'
import { createPlans, type Plans } from './plans.ts'
import type { Ask } from './rendition-actor.ts'
import { createRenditionHost, DEFAULT_CACHE_BYTES, type FilmFile, type RenditionHost, type RenditionHostOptions } from './rendition-host.ts'
import { createSegmentCache, type SegmentCache } from './segment-cache.ts'
import type { SharedRendition } from './shared-rendition.ts'
import { createSubtitles, type SubtitleAnswer, type SubtitlePlace, type Subtitles } from './subtitles.ts'
import type { Unavailable } from './unavailable.ts'

/** A film file, as the files view has it. */
export interface StreamSource extends FilmFile {
  readonly media: MediaDescription
  readonly sidecars: readonly SubtitleTrack[]
  /** What the viewer's player said of itself; without it, what every player can. */
  readonly capabilities?: ClientCapabilities
}

export interface StreamingEngineOptions extends RenditionHostOptions {
  readonly media: Media
  readonly texts: FilmTexts
  /** Where segments are kept beyond memory and beyond this process. */
  readonly segmentStore?: SegmentStore
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
  readonly cache: SegmentCache
  readonly directory: AgentDirectory
  readonly subtitles: Subtitles
  readonly plans: Plans
  readonly host: RenditionHost
}

/** A master playlist waits no longer for the bytes that its codec strings come from. */
const CODEC_WITHIN_MS = 3_000

export function createStreamingEngine(options: StreamingEngineOptions): StreamingEngine {
  const { bus, clock, media } = options
  const cache = createSegmentCache({ memoryBytes: options.memoryCacheBytes ?? DEFAULT_CACHE_BYTES, store: options.segmentStore })
  const directory = createAgentDirectory({ bus, clock })
  const state: State = {
    cache,
    directory,
    subtitles: createSubtitles(options),
    plans: createPlans({ media, clock }),
    host: createRenditionHost(options, { cache, directory }),
  }
  const plan = async (source: StreamSource): Promise<StreamPlan> => {
    await state.cache.ready()
    return state.plans.of(source)
  }
  const timed = async (source: StreamSource) => ({ ...source, zeroMs: (await plan(source)).zeroMs })

  async function find(source: StreamSource, quality: Quality): Promise<SharedRendition | undefined> {
    const streams = await plan(source)
    const rendition = renditionOf(streams, quality)
    return rendition && state.host.find({ file: source, plan: streams, rendition })
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
        state.host.find({ file: source, plan: streams, rendition }).prewarm(segmentAt(rendition.grid, positionMs), viewer)
      }
    },
    leave(viewer) {
      state.host.leave(viewer)
      state.subtitles.leave(viewer)
    },
    hasAgents: () => state.directory.any(),
    async close() {
      state.directory.close()
      state.plans.close()
      await Promise.all([state.subtitles.close(), state.host.close()])
    },
  }
}

function renditionOf(plan: StreamPlan, quality: Quality): Rendition | undefined {
  const name = qualityName(quality)
  return [...plan.video, ...plan.audio].find((rendition) => rendition.name === name)
}

interface Wanted {
  readonly plan: StreamPlan
  readonly ask: Ask
}

/** Codec strings that only made bytes tell: those of copied pictures whose container does not. */
async function codecsOf({ host }: State, source: StreamSource, { plan, ask }: Wanted): Promise<ReadonlyMap<string, string>> {
  const codecs = new Map<string, string>()
  for (const rendition of plan.video) {
    if (rendition.isCodecExact) continue
    const shared = host.find({ file: source, plan, rendition })
    if (!shared.codec()) await shared.init({ ...ask, withinMs: CODEC_WITHIN_MS })
    const codec = shared.codec()
    if (codec) codecs.set(rendition.name, codec)
  }
  return codecs
}
