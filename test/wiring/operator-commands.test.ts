/** The API for the command line, on the files of a data folder without a server. */
import t from 'tap'
import { isRefusal } from '../../src/domain/refusal.ts'
import { loadConfig } from '../../src/config/load.ts'
import { ownDataFolder } from '../../src/process/data-folder.ts'
import type { OfflineCommands } from '../../src/process/open-offline.ts'
import { openOffline } from '../../src/wiring/wiring.ts'

const never = new AbortController().signal

async function withData<Result>(dataDir: string, work: (commands: OfflineCommands) => Promise<Result>): Promise<Result> {
  const loaded = loadConfig({
    env: { MARQUEE_DATA_DIR: dataDir, MARQUEE_MEDIA_WORK: 'agents', MARQUEE_ROLES: 'api,projector,agent' },
    folder: '/',
  })
  if ('problems' in loaded) throw new Error(loaded.problems.join())
  const folder = ownDataFolder(loaded.config)
  if ('problem' in folder) throw new Error(folder.problem)
  try {
    const commands = await openOffline({ config: loaded.config, folder })
    try {
      return await work(commands)
    } finally {
      await commands.close()
    }
  } finally {
    folder.release()
  }
}

t.test('requests work without a server, and what they change stays', async (t) => {
  const dataDir = t.testdir()
  await withData(dataDir, async (commands) => {
    const libraries = { method: 'GET', path: '/v1/libraries', body: null } as const
    t.match(await commands.callApi(libraries, never), { refusal: 'conflict', message: /user add/ })
    const made = await commands.addUser({ email: 'ann@example.org', name: 'Ann', password: 'a-known-password', role: 'admin' })
    if (isRefusal(made)) throw new Error(made.message)
    t.match(await commands.callApi(libraries, never), { status: 200, body: /"items":\[\]/ })
    const body = JSON.stringify({ name: 'Films', paths: [dataDir] })
    t.match(await commands.callApi({ method: 'POST', path: '/v1/libraries', body }, never), { status: 201 })
  })
  await withData(dataDir, async (commands) => t.match(await commands.listLibraries(), [{ name: 'Films' }]))
})
