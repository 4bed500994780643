/** The API for the command line, on the files of a data folder without a server. */
import t from 'tap'
import { isRefusal } from '../../src/domain/refusal.ts'
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
