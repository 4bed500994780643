/** Streams: the streaming engine as playback sessions and as the stream routes see it. */
import type { FileDocument } from '../projections/files.ts'
import type { StreamOffer, Streams as OfferedStreams } from './app/playback-service.ts'
import type { StreamSource, StreamingEngine } from './app/streaming/engine.ts'
import { isUnavailable, type Unavailable } from './app/streaming/unavailable.ts'
import type { StreamAsk, Streams as ServedStreams } from './http/streams.ts'

export type Streams = OfferedStreams & ServedStreams

export function createStreams(engine: StreamingEngine, problem: (cause: unknown) => void): Streams {
  return {
    async offer(file) {
      const source = sourceOf(file)
      return source ? offerOf(engine, source) : NOTHING
    },

    prewarm(file, { positionMs, sessionId }) {
      const source = sourceOf(file)
      if (source) engine.prewarm(source, { positionMs, viewer: sessionId }).catch(problem)
    },

    leave: (sessionId) => engine.leave(sessionId),

    master: (ask) => served(ask, (source) => engine.master(source, ask.token, askOf(ask))),
    mediaPlaylist: (ask, quality) => served(ask, (source) => engine.mediaPlaylist(source, quality, ask.token)),
    init: (ask, quality) => served(ask, (source) => engine.init(source, quality, askOf(ask))),
    segment: (ask, quality, segment) => served(ask, (source) => engine.segment(source, { quality, segment }, askOf(ask))),
    subtitle: (ask, index) => served(ask, (source) => engine.subtitleWhole(source, index)),
    subtitlePlaylist: (ask, index) => served(ask, async (source) => engine.subtitlePlaylist(source, index, ask.token)),
    subtitlePiece: (ask, index, piece) => served(ask, (source) => engine.subtitlePiece(source, index, piece)),
  }
}

const NOTHING: StreamOffer = { method: 'transcode', reasons: [], qualities: [], audio: [], subtitles: [] }

function sourceOf({ id, path, fingerprint, media, sidecars }: FileDocument): StreamSource | undefined {
  return media ? { fileId: id, path, fingerprint, media, sidecars } : undefined
}

async function offerOf(engine: StreamingEngine, source: StreamSource): Promise<StreamOffer> {
  const plan = await engine.plan(source)
  return {
    method: plan.method === 'transcode' ? 'transcode' : 'remux',
    reasons: plan.reasons,
    qualities: plan.video.map(({ name, height, bitrateBps, method }) => ({ name, height, bitrateBps, method })),
    audio: source.media.audio.map(({ language, codec, channels }) => ({ language, codec, channels })),
    subtitles: engine.subtitles(source),
  }
}

const askOf = ({ session, signal }: StreamAsk) => ({ viewer: session.id, signal })

/** What the film does not hold is not there; what cannot be had now is said with its reason. */
async function served<Content extends string | Uint8Array>(
  ask: StreamAsk,
  make: (source: StreamSource) => Promise<Content | Unavailable | undefined>,
) {
  const source = sourceOf(ask.file)
  const answer = source && (await make(source))
  if (typeof answer === 'string' || answer === undefined || !isUnavailable(answer)) return answer
  const { unavailable, missing, retryAfterSeconds } = answer
  return missing ? undefined : { unavailable, retryAfterSeconds }
}
