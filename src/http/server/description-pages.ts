/**
 * Serves the pages that show the description. Their plugin is loaded when somebody opens one: into a server of its own, since routes cannot
 * be added to a server that listens.
 */
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { notFound } from './errors.ts'

const FOLDER = '/docs'
const FILES = `${FOLDER}/static/*`

export const PAGE_PATHS = [FOLDER, `${FOLDER}/`, `${FOLDER}/static/index.html`, `${FOLDER}/static/swagger-initializer.js`, FILES] as const

type Page = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Headers that belong to the connection, or to the body that is sent here. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

export function createPages(): Page {
  let loading: ReturnType<typeof load> | undefined
  /** The next request tries again. */
  const forgotten = (cause: unknown): never => {
    loading = undefined
    throw cause
  }
  return async (request, reply) => {
    if (!isOfPages(request)) throw notFound()
    const pages = await (loading ??= load().catch(forgotten))
    const { statusCode, headers, rawPayload } = await pages.inject({ method: 'GET', url: request.url, headers: request.headers })
    if (statusCode === 404) throw notFound()
    if (statusCode >= 400) throw new Error(`A page of the description could not be read: ${statusCode}`)
    for (const [name, value] of Object.entries(headers)) if (!OWN_HEADERS.has(name)) reply.header(name, value)
    const body = isInitializer(request.url) ? pointed(rawPayload) : rawPayload
    return reply.code(statusCode).send(body.length === 0 ? undefined : body)
  }
}

async function load() {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([import('@fastify/swagger'), import('@fastify/swagger-ui')])
  const app = fastify()
  // The pages' plugin asks for it.
  await app.register(swagger)
  await app.register(swaggerUi, { routePrefix: FOLDER, uiConfig: { tryItOutEnabled: true } })
  await app.ready()
  return app
}

/** The plugin's files are in one folder; for any other path it would return an internal error. */
function isOfPages({ routeOptions, params }: FastifyRequest): boolean {
  return routeOptions.url !== FILES || /^\w[\w.-]{0,99}$/.test(String(Reflect.get(Object(params), '*')))
}

const isInitializer = (url: string) => url.startsWith(`${FOLDER}/static/swagger-initializer.js`)

/** The pages load the copy next to them; the plugin uses another name for it, which cannot be configured. */
const pointed = (payload: Buffer) => payload.toString().replace("'./json'", "'./openapi.json'")
