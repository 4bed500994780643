/**
 * Serves the streams of a playback session. Every request is authorized by its token and session first. Then anchored patterns parse the
 * names in its path; other names are a 404.
 */
import { Type } from 'typebox'
import type { FastifyReply } from 'fastify'
import { parseQuality, parseQualityFile, parseSubtitleFile, type Quality } from '../../domain/streaming/stream-name.ts'
import { withImages } from '../../domain/streaming/trickplay-playlists.ts'
import { FILE_REPLACED, isUnchangedIn } from '../../app/playback/session-file.ts'
import { abortable } from '../../concurrency/timeout.ts'
import type { App, RouteContext } from '../server/app.ts'
import { notFound, unavailable, unwrap } from '../server/errors.ts'
import { MEDIA_FILE, sendMediaFile } from './direct-file.ts'
import { operation } from '../server/operation.ts'
import { Id } from '../server/values-schemas.ts'
import { PLAYLIST, sendBytes, sendFresh, sendKept, sendNothing, WEBVTT } from './stream-response.ts'
import { createStreamExchange, type Exchange, type ExchangeServices, type StreamExchange } from './stream-exchange.ts'
import type { StreamAnswer, StreamAsk } from '../../app/streaming/stream-answers.ts'
import { addTrickplayRoute } from './trickplay-routes.ts'

const tag = 'streams'
const by = 'streams'
const BASE = '/api/stream/:sessionId'

const text = Type.String()
const bytes = Type.String({ format: 'binary' })
const playlist = (description: string) => ({ 200: { description, schema: text, type: PLAYLIST } })
const quality = Type.String({ examples: ['original', '720p', 'audio-0'] })
const Session = Type.Object({ sessionId: Id })

const GET_MASTER_PLAYLIST = {
  ...operation({
    id: 'getMasterPlaylist',
    tag,
    by,
    summary: 'Get the HLS master playlist',
    description: 'Its URLs are relative. Each has the current stream token of the session.',
    answers: playlist('Qualities, audio and subtitles.'),
  }),
  params: Session,
}

const GET_MEDIA_PLAYLIST = {
  ...operation({ id: 'getMediaPlaylist', tag, by, summary: 'Get the HLS playlist of a quality', answers: playlist('Every segment.') }),
  params: Type.Object({ sessionId: Id, quality }),
}

const GET_IFRAME_PLAYLIST = {
  ...operation({
    id: 'getIframePlaylist',
    tag,
    by,
    summary: 'Get the HLS I-frame playlist of a quality',
    description: 'Lists the first frame of each segment. Audio has none.',
    answers: playlist('One frame per segment.'),
  }),
  params: Type.Object({ sessionId: Id, quality }),
}

const GET_SEGMENT = {
  ...operation({
    id: 'getSegment',
    tag,
    by,
    summary: 'Get an HLS segment, or its first frame',
    description: 'The server makes a segment on request. It never changes.',
    answers: { 200: { description: 'Fragmented MP4.', schema: bytes, type: ['video/*', 'audio/*'] } },
  }),
  params: Type.Object({ sessionId: Id, quality, filename: Type.String({ examples: ['init.mp4', 'seg-0.m4s', 'iframe-0.m4s'] }) }),
}

const GET_SUBTITLE = {
  ...operation({
    id: 'getSubtitle',
    tag,
    by,
    summary: 'Get subtitles as WebVTT',
    answers: {
      200: { description: 'A whole track, a segment of one, or the playlist of its segments.', schema: text, type: ['text/vtt', PLAYLIST] },
    },
  }),
  params: Type.Object({ sessionId: Id, filename: Type.String({ examples: ['0.vtt', '0.m3u8', '0-1.vtt'] }) }),
}

const GET_FILE = {
  ...operation({
    id: 'getFile',
    tag,
    by,
    summary: 'Get the media file as it is',
    ...MEDIA_FILE,
  }),
  params: Session,
}

type StreamServices = ExchangeServices | 'playback' | 'streams' | 'trickplay'

interface StreamContext extends RouteContext<StreamServices> {
  readonly admit: StreamExchange
}

export function addStreamRoutes(app: App, context: RouteContext<StreamServices>): void {
  const admitToFile = createStreamExchange(context)
  const streamContext = { ...context, admit: toUnchanged(admitToFile) }
  addPlaylistRoutes(app, streamContext)
  addIframePlaylistRoute(app, streamContext)
  addSegmentRoute(app, streamContext)
  addSubtitleRoute(app, streamContext)
  addTrickplayRoute(app, streamContext)
  addFileRoutes(app, { ...context, admit: admitToFile })
}

/** Segments of another content must not follow those of the session's. @throws HttpError 404 if its file was replaced */
const toUnchanged =
  (admit: StreamExchange): StreamExchange =>
  async (exchange, sessionId) => {
    const ask = await admit(exchange, sessionId)
    unwrap(isUnchangedIn(ask.session, ask.file) ? ask : FILE_REPLACED)
    return ask
  }

function addPlaylistRoutes(app: App, { services, admit }: StreamContext): void {
  const { streams } = services

  app.route({
    method: 'GET',
    url: `${BASE}/master.m3u8`,
    schema: GET_MASTER_PLAYLIST,
    handler: async (request, reply) => {
      const ask = await admit({ request, reply }, request.params.sessionId)
      const master = await contentOf(streams.master(ask), ask)
      services.playback.masterGiven(ask.session.id)
      const images = await abortable(services.trickplay.plan(ask.file), ask.signal)
      return sendPlaylist(images ? withImages(master, images, ask.token) : master, { request, reply })
    },
  })

  app.route({
    method: 'GET',
    url: `${BASE}/:quality/playlist.m3u8`,
    schema: GET_MEDIA_PLAYLIST,
    handler: async (request, reply) => {
      const ask = await admit({ request, reply }, request.params.sessionId)
      const quality = parseQuality(request.params.quality)
      return sendPlaylist(await contentOf(quality && streams.mediaPlaylist(ask, quality), ask), { request, reply })
    },
  })
}

function addIframePlaylistRoute(app: App, { services, admit }: StreamContext): void {
  const { streams } = services

  app.route({
    method: 'GET',
    url: `${BASE}/:quality/iframes.m3u8`,
    schema: GET_IFRAME_PLAYLIST,
    handler: async (request, reply) => {
      const ask = await admit({ request, reply }, request.params.sessionId)
      const quality = parseQuality(request.params.quality)
      return sendPlaylist(await contentOf(quality && streams.iframePlaylist(ask, quality), ask), { request, reply })
    },
  })
}

function addSegmentRoute(app: App, { services, admit, sendfile }: StreamContext): void {
  const { streams } = services

  /** Whether the reverse proxy sends it, from the cache on disk. Ranges of segments are not served. */
  async function isHandedOver(ask: StreamAsk, quality: Quality, segment: number, { request, reply }: Exchange): Promise<boolean> {
    if (sendfile?.isOffered(request) !== true || request.headers.range !== undefined) return false
    const file = await streams.segmentFile(ask, quality, segment)
    return file !== undefined && sendfile.handOver(file.path, reply)
  }

  app.route({
    method: 'GET',
    url: `${BASE}/:quality/:filename`,
    schema: GET_SEGMENT,
    handler: async (request, reply) => {
      const { sessionId, quality, filename } = request.params
      const ask = await admit({ request, reply }, sessionId)
      const name = { quality: parseQuality(quality), file: parseQualityFile(filename) }
      if (!name.quality) throw notFound()
      if (name.file?.type === 'init') return sendBytes(await contentOf(streams.init(ask, name.quality), ask), initType(name.quality), reply)
      if (name.file?.type !== 'segment' && name.file?.type !== 'iframe') throw notFound()
      const { type, segment } = name.file
      if (type === 'segment' && (await isHandedOver(ask, name.quality, segment, { request, reply })))
        return sendNothing('video/iso.segment', reply)
      const made = type === 'segment' ? streams.segment(ask, name.quality, segment) : streams.iframe(ask, name.quality, segment)
      return sendBytes(await contentOf(made, ask), 'video/iso.segment', reply)
    },
  })
}

function addSubtitleRoute(app: App, { services, admit }: StreamContext): void {
  const { streams } = services

  app.route({
    method: 'GET',
    url: `${BASE}/subtitles/:filename`,
    schema: GET_SUBTITLE,
    handler: async (request, reply) => {
      const { sessionId, filename } = request.params
      const ask = await admit({ request, reply }, sessionId)
      const name = parseSubtitleFile(filename)
      if (name?.type === 'playlist')
        return sendPlaylist(await contentOf(streams.subtitlePlaylist(ask, name.index), ask), { request, reply })
      if (!name) throw notFound()
      const track = name.type === 'whole' ? streams.subtitle(ask, name.index) : streams.subtitlePiece(ask, name.index, name.piece)
      return sendKept(await contentOf(track, ask), WEBVTT, { request, reply })
    },
  })
}

function addFileRoutes(app: App, { clock, admit, sendfile }: StreamContext): void {
  const send = async (exchange: Exchange, sessionId: string): Promise<FastifyReply> => {
    const { file } = await admit(exchange, sessionId)
    return sendMediaFile({ path: file.path, clock, sendfile, ...exchange })
  }
  // HEAD has its own route: Fastify's would read the whole file to determine its length.
  app.route({
    method: 'GET',
    url: `${BASE}/file`,
    schema: GET_FILE,
    exposeHeadRoute: false,
    handler: (request, reply) => send({ request, reply }, request.params.sessionId),
  })
  app.route({
    method: 'HEAD',
    url: `${BASE}/file`,
    schema: { params: Session, calledBy: by, hide: true },
    handler: (request, reply) => send({ request, reply }, request.params.sessionId),
  })
}

const sendPlaylist = (text: string, exchange: Exchange): Promise<FastifyReply> => sendFresh(text, PLAYLIST, exchange)

const initType = (quality: Quality) => (quality.type === 'audio' ? 'audio/mp4' : 'video/mp4')

/**
 * The engine's content. @throws HttpError 404 for content that the session does not have, 503 for content that cannot be made now, and the
 * signal's reason if access is lost or the client disconnects meanwhile
 */
async function contentOf<Content extends string | Uint8Array>(
  answer: StreamAnswer<Content> | undefined,
  { signal }: StreamAsk,
): Promise<Content> {
  const content = answer && (await abortable(answer, signal))
  if (content === undefined) throw notFound()
  if (typeof content === 'object' && 'unavailable' in content) throw unavailable(content.unavailable, content.retryAfterSeconds)
  return content
}
