/**
 * Compresses larger JSON responses with gzip if the client accepts it; other responses cost nothing. The encoded form has a strong tag of
 * its own (RFC 9110, section 8.8.1), which clients may send back instead of the plain one.
 */
import { constants, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import type { App } from './app.ts'
import { takesGzip } from './text-response.ts'
import { vary } from './vary.ts'

/** A response that fits into one packet anyway does not get faster. */
const WORTH_CHARACTERS = 1400
/** For a page of movies a higher level saves a few bytes and takes twice as long. */
const LEVEL = constants.Z_BEST_SPEED + 3

/** Runs after all hooks that read the response. */
export function addCompression(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers
    if (reply.statusCode === 304) {
      const tag = codedTag(reply)
      if (tag !== undefined && known?.includes(tag) === true) reply.header('etag', tag)
      return done(null, payload)
    }
    if (typeof payload !== 'string' || payload.length < WORTH_CHARACTERS || !isJson(reply)) return done(null, payload)
    vary(reply, 'Accept-Encoding')
    if (!takesGzip(accepted)) return done(null, payload)
    gzip(payload, { level: LEVEL }, (error, bytes) => (error ? done(error) : done(null, coded(bytes, reply))))
  })
}

function coded(bytes: Buffer, reply: FastifyReply): Buffer {
  const tag = codedTag(reply)
  reply.header('content-encoding', 'gzip')
  if (tag !== undefined) reply.header('etag', tag)
  return bytes
}

const isJson = (reply: FastifyReply) => /^application\/(?:problem\+)?json\b/.test(String(reply.getHeader('content-type')))

const SUFFIX = '.gzip"'

/** The strong tag of the encoded response. */
function codedTag(reply: FastifyReply): string | undefined {
  const tag = reply.getHeader('etag')
  return typeof tag === 'string' && tag.startsWith('"') ? tag.replace(/"$/, SUFFIX) : undefined
}

/** A client's tags, with the tags of encoded responses mapped to the plain ones: they identify the same state. */
export const plainTags = (header: string): string => header.replaceAll(SUFFIX, '"')
