import { readFileSync } from 'node:fs'
import t from 'tap'
import { SCHEMA, schemaText } from './write-schema.ts'

t.test('the types of the web client are those that the server describes', async (t) => {
  t.equal(readFileSync(SCHEMA, 'utf8'), await schemaText(t), 'npm run web:types writes them anew')
})
