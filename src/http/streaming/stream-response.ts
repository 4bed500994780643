/** Builds responses of the stream routes: their media types and cache lifetimes. */
import type { FastifyReply } from 'fastify'
import type { Exchange } from './stream-exchange.ts'
import { sendText } from '../server/text-response.ts'

export const PLAYLIST = 'application/vnd.apple.mpegurl'
export const WEBVTT = 'text/vtt; charset=utf-8'

/** Contains tokens, which expire. */
const FRESH = 'private, no-store'
/** Never changes. */
const KEPT = 'private, max-age=14400, immutable'

export function sendFresh(text: string, type: string, { request, reply }: Exchange): Promise<FastifyReply> {
  reply.type(type).header('cache-control', FRESH)
  return sendText(text, { request, reply })
}

export function sendKept(text: string, type: string, { request, reply }: Exchange): Promise<FastifyReply> {
  reply.type(type).header('cache-control', KEPT)
  return sendText(text, { request, reply })
}

/** A segment whose file the reverse proxy sends. */
export function sendNothing(type: string, reply: FastifyReply): FastifyReply {
  return reply.type(type).header('cache-control', KEPT).send()
}

export function sendBytes(content: Uint8Array, type: string, reply: FastifyReply): FastifyReply {
  reply.type(type).header('cache-control', KEPT)
  return reply.send(Buffer.from(content.buffer, content.byteOffset, content.byteLength))
}
