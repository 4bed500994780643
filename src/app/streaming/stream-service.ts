/** Adapts the streaming engine to playback sessions and stream routes. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { FileDocument } from '../../../projections/views/files.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import type { SessionStreams, StreamOffer } from '../playback/session-streams.ts'
import type { StreamSource, StreamingEngine } from './engine.ts'
import { isUnavailable, type Unavailable } from './segments/unavailable.ts'
import type { EncoderChoice } from '../../domain/playback/playback.ts'
import { mainAudio } from '../../domain/streaming/audio-plan.ts'
import { isHardware, SOFTWARE } from '../../domain/streaming/encoders.ts'
import { parseQuality, qualityName, type Quality } from '../../domain/streaming/stream-name.ts'
import type { StreamAsk, Streams as ServedStreams } from './stream-answers.ts'
import { USUAL_MAPPER } from '../../vocabulary/tone-mapper.ts'
import { streamOptionsOf, type StreamOptions } from '../../vocabulary/stream-options.ts'
import type { StreamProblems } from './stream-problems.ts'

export type Streams = SessionStreams & ServedStreams

export function createStreams(engine: StreamingEngine, problems: StreamProblems, problem: (cause: unknown) => void): Streams {
  /** For one quality: its availability is the session's stream problem. */
  async function made(ask: StreamAsk, quality: Quality, make: (source: StreamSource) => Promise<Uint8Array | Unavailable | undefined>) {
    const answer = await served(ask, make)
    const trouble = answer && 'unavailable' in answer ? answer.unavailable : undefined
    problems.note(ask.session.id, qualityName(quality), trouble)
    return answer
  }

  return {
    async offer(file, options, startedAt) {
      const source = sourceOf(file, options, startedAt)
      return source ? offerOf(engine, source) : NOTHING
    },

    prewarm(file, { positionMs, sessionId, startedAt, wanted, options, quality }) {
      const source = sourceOf(file, options, startedAt)
      const chosen = quality === undefined ? undefined : parseQuality(quality)
      const start = { positionMs, viewer: sessionId, wanted, ...omitUndefined({ quality: chosen }) }
      if (source) engine.prewarm(source, start).catch(problem)
    },

    problem: problems.of,

    currentEncoders: () => engine.currentEncoders(),

    replacementEncoder: (session) =>
      problems.of(session.id) === null || !engine.hasAgents() ? undefined : replacementEncoder(engine, session),

    leave(sessionId) {
      engine.leave(sessionId)
      problems.forget(sessionId)
    },

    master: (ask) => served(ask, (source) => engine.master(source, queryOf(ask), askOf(ask))),
    mediaPlaylist: (ask, quality) => served(ask, (source) => engine.mediaPlaylist(source, quality, queryOf(ask))),
    init: (ask, quality) => made(ask, quality, (source) => engine.init(source, quality, askOf(ask))),
    segment: (ask, quality, segment) => made(ask, quality, (source) => engine.segment(source, { quality, segment }, askOf(ask))),
    async segmentFile(ask, quality, segment) {
      const source = sourceOfAsk(ask)
      const file = source && (await engine.segmentFile(source, { quality, segment }, ask.session.id))
      if (file) problems.note(ask.session.id, qualityName(quality), undefined)
      return file
    },
    iframePlaylist: (ask, quality) => served(ask, (source) => engine.iframePlaylist(source, quality, queryOf(ask))),
    // A frame that a player skips is no problem of the session.
    iframe: (ask, quality, segment) => served(ask, (source) => engine.iframe(source, { quality, segment }, askOf(ask))),
    subtitle: (ask, index) => served(ask, (source) => engine.subtitleWhole(source, index, askOf(ask))),
    subtitlePlaylist: (ask, index) => served(ask, async (source) => engine.subtitlePlaylist(source, index, ask.token)),
    subtitlePiece: (ask, index, piece) => served(ask, (source) => engine.subtitlePiece(source, { index, piece }, askOf(ask))),
  }
}

function replacementEncoder(
  engine: Pick<StreamingEngine, 'encodes' | 'currentEncoders' | 'toneMaps'>,
  { encoder = SOFTWARE, toneMapping = USUAL_MAPPER }: StreamOptions,
): EncoderChoice | undefined {
  const now = { encoder: SOFTWARE, toneMapping: USUAL_MAPPER, ...engine.currentEncoders() }
  const isEncoderLost = isHardware(encoder) && !engine.encodes(encoder) && engine.encodes(now.encoder)
  const isMapperLost = toneMapping !== 'none' && toneMapping !== now.toneMapping && !engine.toneMaps(toneMapping)
  if (!isEncoderLost && !isMapperLost) return undefined
  return { encoder: isEncoderLost ? now.encoder : encoder, ...(isMapperLost ? { toneMapping: now.toneMapping } : {}) }
}

const NOTHING: StreamOffer = {
  decision: { method: 'transcode', reasons: [], rejected: [] },
  qualities: [],
  audio: [],
  subtitles: [],
  burnable: [],
}

/** `startedAt`: the session's start; missing if there is no session yet. */
function sourceOf(file: FileDocument, options: StreamOptions, startedAt?: string): StreamSource | undefined {
  const { id, path, fingerprint, stamp, media, sidecars } = file
  const session = startedAt === undefined ? {} : { sessionStartMs: Date.parse(startedAt) }
  return media ? { fileId: id, path, fingerprint, stamp, media, sidecars, options, ...session } : undefined
}

const sourceOfAsk = (ask: StreamAsk): StreamSource | undefined => sourceOf(ask.file, optionsOfAsk(ask), ask.session.createdAt)

async function offerOf(engine: StreamingEngine, source: StreamSource): Promise<StreamOffer> {
  const plan = await engine.plan(source)
  return {
    decision: plan.decision,
    qualities: plan.video.map(({ name, height, bitrateBps, method }) => ({ name, height, bitrateBps, method })),
    audio: source.media.audio.map(({ language, codec, channels }, index, all) => ({
      language,
      codec,
      channels,
      default: index === mainAudio(all),
    })),
    subtitles: engine.subtitles(source),
    burnable: engine.burnable(source),
  }
}

const askOf = ({ session, signal, until }: StreamAsk) => ({ viewer: session.id, signal, until })

const ownOptions = new WeakMap<SessionDocument, StreamOptions>()

/** Returns the same object for each segment until the session changes: plans are cached by it. */
function optionsOfSession(session: SessionDocument): StreamOptions {
  const known = ownOptions.get(session)
  if (known) return known
  const options = streamOptionsOf(session)
  ownOptions.set(session, options)
  return options
}

/** The encoder in the URL, which is that of its playlist; else the session's current encoder. */
function optionsOfAsk({ session, encoder }: StreamAsk): StreamOptions {
  const options = optionsOfSession(session)
  return encoder === undefined || encoder === options.encoder ? options : streamOptionsOf({ ...options, encoder })
}

/**
 * The query that playlists append to their URLs: frames of different encoders do not fit together, and a player may have an older
 * playlist.
 */
function queryOf(ask: StreamAsk): string {
  const { encoder = SOFTWARE } = optionsOfAsk(ask)
  return isHardware(encoder) ? `${ask.token}&encoder=${encoder}` : ask.token
}

/** Undefined if the film does not contain it; with a reason if it is temporarily unavailable. */
async function served<Content extends string | Uint8Array>(
  ask: StreamAsk,
  make: (source: StreamSource) => Promise<Content | Unavailable | undefined>,
) {
  const source = sourceOfAsk(ask)
  const answer = source && (await make(source))
  if (typeof answer === 'string' || answer === undefined || !isUnavailable(answer)) return answer
  const { unavailable, missing, retryAfterSeconds } = answer
  return missing ? undefined : { unavailable: withoutPaths(unavailable, ask.file.path), retryAfterSeconds }
}

/**
 * Removes paths: viewers must not learn where films are stored. An agent may have the film at another path that is unknown here, with
 * spaces or colons in it: everything from its first slash to ffmpeg's message is removed.
 */
export function withoutPaths(text: string, mediaPath: string): string {
  const shown = text.replaceAll(`file:${mediaPath}`, 'the film').replaceAll(mediaPath, 'the film')
  const from = shown.search(/(?:^|[\s:'"(=,])(?:[a-z]{1,9}:)?\//i)
  if (from < 0) return shown
  const detailAt = shown.lastIndexOf(': ')
  return `${shown.slice(0, from).trimEnd()} …${detailAt > from ? shown.slice(detailAt) : ''}`.trim()
}
