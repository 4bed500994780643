/**
 * Streaming engine: plans how a film can be streamed, writes its playlists, and makes its segments on demand. Each film and form has one
 * rendition actor for all viewers and nodes; transcode agents do the work over the bus.
 */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { iframePlaylist, mediaPlaylist, masterPlaylist, type SubtitleEntry } from '../../domain/streaming/playlist.ts'
import type { BurnableSubtitle } from '../../domain/streaming/burn-in.ts'
import { SOFTWARE } from '../../domain/streaming/encoders.ts'
import type { StreamPlan } from '../../domain/streaming/plan.ts'
import { segmentAt } from '../../domain/streaming/segment-grid.ts'
import { qualityName, type Quality } from '../../domain/streaming/stream-name.ts'
import type { Rendition, VideoRendition } from '../../domain/streaming/rendition.ts'
import type { SubtitleTrack } from '../../vocabulary/media-description.ts'
import type { Encoder } from '../../vocabulary/encoder.ts'
import type { StreamOptions } from '../../vocabulary/stream-options.ts'
import type { ToneMapper } from '../../vocabulary/tone-mapper.ts'
import type { MediaFonts } from '../../ports/media-fonts.ts'
import type { TextTracks } from '../../ports/text-tracks.ts'
import type { TextReader } from '../../ports/text-reader.ts'
import type { Media } from '../../ports/media.ts'
import type { SegmentFile, SegmentStore } from '../../ports/segment-store.ts'
import { createAgentDirectory, type AgentDirectory } from './agents/agent-directory.ts'
import type { AgentHello } from './agents/agent-protocol.ts'
import { createBurntSubtitles, type BurntSubtitles } from './subtitles/burnt-subtitles.ts'
import { createPlans, type PlannedFile, type Plans } from './plans.ts'
import type { Ask } from './renditions/rendition-actor.ts'
import {
  createRenditionHost,
  DEFAULT_CACHE_BYTES,
  type StreamedFile,
  type RenditionTarget,
  type RenditionHost,
  type RenditionHostOptions,
} from './renditions/rendition-host.ts'
import { createSegmentCache, type SegmentCache, type SegmentCacheOptions } from './segments/segment-cache.ts'
import type { NodeRendition } from './renditions/node-rendition.ts'
import { createSubtitleNumbers } from './subtitles/subtitle-numbers.ts'
import { createSubtitles, type SubtitleAnswer, type SubtitlePlace, type Subtitles } from './subtitles/subtitles.ts'
import type { Unavailable } from './segments/unavailable.ts'

/** A film file, as in the files view. */
export interface StreamSource extends StreamedFile, PlannedFile {
  readonly sidecars: readonly SubtitleTrack[]
}

export interface StreamingEngineOptions extends RenditionHostOptions {
  readonly media: Media
  readonly texts: TextTracks
  readonly reader: TextReader
  /** Without it, styled subtitles are drawn with the fonts of the machine. */
  readonly fonts?: MediaFonts
  /** Storage for segments beyond memory and beyond this process. */
  readonly segmentStore?: SegmentStore
  /** Hears of each segment that is looked for in the cache. */
  readonly looked?: NonNullable<SegmentCacheOptions['looked']>
}

export interface StreamingEngine {
  /** The renditions of the film, and the reasons. On the first call it reads the film's index, for at most a few seconds. */
  plan(source: StreamSource): Promise<StreamPlan>
  /** Subtitles available as WebVTT: tracks in the film, then files beside it. */
  subtitles(source: StreamSource): readonly SubtitleEntry[]
  /** Subtitles that can be drawn into the video. */
  burnable(source: StreamSource): readonly BurnableSubtitle[]
  master(source: StreamSource, token: string, ask: Ask): Promise<string>
  /** Undefined, here and below, if the film has no such quality, segment or subtitle. */
  mediaPlaylist(source: StreamSource, quality: Quality, token: string): Promise<string | undefined>
  /** @throws the signal's reason when the client has disconnected */
  init(source: StreamSource, quality: Quality, ask: Ask): Promise<Uint8Array | Unavailable | undefined>
  /** @throws the signal's reason when the client has disconnected */
  segment(source: StreamSource, place: Place, ask: Ask): Promise<Uint8Array | Unavailable | undefined>
  /** The segment's file in this node's cache; undefined if there is none, although the segment may exist. */
  segmentFile(source: StreamSource, place: Place, viewer: string): Promise<SegmentFile | undefined>
  /** Only for video, not for audio. */
  iframePlaylist(source: StreamSource, quality: Quality, token: string): Promise<string | undefined>
  /** The first frame of a segment, as a segment. @throws the signal's reason when the client has disconnected */
  iframe(source: StreamSource, place: Place, ask: Ask): Promise<Uint8Array | Unavailable | undefined>
  subtitlePlaylist(source: StreamSource, index: number, token: string): string | undefined
  subtitlePiece(source: StreamSource, place: SubtitlePlace, ask: Ask): SubtitleAnswer
  subtitleWhole(source: StreamSource, index: number, ask: Ask): SubtitleAnswer
  /**
   * Starts the work that a viewer will request first: the audio, and the video in the given quality, or else in the first one of the
   * master playlist. Does nothing if the player should play the file directly, unless a quality is given.
   */
  prewarm(source: StreamSource, start: Start): Promise<void>
  /** The viewer's session has ended: runs that only it needed are stopped. */
  leave(viewer: string): void
  /** Encoder and tone-mapping for new sessions, by the current transcoders. */
  currentEncoders(): Pick<StreamOptions, 'encoder' | 'toneMapping'>
  /** Whether a transcoder has the encoder. */
  encodes(encoder: Encoder): boolean
  /** Whether a transcoder has the tone-mapper. */
  toneMaps(mapper: ToneMapper): boolean
  /** The transcode agents that were heard recently. */
  agents(): readonly AgentHello[]
  /** Whether any agent can make segments. */
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
  /** Whether the viewer still waits when the plan is ready. */
  readonly wanted?: () => boolean
}

interface State {
  readonly cache: SegmentCache
  readonly directory: AgentDirectory
  readonly subtitles: Subtitles
  readonly burnt: BurntSubtitles
  readonly plans: Plans
  readonly host: RenditionHost
}

/** Longest wait of a master playlist for the bytes that its codec strings come from. */
const CODEC_WITHIN_MS = 3_000

export function createStreamingEngine(options: StreamingEngineOptions): StreamingEngine {
  const state = createState(options)
  return {
    plan: (source) => planOf(state, source),
    subtitles: (source) => offered(state, source),
    burnable: (source) => state.burnt.burnable(source),
    master: (source, token, ask) => master(state, source, { token, ask }),
    async mediaPlaylist(source, quality, token) {
      const streams = await planOf(state, source)
      const rendition = renditionOf(streams, quality)
      return rendition && mediaPlaylist(rendition, streams.targetSeconds, token)
    },
    init: async (source, quality, ask) => (await find(state, source, quality))?.init(ask),
    segment: async (source, { quality, segment }, ask) => (await find(state, source, quality))?.segment(segment, ask),
    segmentFile: async (source, { quality, segment }, viewer) => (await find(state, source, quality))?.file(segment, viewer),
    async iframePlaylist(source, quality, token) {
      const streams = await planOf(state, source)
      const rendition = quality.type === 'audio' ? undefined : videoOf(streams, quality)
      return rendition?.standAlone ? iframePlaylist(rendition.grid, streams.targetSeconds, token) : undefined
    },
    iframe: async (source, { quality, segment }, ask) =>
      quality.type === 'audio' ? undefined : (await find(state, source, quality))?.still(segment, ask),
    subtitlePlaylist: (source, index, token) => state.subtitles.playlist(source, index, token),
    subtitlePiece: async (source, place, ask) => state.subtitles.piece(await timed(state, source), place, ask),
    subtitleWhole: async (source, index, ask) => state.subtitles.whole(await timed(state, source), index, ask),
    prewarm: (source, start) => prewarm(state, source, start),
    leave(viewer) {
      state.host.leave(viewer)
      state.subtitles.leave(viewer)
    },
    currentEncoders: () => encodersOf(state.directory),
    encodes: (encoder) => state.directory.encodes(encoder),
    toneMaps: (mapper) => state.directory.toneMaps(mapper),
    agents: () => state.directory.list(),
    hasAgents: () => state.directory.any(),
    close: () => close(state),
  }
}

function createState(options: StreamingEngineOptions): State {
  const { bus, clock, media } = options
  const { segmentStore: store, memoryCacheBytes: memoryBytes = DEFAULT_CACHE_BYTES, looked } = options
  const cache = createSegmentCache({ memoryBytes, store, ...omitUndefined({ looked }) })
  const directory = createAgentDirectory({ bus, clock })
  const numbered = createSubtitleNumbers()
  const subtitles = createSubtitles({ ...options, numbered })
  return {
    cache,
    directory,
    subtitles,
    burnt: createBurntSubtitles({ clock, media, fonts: options.fonts, numbered, subtitles, reader: options.reader }),
    plans: createPlans({ media, clock }),
    host: createRenditionHost(options, { cache, directory }),
  }
}

async function planOf(state: State, source: StreamSource): Promise<StreamPlan> {
  await state.cache.ready()
  const index = source.options?.burnIn
  const burnt = index === undefined ? undefined : await state.burnt.of(source, index)
  return state.plans.of(source, burnt)
}

/** For audio and times, which do not depend on burnt-in subtitles: nothing about those is looked up. */
async function undrawnPlan({ cache, plans }: State, source: StreamSource): Promise<StreamPlan> {
  await cache.ready()
  return plans.of(source)
}

const timed = async (state: State, source: StreamSource) => ({ ...source, zeroMs: (await undrawnPlan(state, source)).zeroMs })

async function find(state: State, source: StreamSource, quality: Quality): Promise<NodeRendition | undefined> {
  const plan = await (quality.type === 'audio' ? undrawnPlan : planOf)(state, source)
  const rendition = renditionOf(plan, quality)
  return rendition && state.host.find(hosted(state, source, { plan, rendition }))
}

async function master(state: State, source: StreamSource, { token, ask }: { readonly token: string; readonly ask: Ask }): Promise<string> {
  const plan = await planOf(state, source)
  const codecs = await codecsOf(state, source, { plan, ask })
  // A player may turn a subtitle on by itself: then the burnt one would be shown twice.
  const subtitles = offered(state, source).filter(({ index }) => index !== source.options?.burnIn)
  return masterPlaylist({ plan, subtitles, codecs, token })
}

async function prewarm(state: State, source: StreamSource, { positionMs, viewer, quality, wanted = () => true }: Start): Promise<void> {
  const plan = await planOf(state, source)
  if (!wanted()) return
  const named = quality && plan.video.find(({ name }) => name === qualityName(quality))
  if (!named && plan.decision.method === 'direct') return
  for (const rendition of [named ?? plan.video[0], plan.audio.find((one) => one.default)]) {
    if (!rendition) continue
    state.host.find(hosted(state, source, { plan, rendition })).prewarm(segmentAt(rendition.grid, positionMs), viewer)
  }
}

async function close({ directory, plans, subtitles, host }: State): Promise<void> {
  directory.close()
  plans.close()
  await Promise.all([subtitles.close(), host.close()])
}

/** On by default is what the session has asked for. If a subtitle is burnt in, no other one is. */
function offered({ subtitles }: State, source: StreamSource): readonly SubtitleEntry[] {
  const entries = subtitles.entries(source)
  const { burnIn, subtitleIndex } = source.options ?? {}
  if (burnIn === undefined && subtitleIndex === undefined) return entries
  return entries.map((entry) => ({ ...entry, default: burnIn === undefined && entry.index === subtitleIndex }))
}

function hosted({ burnt }: State, source: StreamSource, { plan, rendition }: Pick<RenditionTarget, 'plan' | 'rendition'>): RenditionTarget {
  const { output } = rendition
  const index = source.options?.burnIn
  const isText = output.type === 'encode-video' && output.burnIn?.type === 'text'
  const attachment = isText && index !== undefined ? () => burnt.attachment({ ...source, zeroMs: plan.zeroMs }, index) : undefined
  return { file: source, plan, rendition, attachment }
}

/** Defaults are left out. */
function encodersOf(directory: AgentDirectory): Pick<StreamOptions, 'encoder' | 'toneMapping'> {
  const [encoder, toneMapping] = [directory.encoder(), directory.toneMapping()]
  // Both would need ffmpeg's filters to run on different devices.
  const goTogether = encoder !== 'vaapi' || toneMapping !== 'libplacebo'
  return {
    ...(encoder !== SOFTWARE && goTogether ? { encoder } : {}),
    ...(toneMapping === 'zscale' ? {} : { toneMapping }),
  }
}

function renditionOf(plan: StreamPlan, quality: Quality): Rendition | undefined {
  if (quality.type !== 'audio') return videoOf(plan, quality)
  return plan.audio.find(({ name }) => name === qualityName(quality))
}

const videoOf = ({ video }: StreamPlan, quality: Quality): VideoRendition | undefined =>
  video.find(({ name }) => name === qualityName(quality))

interface Wanted {
  readonly plan: StreamPlan
  readonly ask: Ask
}

/** Codec strings that are known only from finished segments: for copied video whose container does not contain them. */
async function codecsOf({ host }: State, source: StreamSource, { plan, ask }: Wanted): Promise<ReadonlyMap<string, string>> {
  const codecs = new Map<string, string>()
  for (const rendition of plan.video) {
    if (rendition.isCodecExact) continue
    const found = host.find({ file: source, plan, rendition })
    if (!found.codec()) await found.init({ ...ask, withinMs: CODEC_WITHIN_MS })
    const codec = found.codec()
    if (codec) codecs.set(rendition.name, codec)
  }
  return codecs
}
