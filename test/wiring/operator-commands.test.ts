/** The API for the command line, on the files of a data folder without a server. */
import t from 'tap'
import { isRefusal } from '../../src/domain/refusal.ts'
import type { OfflineCommands } from '../../src/process/open-offline.ts'
import { withOfflineData } from '../fixtures/offline-data.ts'

const never = new AbortController().signal

t.test('requests work without a server, and what they change stays', async (t) => {
  const dataDir = t.testdir()
  await withOfflineData(dataDir, async (commands) => {
    const libraries = { method: 'GET', path: '/v1/libraries', body: null } as const
    t.match(await commands.callApi(libraries, never), { refusal: 'conflict', message: /user add/ })
    const made = await commands.addUser({ email: 'ann@example.org', name: 'Ann', password: 'a-known-password', role: 'admin' })
    if (isRefusal(made)) throw new Error(made.message)
    t.match(await commands.callApi(libraries, never), { status: 200, body: /"items":\[\]/ })
    const body = JSON.stringify({ name: 'Films', paths: [dataDir] })
    t.match(await commands.callApi({ method: 'POST', path: '/v1/libraries', body }, never), { status: 201 })
  })
  await withOfflineData(dataDir, async (commands) => t.match(await commands.listLibraries(), [{ name: 'Films' }]))
})

t.test('the link of an account by its address is allowed without a server, in the name of the command line', async (t) => {
  const dataDir = t.testdir()
  const provider = { MARQUEE_OIDC_ISSUER: 'https://login.example.org', MARQUEE_OIDC_CLIENT_ID: 'm', MARQUEE_OIDC_CLIENT_SECRET: 's' }
  const addUser = async (commands: OfflineCommands, email: string, role: 'admin' | 'user') => {
    const made = await commands.addUser({ email, name: 'Somebody', password: 'a-known-password', role })
    if (isRefusal(made)) throw new Error(made.message)
    return `/v1/users/${made.id}/single-sign-on/consent`
  }
  await withOfflineData(
    dataDir,
    async (commands) => {
      await addUser(commands, 'root@example.org', 'admin')
      const path = await addUser(commands, 'ann@example.org', 'user')
      const given = await commands.callApi({ method: 'PUT', path, body: null }, never)
      t.match(given, { status: 200, body: /"consentUntil":"20/ })
      const audit = await commands.callApi({ method: 'GET', path: '/v1/audit?type=LinkConsentGiven', body: null }, never)
      t.match(audit, { status: 200, body: /"cli"/ })
      t.match(await commands.callApi({ method: 'DELETE', path, body: null }, never), { status: 204 })
    },
    provider,
  )
})
