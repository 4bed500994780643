/** Every text that a client can send has a length limit. */
import t from 'tap'
import { startServer } from '../http-server.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly maxLength?: number
  readonly maxItems?: number
  readonly format?: string
  readonly pattern?: string
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

/** Dates, and patterns that limit the length. */
const isShort = ({ format = '', pattern = '+' }: Schema) => ['date', 'date-time'].includes(format) || !/[*+]|,\}/.test(pattern)

/** Paths of unlimited texts. */
function unbounded(schema: Schema, path: string): readonly string[] {
  const types = new Set([schema.type ?? []].flat())
  const endless = types.has('string') && !schema.enum && schema.maxLength === undefined && !isShort(schema)
  const long = types.has('array') && schema.maxItems === undefined
  return [
    ...(endless || long ? [path] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => unbounded(member, `${path}.${name}`)),
    ...(schema.items ? unbounded(schema.items, `${path}[]`) : []),
    ...(schema.anyOf ?? []).flatMap((branch) => unbounded(branch, path)),
  ]
}

t.test('every text in a query or body has a greatest length, every list a greatest number', async (t) => {
  const server = await startServer(t)
  const { paths } = (await server.ask('GET', '/v1/openapi.json')).json<{ paths: Record<string, Record<string, Operation>> }>()
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, parameters = [], requestBody } = operation
    const queries = parameters.filter((parameter) => parameter.in === 'query' && parameter.name !== 'token')
    const open = [
      ...queries.flatMap(({ name, schema }) => unbounded(schema, name)),
      ...Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) =>
        type === 'application/json' ? unbounded(schema, 'body') : [],
      ),
    ]
    t.strictSame(open, [], operationId)
  }
})
