import t, { type Test } from 'tap'
import { changePreferences, preferences, preferencesQuery } from '../../../web/data/preferences.ts'
import { queryClient } from '../../../web/data/query-client.ts'
import { forget } from '../../../web/data/who.ts'

const FAILED = (): Response => Response.json({ error: 'Busy' }, { status: 500 })
const refused = { ok: false, problem: { status: 500, message: 'Busy' } }

/** Stands in for the server of one person. Returns the stored preferences, and whether the next requests fail. */
function serve(t: Test, stored: object) {
  const server = { stored, failsReads: false, failsWrites: false }
  const before = globalThis.fetch
  globalThis.fetch = async (_address, { method, body } = {}) => {
    if (method === 'GET') return server.failsReads ? FAILED() : Response.json(server.stored)
    if (server.failsWrites) return FAILED()
    server.stored = JSON.parse(String(body)) as object
    return Response.json(server.stored)
  }
  t.teardown(() => {
    globalThis.fetch = before
    queryClient.clear()
  })
  return server
}

t.test('a choice keeps the others, also if nothing was loaded before', async (t) => {
  const server = serve(t, { audioLanguage: 'de', language: 'de' })
  t.match(await changePreferences({ subtitleLanguage: 'fr' }), { ok: true })
  t.strictSame(server.stored, { audioLanguage: 'de', language: 'de', subtitleLanguage: 'fr' })
})

t.test('while the other choices cannot be read, a choice is refused', async (t) => {
  const server = serve(t, { audioLanguage: 'de' })
  server.failsReads = true
  t.match(await changePreferences({ subtitleLanguage: 'fr' }), refused)
  t.strictSame(server.stored, { audioLanguage: 'de' })
  server.failsReads = false
  await changePreferences({ subtitleLanguage: 'fr' })
  t.strictSame(server.stored, { audioLanguage: 'de', subtitleLanguage: 'fr' })
})

t.test('a choice is there at once, and taken back if the server refuses it', async (t) => {
  const server = serve(t, { audioLanguage: 'de' })
  await queryClient.fetchQuery(preferencesQuery)
  const changing = changePreferences({ audioLanguage: 'fr' })
  await Promise.resolve()
  t.strictSame(preferences(), { audioLanguage: 'fr' })
  await changing
  server.failsWrites = true
  t.match(await changePreferences({ audioLanguage: 'it' }), refused)
  t.strictSame(preferences(), { audioLanguage: 'fr' })
})

t.test('nothing of a person who has signed out reaches the next one', async (t) => {
  serve(t, { audioLanguage: 'de' })
  await queryClient.fetchQuery(preferencesQuery)
  forget()
  t.strictSame(preferences(), {})
  const next = serve(t, { audioLanguage: 'ja' })
  next.failsReads = true
  t.match(await changePreferences({ subtitleLanguage: 'fr' }), refused)
  t.strictSame(next.stored, { audioLanguage: 'ja' })
  t.strictSame(preferences(), {})
})

t.test('a write that fails after the sign-out brings nothing back', async (t) => {
  const server = serve(t, { audioLanguage: 'de' })
  await queryClient.fetchQuery(preferencesQuery)
  server.failsWrites = true
  const changing = changePreferences({ audioLanguage: 'fr' })
  await Promise.resolve()
  forget()
  await changing
  t.strictSame(preferences(), {})
})
