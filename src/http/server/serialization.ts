/**
 * Serialization of answers by their schemas. Each serializer is compiled when its status is first answered: a route describes ten
 * and answers with two, and compiling all of them would take longer than the rest of the start.
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
