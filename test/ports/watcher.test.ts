import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { createMemoryWatcher } from '../../src/adapters/memory/watcher.ts'
import { createParcelWatcher } from '../../src/adapters/parcel-watcher/watcher.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { watcherContract } from './watcher-contract.ts'

t.test('reported by hand', async (t) => {
  watcherContract(t, async () => {
    const watcher = createMemoryWatcher()
    watcher.refuse('/films/away', 'It is not there')
    const change = async (path: string): Promise<void> => watcher.change(path)
    return { watcher, folder: '/films', write: change, remove: change, settle: async () => {}, close: async () => {} }
  })
})

t.test('reported by the operating system', async (t) => {
  watcherContract(t, async () => {
    const clock = createSystemClock()
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'marquee-watcher-')))
    return {
      watcher: createParcelWatcher({ clock }),
      folder,
      write: (path) => writeFile(path, String(clock.monotonic())),
      remove: (path) => rm(path),
      settle: () => clock.sleep(100),
      close: () => rm(folder, { recursive: true, force: true }),
    }
  })
})
