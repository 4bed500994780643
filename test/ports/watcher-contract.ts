/** Tests that every Watcher must pass (src/ports/watcher.ts). */
import type { Test } from 'tap'
import type { Watcher } from '../../src/ports/watcher.ts'

/** A watcher, an empty folder that it can watch, and functions that create and remove files in it. */
export interface WatcherUnderTest {
  readonly watcher: Watcher
  readonly folder: string
  readonly write: (path: string) => Promise<void>
  readonly remove: (path: string) => Promise<void>
  /** Waits until changes have been reported. */
  readonly settle: () => Promise<void>
  readonly close: () => Promise<void>
}

const PATIENCE = 50

export function watcherContract(t: Test, make: () => Promise<WatcherUnderTest>): void {
  t.test('files that appear, change and disappear below a watched folder are reported by their paths', async (t) => {
    const { watcher, folder, write, remove, settle, close } = await make()
    t.teardown(close)
    const told = new Set<string>()
    const watching = await watcher.watch(folder, {
      changed: (paths) => paths.forEach((path) => told.add(path)),
      lost: (cause) => t.fail(cause.message),
    })
    async function tells(path: string): Promise<boolean> {
      for (let n = 0; n < PATIENCE && !told.has(path); n++) await settle()
      return told.delete(path)
    }
    await write(`${folder}/a.mkv`)
    t.ok(await tells(`${folder}/a.mkv`), 'it came')
    await write(`${folder}/a.mkv`)
    t.ok(await tells(`${folder}/a.mkv`), 'it changed')
    await remove(`${folder}/a.mkv`)
    t.ok(await tells(`${folder}/a.mkv`), 'it went')
    await watching.close()
    told.clear()
    await write(`${folder}/b.mkv`)
    await settle()
    t.equal(told.size, 0, 'nothing after the end')
  })

  t.test('a folder that cannot be watched throws', async (t) => {
    const { watcher, folder, close } = await make()
    t.teardown(close)
    await t.rejects(watcher.watch(`${folder}/away`, { changed: () => {}, lost: () => {} }), Error)
  })
}
