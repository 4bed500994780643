/** Watcher of folders that exist only in tests, which report changes by hand. */
import type { WatchListener, Watcher } from '../../ports/watcher.ts'

export interface MemoryWatcher extends Watcher {
  /** Notifies all watchers of a folder above these paths. */
  change(...paths: readonly string[]): void
  /** Notifies the watchers of this folder that changes were missed. */
  lose(folder: string): void
  /** Makes this folder unwatchable; without a reason, watchable again. */
  refuse(folder: string, reason?: string): void
  readonly watched: readonly string[]
}

export function createMemoryWatcher(): MemoryWatcher {
  const listeners = new Map<WatchListener, string>()
  const refusals = new Map<string, string>()
  const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)
  return {
    get watched() {
      return [...listeners.values()]
    },
    refuse(folder, reason) {
      if (reason === undefined) refusals.delete(folder)
      else refusals.set(folder, reason)
    },
    change(...paths) {
      for (const [listener, folder] of listeners) {
        const below = paths.filter((path) => isBelow(path, folder))
        if (below.length > 0) listener.changed(below)
      }
    },
    lose(folder) {
      for (const [listener, watched] of listeners) if (watched === folder) listener.lost(new Error('Changes were missed'))
    },
    async watch(folder, listener) {
      const reason = refusals.get(folder)
      if (reason !== undefined) throw new Error(reason)
      // A separate listener object, so that the same listener may watch several folders.
      const own = { changed: (paths: readonly string[]) => listener.changed(paths), lost: (cause: Error) => listener.lost(cause) }
      listeners.set(own, folder)
      return { close: async () => void listeners.delete(own) }
    },
  }
}
