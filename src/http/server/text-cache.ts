/**
 * Serves a text that is the same for everybody during the process's lifetime. It is generated and gzip-encoded at the first request, then
 * served from memory. Both forms have a strong tag.
 */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { plainTags } from './compression.ts'
import { checkPreconditions } from './preconditions.ts'
import { takesGzip } from './text-response.ts'
import { vary } from './vary.ts'

export interface TextCache {
  /** The text itself. */
  text(): Promise<string>
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

interface Kept {
  readonly plain: Buffer
  readonly coded: Buffer
  readonly digest: string
}

const compress = promisify(gzip)
const DIGEST_LENGTH = 22

/** `type`: the media type, with its charset. */
export function createTextCache(type: string, make: () => Promise<string>): TextCache {
  let made: Promise<string> | undefined
  let kept: Promise<Kept> | undefined
  const text = () => (made ??= make().catch(forgotten))
  /** The next request tries again. */
  const forgotten = (cause: unknown): never => {
    made = kept = undefined
    throw cause
  }

  async function keep(): Promise<Kept> {
    const plain = Buffer.from(await text())
    return { plain, coded: await compress(plain), digest: hash('sha256', plain, 'base64url').slice(0, DIGEST_LENGTH) }
  }

  return {
    text,
    async send({ headers }, reply) {
      const { plain, coded, digest } = await (kept ??= keep())
      const known = headers['if-none-match']
      const etag = `"${digest}"`
      vary(reply, 'Accept-Encoding')
      reply.header('cache-control', 'public, no-cache').header('etag', etag)
      if (known !== undefined && checkPreconditions({ 'if-none-match': plainTags(known) }, { etag }) === 'not-modified') {
        return reply.code(304).send()
      }
      reply.type(type)
      if (!takesGzip(headers['accept-encoding'])) return reply.send(plain)
      return reply.header('content-encoding', 'gzip').header('etag', `"${digest}.gzip"`).send(coded)
    },
  }
}
