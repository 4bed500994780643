/**
 * Serializes responses by their schemas. Each serializer is compiled at the first response with its status: a route describes ten statuses
 * and uses two, and compiling all of them would take longer than the rest of the start.
 */
import { SerializerSelector, type SerializerFactory } from '@fastify/fast-json-stringify-compiler'

/** For Fastify's `schemaController.compilersFactory`. */
export function createSerializerFactory(): SerializerFactory {
  const createCompiler = SerializerSelector()
  return (schemas, options) => {
    const compile = createCompiler(schemas, options)
    return (route) => {
      let serialize: ReturnType<typeof compile> | undefined
      return (answer) => (serialize ??= compile(route))(answer)
    }
  }
}
