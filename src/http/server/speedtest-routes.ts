/** Serves the speed test, which measures the connection between client and server. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { App, RouteContext } from './app.ts'
import { mediaTypeOf, refuseEncoding } from './body.ts'
import { tooLarge, unsupportedMediaType } from './errors.ts'
import { BODY_ERRORS, operation } from './operation.ts'

const tag = 'speedtest'
const URL = '/v1/speedtest'
const BYTES_MAX = 100_000_000
const BYTES_DEFAULT = 10_000_000
const BYTES_TYPE = 'application/octet-stream'
const UPLOAD_MAX_BYTES = 1_048_576
const CHUNK_BYTES = 256 * 1024

const DownloadQuery = Type.Object({
  bytes: Type.Optional(Type.Integer({ minimum: 1, maximum: BYTES_MAX, default: BYTES_DEFAULT, description: 'Number of bytes.' })),
})

const TEST_DOWNLOAD = {
  ...operation({
    id: 'testDownload',
    tag,
    summary: 'Measure download speed',
    description: 'Limited to three tests a minute, download and upload together. HEAD does not count.',
    answers: { 200: { description: 'The bytes.', schema: Type.String({ format: 'binary' }), type: 'application/octet-stream' } },
    errors: [422],
  }),
  querystring: DownloadQuery,
}

const Upload = Type.Object({
  bytes: Type.Integer({ minimum: 0 }),
  seconds: Type.Number({ minimum: 0 }),
  bitsPerSecond: Type.Number({ minimum: 0 }),
})

const TEST_UPLOAD = {
  ...operation({
    id: 'testUpload',
    tag,
    summary: 'Measure upload speed',
    answers: { 200: { description: 'What was received.', schema: Upload } },
    errors: BODY_ERRORS,
  }),
  consumes: ['application/octet-stream'],
}

const config = { budget: 'speedtest' } as const

export async function addSpeedtestRoutes(app: App, { clock }: RouteContext): Promise<void> {
  app.route({
    method: 'GET',
    url: URL,
    config,
    schema: TEST_DOWNLOAD,
    handler: async (request, reply) => {
      const { bytes = BYTES_DEFAULT } = request.query
      reply.headers({ 'content-type': BYTES_TYPE, 'content-length': bytes, 'cache-control': 'no-store' })
      return reply.send(Readable.from(noise(request.method === 'HEAD' ? 0 : bytes), { objectMode: false }))
    },
  })

  // In a separate scope: here a body is measured as it arrives, and never parsed.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
      refuseEncoding(request)
      if (mediaTypeOf(request) !== BYTES_TYPE) throw unsupportedMediaType(BYTES_TYPE)
      const began = clock.monotonic()
      const bytes = await countBytes(payload)
      return measured(bytes, (clock.monotonic() - began) / 1000)
    })
    scope.route({
      method: 'POST',
      url: URL,
      config,
      schema: TEST_UPLOAD,
      handler: async ({ body }) => ({ ...measured(0, 0), ...Object(body) }),
    })
  })
}

function* noise(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= CHUNK_BYTES) yield randomBytes(Math.min(left, CHUNK_BYTES))
}

/** Not destroyed when reading stops early: the response still needs the same connection. */
async function countBytes(payload: IncomingMessage): Promise<number> {
  let bytes = 0
  const incoming: AsyncIterable<Buffer> = payload.iterator({ destroyOnReturn: false })
  for await (const chunk of incoming) {
    bytes += chunk.length
    if (bytes > UPLOAD_MAX_BYTES) throw tooLarge()
  }
  return bytes
}

/** Shorter durations than the clock resolves count as this. */
const LEAST_SECONDS = 1e-6

function measured(bytes: number, seconds: number): Static<typeof Upload> {
  return { bytes, seconds, bitsPerSecond: bytes === 0 ? 0 : Math.round((bytes * 8) / Math.max(seconds, LEAST_SECONDS)) }
}
