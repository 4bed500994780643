/** Sends a film file unchanged: whole or one range, with back-pressure, and closes it when the client disconnects. */
import { extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { openMedia, type MediaHandle } from '../../drives/media-files.ts'
import type { Clock } from '../../ports/clock.ts'
import { preconditionFailed, rangeNotSatisfiable, unavailable } from '../server/errors.ts'
import { checkPreconditions, rangeHolds, type Validators } from '../server/preconditions.ts'
import { readRange } from '../server/ranges.ts'
import { fileBody } from './file-body.ts'
import type { Sendfile } from '../server/sendfile.ts'

interface StreamedFile extends Required<Validators> {
  readonly handle: MediaHandle
  readonly sizeBytes: number
}

export interface MediaFileRequest {
  readonly path: string
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly clock: Clock
  /** Default: this server sends the file. */
  readonly sendfile?: Sendfile | undefined
}

const bytes = Type.String({ format: 'binary' })

/** Responses of an operation that sends a film file. */
export const MEDIA_FILE = {
  answers: {
    200: { description: 'The whole file.', schema: bytes, type: 'video/*' },
    206: { description: 'The requested range.', schema: bytes, type: 'video/*' },
    304: { description: 'The file has not changed.' },
  },
  errors: [412, 416],
} as const

/** Longest time for a sleeping drive to wake up. */
const OPEN_MS = 10_000
const AWAY_RETRY_SECONDS = 30

const TYPES: Readonly<Record<string, string>> = {
  '.avi': 'video/x-msvideo',
  '.m2ts': 'video/mp2t',
  '.m4v': 'video/mp4',
  '.mkv': 'video/x-matroska',
  '.mov': 'video/quicktime',
  '.mp4': 'video/mp4',
  '.mpeg': 'video/mpeg',
  '.mpg': 'video/mpeg',
  '.ogv': 'video/ogg',
  '.ts': 'video/mp2t',
  '.webm': 'video/webm',
}

export async function sendMediaFile(mediaFile: MediaFileRequest): Promise<FastifyReply> {
  const file = await openMediaFile(mediaFile)
  try {
    return await answer(file, mediaFile)
  } catch (cause) {
    file.handle.close()
    throw cause
  }
}

async function answer(file: StreamedFile, { path, request, reply, sendfile }: MediaFileRequest): Promise<FastifyReply> {
  const { etag, modifiedAtSeconds, sizeBytes } = file
  reply.headers({ etag, 'last-modified': new Date(modifiedAtSeconds * 1000).toUTCString(), 'cache-control': 'private, no-cache' })
  const condition = checkPreconditions(request.headers, file)
  if (condition === 'failed') throw preconditionFailed()
  if (condition === 'not-modified') return closed(file, reply.code(304))

  const range = rangeOf(request, file)
  if (range === 'unsatisfiable') throw rangeNotSatisfiable(sizeBytes)
  reply.type(TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream')
  // A range that this server does not serve is one that the proxy might.
  const isUsual = range !== 'whole' || request.headers.range === undefined
  if (isUsual && sendfile?.isOffered(request) === true && sendfile.handOver(path, reply)) return closed(file, reply)

  const { first, last } = range === 'whole' ? { first: 0, last: sizeBytes - 1 } : range
  if (range !== 'whole') reply.code(206).header('content-range', `bytes ${first}-${last}/${sizeBytes}`)
  reply.headers({ 'accept-ranges': 'bytes', 'content-length': last - first + 1 })
  if (request.method === 'HEAD' || sizeBytes === 0) return closed(file, reply)
  request.leaveToClient()
  return reply.send(fileBody(file.handle, { first, last }, reply.raw))
}

/** Ranges apply only to GET. */
function rangeOf({ method, headers }: FastifyRequest, file: StreamedFile) {
  const applies = method === 'GET' && rangeHolds([headers['if-range']].flat()[0], file)
  return readRange(applies ? headers.range : undefined, file.sizeBytes)
}

function closed(file: StreamedFile, reply: FastifyReply): FastifyReply {
  file.handle.close()
  return reply.send()
}

/** @throws HttpError 503 if the file is unavailable: a drive may be reconnected */
async function openMediaFile({ path, request, clock }: MediaFileRequest): Promise<StreamedFile> {
  const late = Promise.withResolvers<never>()
  const opening = describe(path)
  const stop = clock.after(OPEN_MS, () => late.reject(new Error('The drive does not answer')))
  try {
    return await Promise.race([opening, late.promise])
  } catch (err) {
    opening.then(
      ({ handle }) => handle.close(),
      () => {},
    )
    request.log.warn({ err }, 'a film file cannot be opened')
    throw unavailable('The file is not available at the moment', AWAY_RETRY_SECONDS)
  } finally {
    stop()
  }
}

async function describe(path: string): Promise<StreamedFile> {
  const handle = await openMedia(path)
  try {
    const stat = await handle.exactStat()
    if (!stat.isFile()) throw new Error('Not a file')
    const etag = `"${[stat.size, stat.mtimeNs, stat.ino].map((part) => part.toString(16)).join('-')}"`
    return { handle, sizeBytes: Number(stat.size), etag, modifiedAtSeconds: Number(stat.mtimeNs / 1_000_000_000n) }
  } catch (cause) {
    handle.close()
    throw cause
  }
}
