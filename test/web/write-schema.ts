/** Writes the API types of the web client (`npm run web:types`), generated from the server's own description. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { startServer } from '../http/http-server.ts'

export const SCHEMA = join(import.meta.dirname, '../../web/api/schema.d.ts')

/** The text of `web/api/schema.d.ts`. */
export async function schemaText(t: { teardown(done: () => unknown): unknown }): Promise<string> {
  const server = await startServer(t)
  const { text } = await server.ask('GET', '/v1/openapi.json')
  return `/** Made from the description of the API by \`npm run web:types\`. */\n${astToString(await openapiTypescript(text))}`
}

if (import.meta.main) {
  const ends: (() => unknown)[] = []
  writeFileSync(SCHEMA, await schemaText({ teardown: (done) => ends.push(done) }))
  for (const end of ends) await end()
}
