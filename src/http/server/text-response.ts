/** Sends text such as playlists, gzip-encoded if the client accepts it. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { vary } from './vary.ts'

const compress = promisify(gzip)
/** Below this size compression saves nothing. */
const WORTH_BYTES = 512

export async function sendText(text: string, { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply }) {
  const bytes = Buffer.from(text)
  vary(reply, 'Accept-Encoding')
  if (bytes.length < WORTH_BYTES || !takesGzip(request.headers['accept-encoding'])) return reply.send(bytes)
  return reply.header('content-encoding', 'gzip').send(await compress(bytes))
}

type AcceptEncoding = string | string[] | undefined

export const takesGzip = (header: AcceptEncoding): boolean => takesCoding(header, 'gzip')

/** Whether an Accept-Encoding header allows the encoding (RFC 9110, section 12.5.3). */
export function takesCoding(header: AcceptEncoding, coding: 'gzip' | 'br'): boolean {
  const codings = [header ?? []].flat().join(',').toLowerCase().split(',')
  const weights = new Map(
    codings.map((coding) => {
      const [name = '', ...parameters] = coding.split(';').map((part) => part.trim())
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))] as const
    }),
  )
  return weights.get(coding) ?? weights.get('*') ?? false
}
