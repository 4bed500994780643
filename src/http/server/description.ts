/**
 * Makes the OpenAPI description when somebody asks for it. The plugin describes the server that it is part of, so the routes are added again
 * to a server that answers nobody: the start need not load the plugin, and the memory of its work goes back.
 */
import fastify, { type RouteOptions } from 'fastify'
import type { SwaggerTransformObject } from '@fastify/swagger'
import type { App, Description } from './app.ts'
import { DESCRIPTION, SECURITY_SCHEMES, TAGS } from './description-texts.ts'
import { withErrors } from './operation.ts'
import { CONDITIONAL_WRITES } from './preconditions.ts'

type OpenApiDocument = Extract<Parameters<SwaggerTransformObject>[0], { openapiObject: unknown }>['openapiObject']

/** Describes the routes that are added from now on. */
export function describeInterface(app: App, version: string): Description {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && route.schema?.hide !== true) routes.push(route)
  })
  const described = async () => {
    const shadow = await withPlugin(version)
    for (const schema of Object.values(app.getSchemas())) shadow.addSchema(schema)
    for (const { method, url, schema, config } of routes)
      shadow.route({ method, url, handler: async () => undefined, ...(schema && { schema }), ...(config && { config }) })
    await shadow.ready()
    return shadow
  }
  return {
    json: async () => JSON.stringify((await described()).swagger()),
    yaml: async () => (await described()).swagger({ yaml: true }),
  }
}

/** A server that checks and serializes nothing. */
async function withPlugin(version: string) {
  const { default: swagger } = await import('@fastify/swagger')
  const app = fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => () => '')
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Marquee', version, description: DESCRIPTION },
      servers: [{ url: '/', description: 'This server.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    transformObject: (document) => ('openapiObject' in document ? withOptionalBodies(document.openapiObject) : document.swaggerObject),
    transform: ({ schema, url, route }) => ({ schema: withErrors(schema, conventionsOf(url, route)), url }),
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => (typeof json.$id === 'string' ? json.$id : `schema-${index}`) },
  })
  return app
}

function conventionsOf(url: string, { method, config }: Pick<RouteOptions, 'method' | 'config'>) {
  const writes = [method].flat().some((one) => CONDITIONAL_WRITES.has(one))
  const conditional = method === 'GET' ? ('read' as const) : writes ? ('write' as const) : undefined
  return {
    conditional: url.startsWith('/v1/') ? conditional : undefined,
    keyed: config?.idempotent !== undefined,
    scope: config?.scope,
    anyBody: config?.anyBody === true,
  }
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
