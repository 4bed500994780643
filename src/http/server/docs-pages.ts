/**
 * The pages to browse the description: files of `@fastify/swagger-ui`. Its plugin is not used, since it loads a server of files and a
 * parser of YAML at the start, for pages that few people open.
 */
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './errors.ts'
import { checkPreconditions } from './preconditions.ts'

export interface DocsPages {
  page(url: string): string
  /** Starts the pages with the description beside them. */
  initializer(): string
  sendFile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

interface PageOptions {
  readonly prefix: string
  readonly staticPrefix: string
  readonly uiConfig: Readonly<Record<string, unknown>>
  readonly initOAuth: Readonly<Record<string, unknown>>
}

export const SCRIPT_TYPE = 'application/javascript; charset=utf-8'
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': SCRIPT_TYPE,
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}
/** All files lie in one folder. */
const NAME = /^\w[\w.-]{0,99}$/

/** Loads the package when it is needed first. */
export function createDocsPages(prefix: string): DocsPages {
  const load = createRequire(import.meta.url)
  const options: PageOptions = { prefix, staticPrefix: '/static', uiConfig: { tryItOutEnabled: true }, initOAuth: {} }
  let folder: string | undefined
  return {
    page(url) {
      const createPage = load('@fastify/swagger-ui/lib/index-html.js') as (options: PageOptions) => (url: string) => string
      return createPage(options)(url)
    },
    initializer() {
      const create = load('@fastify/swagger-ui/lib/swagger-initializer.js') as (options: PageOptions) => string
      // The package has another name for the description, which it does not let us set.
      return create(options).replace("'./json'", "'./openapi.json'")
    },
    async sendFile(request, reply) {
      const name = String(Reflect.get(Object(request.params), '*'))
      const type = TYPES[extname(name)]
      if (!NAME.test(name) || type === undefined) throw notFound()
      folder ??= join(dirname(load.resolve('@fastify/swagger-ui/package.json')), 'static')
      const path = join(folder, name)
      const found = await stat(path).catch(() => undefined)
      if (!found?.isFile()) throw notFound()
      const etag = `"${found.size.toString(36)}-${Math.trunc(found.mtimeMs).toString(36)}"`
      const known = request.headers['if-none-match']
      reply.header('cache-control', 'public, no-cache').header('etag', etag)
      if (known !== undefined && checkPreconditions({ 'if-none-match': known }, { etag }) === 'not-modified') return reply.code(304).send()
      return reply.type(type).send(await readFile(path))
    },
  }
}
