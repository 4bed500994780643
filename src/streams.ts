/** Streams: the streaming engine as playback sessions and as the stream routes see it. */
import type { FileDocument } from '../projections/files.ts'
import type { StreamOffer, Streams as OfferedStreams } from './app/playback-service.ts'
import type { StreamSource, StreamingEngine } from './app/streaming/engine.ts'
import { isUnavailable, type Unavailable } from './app/streaming/unavailable.ts'
import { parseQuality, qualityName, type Quality } from './domain/streaming/stream-name.ts'
import type { StreamAsk, Streams as ServedStreams } from './http/streams.ts'
import type { ClientCapabilities } from './events/client-capabilities.ts'
import type { StreamProblems } from './stream-problems.ts'

export type Streams = OfferedStreams & ServedStreams

export function createStreams(engine: StreamingEngine, problems: StreamProblems, problem: (cause: unknown) => void): Streams {
  /** Of one quality: whether it can be had is what the session's problem is about. */
  async function made(ask: StreamAsk, quality: Quality, make: (source: StreamSource) => Promise<Uint8Array | Unavailable | undefined>) {
    const answer = await served(ask, make)
    const trouble = answer && 'unavailable' in answer ? answer.unavailable : undefined
    problems.note(ask.session.id, qualityName(quality), trouble)
    return answer
  }

  return {
    async offer(file, capabilities) {
      const source = sourceOf(file, capabilities)
      return source ? offerOf(engine, source) : NOTHING
    },

    prewarm(file, { positionMs, sessionId, wanted, capabilities, quality }) {
      const source = sourceOf(file, capabilities)
      const chosen = quality === undefined ? undefined : parseQuality(quality)
      const start = { positionMs, viewer: sessionId, wanted, ...(chosen ? { quality: chosen } : {}) }
      if (source) engine.prewarm(source, start).catch(problem)
    },

    problem: problems.of,

    leave(sessionId) {
      engine.leave(sessionId)
      problems.forget(sessionId)
    },

    master: (ask) => served(ask, (source) => engine.master(source, ask.token, askOf(ask))),
    mediaPlaylist: (ask, quality) => served(ask, (source) => engine.mediaPlaylist(source, quality, ask.token)),
    init: (ask, quality) => made(ask, quality, (source) => engine.init(source, quality, askOf(ask))),
    segment: (ask, quality, segment) => made(ask, quality, (source) => engine.segment(source, { quality, segment }, askOf(ask))),
    subtitle: (ask, index) => served(ask, (source) => engine.subtitleWhole(source, index, askOf(ask))),
    subtitlePlaylist: (ask, index) => served(ask, async (source) => engine.subtitlePlaylist(source, index, ask.token)),
    subtitlePiece: (ask, index, piece) => served(ask, (source) => engine.subtitlePiece(source, { index, piece }, askOf(ask))),
  }
}

const NOTHING: StreamOffer = { decision: { method: 'transcode', reasons: [], rejected: [] }, qualities: [], audio: [], subtitles: [] }

function sourceOf(file: FileDocument, capabilities: ClientCapabilities | undefined): StreamSource | undefined {
  const { id, path, fingerprint, stamp, media, sidecars } = file
  return media ? { fileId: id, path, fingerprint, stamp, media, sidecars, ...(capabilities ? { capabilities } : {}) } : undefined
}

async function offerOf(engine: StreamingEngine, source: StreamSource): Promise<StreamOffer> {
  const plan = await engine.plan(source)
  return {
    decision: plan.decision,
    qualities: plan.video.map(({ name, height, bitrateBps, method }) => ({ name, height, bitrateBps, method })),
    audio: source.media.audio.map(({ language, codec, channels }) => ({ language, codec, channels })),
    subtitles: engine.subtitles(source),
  }
}

const askOf = ({ session, signal, until }: StreamAsk) => ({ viewer: session.id, signal, until })

/** What the film does not hold is not there; what cannot be had now is said with its reason. */
async function served<Content extends string | Uint8Array>(
  ask: StreamAsk,
  make: (source: StreamSource) => Promise<Content | Unavailable | undefined>,
) {
  const source = sourceOf(ask.file, ask.session.capabilities)
  const answer = source && (await make(source))
  if (typeof answer === 'string' || answer === undefined || !isUnavailable(answer)) return answer
  const { unavailable, missing, retryAfterSeconds } = answer
  return missing ? undefined : { unavailable: withoutPaths(unavailable, ask.file.path), retryAfterSeconds }
}

/** Where films lie is no business of those who watch them. */
const withoutPaths = (text: string, filmPath: string) =>
  text
    .replaceAll(`file:${filmPath}`, 'the film')
    .replaceAll(filmPath, 'the film')
    .replaceAll(/(?:\/[^\s/:]+){2,}/g, '…')
