/**
 * Watcher: tells when something changes in a folder. A hint only: changes on network drives may never be told, so scans by the
 * clock, and those that somebody asks for, serve besides.
 */
export interface Watcher {
  /** Watches a folder and everything below it. @throws Error it cannot be watched; its message says why */
  watch(folder: string, listener: WatchListener): Promise<Watching>
}

export interface WatchListener {
  /** Absolute paths of files and folders that came, went or changed; of what came or went as a whole only the topmost may be told. */
  changed(paths: readonly string[]): void
  /** Changes were missed, maybe all from now on: anything may have changed. */
  lost(cause: Error): void
}

export interface Watching {
  /** Nothing is told after it settles. */
  close(): Promise<void>
}
