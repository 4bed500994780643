/**
 * Watcher: reports changes in a folder. A hint only: changes on network drives may never be reported, so scheduled and requested scans are
 * still needed.
 */
export interface Watcher {
  /** Watches a folder and everything below it. @throws Error it cannot be watched; its message gives the reason */
  watch(folder: string, listener: WatchListener): Promise<Watching>
}

export interface WatchListener {
  /** Absolute paths of created, deleted or changed files and folders; if a whole folder came or went, possibly only the topmost path. */
  changed(paths: readonly string[]): void
  /** Changes were missed, possibly all from now on: anything may have changed. */
  lost(cause: Error): void
}

export interface Watching {
  /** Nothing is reported after it settles. */
  close(): Promise<void>
}
