/**
 * Streaming engine: what a film can be streamed as, its playlists, and its segments, made when they are asked for. One rendition
 * actor for each film and form, whoever watches and at whichever node; the work is done by transcode agents over the bus.
 */
import { iframePlaylist, mediaPlaylist, masterPlaylist, type SubtitleEntry } from '../../domain/streaming/playlist.ts'
import type { BurnableSubtitle } from '../../domain/streaming/burn-in.ts'
import { SOFTWARE } from '../../domain/streaming/encoders.ts'
import type { StreamPlan } from '../../domain/streaming/plan.ts'
import { segmentAt } from '../../domain/streaming/segment-grid.ts'
import { qualityName, type Quality } from '../../domain/streaming/stream-name.ts'
import type { Rendition, VideoRendition } from '../../domain/streaming/rendition.ts'
import type { MediaDescription, SubtitleTrack } from '../../vocabulary/media-description.ts'
import type { Encoder } from '../../vocabulary/encoder.ts'
import type { StreamOptions } from '../../vocabulary/stream-options.ts'
import type { ToneMapper } from '../../vocabulary/tone-mapper.ts'
import type { MediaFonts } from '../../ports/film-fonts.ts'
import type { TextTracks } from '../../ports/film-texts.ts'
import type { TextReader } from '../../ports/text-reader.ts'
import type { Media } from '../../ports/media.ts'
import type { SegmentStore } from '../../ports/segment-store.ts'
import { createAgentDirectory, type AgentDirectory } from './agents/agent-directory.ts'
import { createBurntSubtitles, type BurntSubtitles } from './subtitles/burnt-subtitles.ts'
import { createPlans, type Plans } from './plans.ts'
import type { Ask } from './renditions/rendition-actor.ts'
import {
  createRenditionHost,
  DEFAULT_CACHE_BYTES,
  type StreamedFile,
  type RenditionTarget,
  type RenditionHost,
  type RenditionHostOptions,
} from './renditions/rendition-host.ts'
import { createSegmentCache, type SegmentCache } from './segments/segment-cache.ts'
import type { SharedRendition } from './renditions/shared-rendition.ts'
import { createSubtitleNumbers } from './subtitles/subtitle-numbers.ts'
import { createSubtitles, type SubtitleAnswer, type SubtitlePlace, type Subtitles } from './subtitles/subtitles.ts'
import type { Unavailable } from './segments/unavailable.ts'

/** A film file, as the files view has it. */
export interface StreamSource extends StreamedFile {
  readonly media: MediaDescription
  readonly sidecars: readonly SubtitleTrack[]
  /** Missing: those of a player that has said nothing. */
  readonly terms?: StreamOptions
}

export interface StreamingEngineOptions extends RenditionHostOptions {
  readonly media: Media
  readonly texts: TextTracks
  readonly reader: TextReader
  /** Missing: styled subtitles are drawn with the fonts of the machine. */
  readonly fonts?: MediaFonts
  /** Where segments are kept beyond memory and beyond this process. */
  readonly segmentStore?: SegmentStore
}

export interface StreamingEngine {
  /** Which renditions the film has, and why. Reads the film's index the first time, for a few seconds at most. */
  plan(source: StreamSource): Promise<StreamPlan>
  /** What can be offered as WebVTT: tracks in the film, then files beside it. */
  subtitles(source: StreamSource): readonly SubtitleEntry[]
  /** What can be drawn into the picture. */
  burnable(source: StreamSource): readonly BurnableSubtitle[]
  master(source: StreamSource, token: string, ask: Ask): Promise<string>
  /** Undefined, here and below: the film has no such quality, segment or subtitle. */
  mediaPlaylist(source: StreamSource, quality: Quality, token: string): Promise<string | undefined>
  /** @throws the signal's reason when the client has gone */
  init(source: StreamSource, quality: Quality, ask: Ask): Promise<Uint8Array | Unavailable | undefined>
  /** @throws the signal's reason when the client has gone */
  segment(source: StreamSource, place: Place, ask: Ask): Promise<Uint8Array | Unavailable | undefined>
  /** Of pictures only. */
  iframePlaylist(source: StreamSource, quality: Quality, token: string): Promise<string | undefined>
  /** The first picture of a segment, as a segment. @throws the signal's reason when the client has gone */
  iframe(source: StreamSource, place: Place, ask: Ask): Promise<Uint8Array | Unavailable | undefined>
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
  /** How the pictures of new sessions are made, by what the transcoders have now. */
  means(): Pick<StreamOptions, 'encoder' | 'toneMapping'>
  /** Whether a transcoder has the encoder. */
  encodes(encoder: Encoder): boolean
  /** Whether a transcoder has the tone-mapper. */
  toneMaps(mapper: ToneMapper): boolean
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
  readonly burnt: BurntSubtitles
  readonly plans: Plans
  readonly host: RenditionHost
}

/** A master playlist waits no longer for the bytes that its codec strings come from. */
const CODEC_WITHIN_MS = 3_000

export function createStreamingEngine(options: StreamingEngineOptions): StreamingEngine {
  const { bus, clock, media } = options
  const cache = createSegmentCache({ memoryBytes: options.memoryCacheBytes ?? DEFAULT_CACHE_BYTES, store: options.segmentStore })
  const directory = createAgentDirectory({ bus, clock })
  const numbered = createSubtitleNumbers()
  const subtitles = createSubtitles({ ...options, numbered })
  const state: State = {
    cache,
    directory,
    subtitles,
    burnt: createBurntSubtitles({ clock, media, fonts: options.fonts, numbered, subtitles, reader: options.reader }),
    plans: createPlans({ media, clock }),
    host: createRenditionHost(options, { cache, directory }),
  }
  const plan = async (source: StreamSource): Promise<StreamPlan> => {
    await state.cache.ready()
    const index = source.terms?.burnIn
    const burnt = index === undefined ? undefined : await state.burnt.of(source, index)
    return state.plans.of(source, burnt)
  }
  /** For sound and times, which are the same whatever is drawn into the picture: nothing of that is looked up. */
  const undrawnPlan = async (source: StreamSource): Promise<StreamPlan> => {
    await state.cache.ready()
    return state.plans.of(source)
  }
  const timed = async (source: StreamSource) => ({ ...source, zeroMs: (await undrawnPlan(source)).zeroMs })

  async function find(source: StreamSource, quality: Quality): Promise<SharedRendition | undefined> {
    const streams = await (quality.type === 'audio' ? undrawnPlan : plan)(source)
    const rendition = renditionOf(streams, quality)
    return rendition && state.host.find(hosted(state, source, { plan: streams, rendition }))
  }

  return {
    plan,
    subtitles: (source) => offered(state, source),
    burnable: (source) => state.burnt.burnable(source),
    async master(source, token, ask) {
      const streams = await plan(source)
      const codecs = await codecsOf(state, source, { plan: streams, ask })
      return masterPlaylist({ plan: streams, subtitles: offered(state, source), codecs, token })
    },
    async mediaPlaylist(source, quality, token) {
      const streams = await plan(source)
      const rendition = renditionOf(streams, quality)
      return rendition && mediaPlaylist(rendition, streams.targetSeconds, token)
    },
    init: async (source, quality, ask) => (await find(source, quality))?.init(ask),
    segment: async (source, { quality, segment }, ask) => (await find(source, quality))?.segment(segment, ask),
    async iframePlaylist(source, quality, token) {
      const streams = await plan(source)
      const rendition = quality.type === 'audio' ? undefined : pictureOf(streams, quality)
      return rendition?.standAlone ? iframePlaylist(rendition.grid, streams.targetSeconds, token) : undefined
    },
    iframe: async (source, { quality, segment }, ask) =>
      quality.type === 'audio' ? undefined : (await find(source, quality))?.still(segment, ask),
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
        state.host.find(hosted(state, source, { plan: streams, rendition })).prewarm(segmentAt(rendition.grid, positionMs), viewer)
      }
    },
    leave(viewer) {
      state.host.leave(viewer)
      state.subtitles.leave(viewer)
    },
    means: () => meansOf(state.directory),
    encodes: (encoder) => state.directory.encodes(encoder),
    toneMaps: (mapper) => state.directory.toneMaps(mapper),
    hasAgents: () => state.directory.any(),
    async close() {
      state.directory.close()
      state.plans.close()
      await Promise.all([state.subtitles.close(), state.host.close()])
    },
  }
}

/** Nobody is shown a second one unasked, where one is in the picture. */
function offered({ subtitles }: State, source: StreamSource): readonly SubtitleEntry[] {
  const entries = subtitles.entries(source)
  return source.terms?.burnIn === undefined ? entries : entries.map((entry) => ({ ...entry, default: false }))
}

function hosted({ burnt }: State, source: StreamSource, { plan, rendition }: Pick<RenditionTarget, 'plan' | 'rendition'>): RenditionTarget {
  const { output } = rendition
  const index = source.terms?.burnIn
  const isText = output.type === 'encode-video' && output.burnIn?.type === 'text'
  const attachment = isText && index !== undefined ? () => burnt.attachment({ ...source, zeroMs: plan.zeroMs }, index) : undefined
  return { file: source, plan, rendition, attachment }
}

/** What is meant without it is not named. */
function meansOf(directory: AgentDirectory): Pick<StreamOptions, 'encoder' | 'toneMapping'> {
  const [encoder, toneMapping] = [directory.encoder(), directory.toneMapping()]
  // Both would need the filters to work on a device of their own.
  const goTogether = encoder !== 'vaapi' || toneMapping !== 'libplacebo'
  return {
    ...(encoder !== SOFTWARE && goTogether ? { encoder } : {}),
    ...(toneMapping === 'zscale' ? {} : { toneMapping }),
  }
}

function renditionOf(plan: StreamPlan, quality: Quality): Rendition | undefined {
  if (quality.type !== 'audio') return pictureOf(plan, quality)
  return plan.audio.find(({ name }) => name === qualityName(quality))
}

const pictureOf = ({ video }: StreamPlan, quality: Quality): VideoRendition | undefined =>
  video.find(({ name }) => name === qualityName(quality))

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
