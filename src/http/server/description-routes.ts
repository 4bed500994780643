/** Serves the OpenAPI description, and pages to browse it. */
import swagger, { type SwaggerTransformObject } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import type { App } from './app.ts'
import { notFound } from './errors.ts'
import { createTextCache, type TextCache } from './text-cache.ts'
import { operation, withErrors } from './operation.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const YAML_TYPE = 'application/x-yaml'
type OpenApiDocument = Extract<Parameters<SwaggerTransformObject>[0], { openapiObject: unknown }>['openapiObject']

const OPEN = { access: 'public', servedWhileStale: true } as const

const TAGS: Readonly<Record<string, string>> = {
  'sign-in': 'Signing in and out.',
  users: 'Users, their permissions and their logins.',
  libraries: 'Libraries: folders of films on disk.',
  scans: 'Scans that find the files of a library.',
  movies: "Movies, their credits and files, and the caller's watched marks.",
  playback: 'Playback sessions, and movies to continue watching.',
  streams: 'Streams of a playback session: HLS, the file itself, subtitles.',
  changes: 'Changes, for clients that keep a copy.',
  agents: 'For transcode agents on other machines.',
  images: 'Images.',
  events: 'Live events.',
  history: 'What was watched, by whom, when and how.',
  audit: 'Who did what, and proofs that nobody changed it since; for administrators.',
  webhooks: 'Events that the server sends to other programs; for administrators.',
  speedtest: 'Speed of the connection to the server.',
  server: 'State of the server, for administrators.',
  health: 'Health checks.',
  description: 'This description.',
}

const DESCRIPTION = `A media server for a household. Sign in at \`/api/auth/sign-in/email\` and send the token as
\`Authorization: Bearer\`. Errors are \`{"error": "..."}\`; validation errors list every problem in \`details\`. Clients whose \`Accept\`
names \`application/problem+json\` get problem details (RFC 9457). Lists have pages: request the next one with \`cursor\` set to the
\`nextCursor\` of the page before. Times are RFC 3339 in UTC, positions and durations are seconds.
Reads under \`/v1\` carry \`X-Log-Seq\`: events after it may not be in the answer. Given to \`/api/events\` as \`lastEventId\`, none is missed.`

const BEARER = `Token from signing in, or an access token (\`/v1/users/me/access-tokens\`). An access token needs the scope that an operation
names: \`read\`, \`playback\`, \`write\` or \`admin\`. Operations that name \`sign-in\` refuse every access token.`

/** Registered before the first route. */
const GET_DESCRIPTION = operation({
  id: 'getDescription',
  tag: 'description',
  summary: 'Get this description as OpenAPI 3.1',
  answers: { 200: { description: 'An OpenAPI document.', schema: Type.Object({}, { additionalProperties: true }) } },
})

export async function describeInterface(app: App, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Marquee', version, description: DESCRIPTION },
      servers: [{ url: '/', description: 'This server.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: BEARER },
          cookie: {
            type: 'apiKey',
            in: 'cookie',
            name: 'session_token',
            description: `Set by signing in; for web clients. On https its name is \`__Host-session_token\`; a request with both uses that
one. Requests that change something are rejected (403) if a page of another origin sends them; ports count.`,
          },
          streamToken: {
            type: 'apiKey',
            in: 'query',
            name: 'token',
            description: 'Stream token of the session, or an access token, for players that cannot set headers.',
          },
          accessToken: { type: 'apiKey', in: 'query', name: 'token', description: 'Access token, for clients that cannot set headers.' },
          jobToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'Token that a transcode agent gets with a job. It opens only the media file of that job.',
          },
        },
      },
    },
    transformObject: (document) => ('openapiObject' in document ? withOptionalBodies(document.openapiObject) : document.swaggerObject),
    transform: ({ schema, url, route }) => ({ schema: withErrors(schema, conventionsOf(url, route)), url }),
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => (typeof json.$id === 'string' ? json.$id : `schema-${index}`) },
  })
}

function conventionsOf(url: string, { method, config }: Pick<RouteOptions, 'method' | 'config'>) {
  const writes = method === 'PATCH' || method === 'DELETE'
  const conditional = method === 'GET' ? ('read' as const) : writes ? ('write' as const) : undefined
  return { conditional: url.startsWith('/v1/') ? conditional : undefined, keyed: config?.idempotent !== undefined, scope: config?.scope }
}

/** The plugin marks every body as required; a body without required members may be omitted (body.ts). */
function withOptionalBodies(document: OpenApiDocument): OpenApiDocument {
  for (const item of Object.values(document.paths ?? {})) {
    for (const body of [item?.post, item?.put, item?.patch].map((operation) => operation?.requestBody)) {
      if (body === undefined || '$ref' in body) continue
      const schemas = Object.values(body.content).map(({ schema }) => schema)
      body.required = !schemas.every((schema) => schema && 'properties' in schema && schema.required === undefined)
    }
  }
  return document
}

export async function addDescriptionRoutes(app: App): Promise<void> {
  const description = createTextCache(JSON_TYPE, () => JSON.stringify(app.swagger()))
  const yaml = createTextCache(YAML_TYPE, () => app.swagger({ yaml: true }))
  const kept =
    (text: TextCache): RouteHandlerMethod =>
    (request, reply) =>
      text.send(request, reply)
  app.route({
    method: 'GET',
    url: '/v1/openapi.json',
    schema: GET_DESCRIPTION,
    handler: async (_request, reply) => reply.type(JSON_TYPE).send(description.text()),
  })
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...OPEN }
      // The plugin would generate both for each request.
      if (route.url === '/docs/json') route.handler = kept(description)
      if (route.url === '/docs/yaml') route.handler = kept(yaml)
    })
    docs.addHook('onRequest', (request, _reply, done) => done(isOfPages(request) ? undefined : notFound()))
    docs.addHook('onSend', async (request, _reply, payload) => (isInitializer(request.url) ? pointed(payload) : payload))
    docs.route({ method: 'GET', url: '/docs/openapi.json', schema: { hide: true }, handler: kept(description) })
    await docs.register(swaggerUi, { routePrefix: '/docs', uiConfig: { tryItOutEnabled: true } })
  })
}

/** The plugin's files are in one folder; for any other path it would return an internal error. */
function isOfPages({ routeOptions, params }: FastifyRequest): boolean {
  return routeOptions.url !== '/docs/static/*' || /^\w[\w.-]{0,99}$/.test(String(Reflect.get(Object(params), '*')))
}

const isInitializer = (url: string) => url.startsWith('/docs/static/swagger-initializer.js')

/** The pages load the copy next to them; the plugin uses another name for it, which cannot be configured. */
const pointed = (payload: unknown) => (typeof payload === 'string' ? payload.replace("'./json'", "'./openapi.json'") : payload)
