/**
 * Leaves the sending of a file to the reverse proxy (`MARQUEE_SENDFILE`): the response names the file in a header and has no body. The
 * server has made all its checks before. Only a trusted proxy that announces in the request that it does this gets such a response:
 * everybody else would see the path and no file.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isWithin } from '../../domain/libraries/library.ts'

export interface SendfileOptions {
  /** `x-sendfile`, or `x-accel-redirect:` and the prefix of an internal location. */
  readonly header: string
  /** Files elsewhere are never handed over. */
  readonly folders: readonly string[]
}

export interface Sendfile {
  /** Whether the proxy of this request sends files. */
  isOffered(request: FastifyRequest): boolean
  /** Sets the header; false if the server must send this file itself. */
  handOver(path: string, reply: FastifyReply): boolean
}

/** What the proxy announces; the name is that of Rack's servers. */
const ANNOUNCED = 'x-sendfile-type'
/** nginx reads all headers of a response into 4 kB. */
const LONGEST_VALUE = 2_000

export function createSendfile({ header, folders }: SendfileOptions): Sendfile {
  const [name = '', prefix = ''] = header.split(':')
  return {
    isOffered: (request) => request.method === 'GET' && cameByTrustedProxy(request) && announced(request) === name && !isSpecial(request),
    handOver(path, reply) {
      const value = folders.some((folder) => isWithin(path, folder)) ? encodedPath(path) : undefined
      if (value === undefined || prefix.length + value.length > LONGEST_VALUE) return false
      reply.header(name, prefix + value)
      return true
    },
  }
}

/** As for the forwarded headers: then there is an address beyond the connection's. */
const cameByTrustedProxy = ({ ips }: FastifyRequest): boolean => (ips?.length ?? 0) > 1

const announced = ({ headers }: FastifyRequest): string | undefined => [headers[ANNOUNCED]].flat()[0]?.toLowerCase()

/** nginx knows no tag of ours that it could compare with. */
const isSpecial = ({ headers }: FastifyRequest): boolean => headers['if-match'] !== undefined

/** Undefined if the name cannot be written as UTF-8. */
const encodedPath = (path: string): string | undefined =>
  path.isWellFormed() ? path.split('/').map(encodeURIComponent).join('/') : undefined
