/** Serves the OpenAPI description, and pages to browse it. */
import { Type } from 'typebox'
import type { RouteHandlerMethod } from 'fastify'
import type { App, RouteContext } from './app.ts'
import { createPages, PAGE_PATHS } from './description-pages.ts'
import { operation } from './operation.ts'
import { createTextCache, type TextCache } from './text-cache.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const YAML_TYPE = 'application/x-yaml'

const OPEN = { access: 'public', servedWhileStale: true } as const
const HIDDEN = { hide: true } as const

const GET_DESCRIPTION = operation({
  id: 'getDescription',
  tag: 'description',
  summary: 'Get this description as OpenAPI 3.1',
  answers: { 200: { description: 'An OpenAPI document.', schema: Type.Object({}, { additionalProperties: true }) } },
})

export function addDescriptionRoutes(app: App, { description }: Pick<RouteContext, 'description'>): void {
  const json = createTextCache(JSON_TYPE, description.json)
  const yaml = createTextCache(YAML_TYPE, description.yaml)
  const kept =
    (text: TextCache): RouteHandlerMethod =>
    (request, reply) =>
      text.send(request, reply)
  app.route({
    method: 'GET',
    url: '/v1/openapi.json',
    schema: GET_DESCRIPTION,
    handler: async (_request, reply) => reply.type(JSON_TYPE).send(await json.text()),
  })
  for (const [url, text] of [
    ['/docs/openapi.json', json],
    ['/docs/json', json],
    ['/docs/yaml', yaml],
  ] as const)
    app.route({ method: 'GET', url, config: OPEN, schema: HIDDEN, handler: kept(text) })
  const page = createPages()
  for (const url of PAGE_PATHS) app.route({ method: 'GET', url, config: OPEN, schema: HIDDEN, handler: page })
}
