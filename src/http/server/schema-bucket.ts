/**
 * Holds the named schemas. Fastify asks for all of them twice for each of 230 routes, and its own bucket copies them each time.
 */
import type { FastifyServerOptions } from 'fastify'

type CreateBucket = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['bucket']>
type Schemas = Readonly<Record<string, unknown>>

/** For Fastify's `schemaController.bucket`. A plugin's own schemas are not seen by those outside. */
export function createSchemaBucket(ofParent?: unknown): ReturnType<CreateBucket> {
  let schemas: Schemas = Object(ofParent)
  const bucket = {
    add(schema: { readonly $id: string }) {
      schemas = { ...schemas, [schema.$id]: schema }
    },
    getSchema: (id: string) => schemas[id],
    getSchemas: () => schemas,
  }
  // Fastify's types let `add` return a server, which nobody takes.
  return bucket as never
}
