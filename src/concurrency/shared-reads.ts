/** Shares reads of a changing value: all who ask while a read runs share the next one, so that nobody gets a value from before it asked. */
export interface SharedReads<Value> {
  read(key: string, read: () => Promise<Value>): Promise<Value>
}

export function createSharedReads<Value>(): SharedReads<Value> {
  /** Settles when the read does, and never fails. */
  const running = new Map<string, Promise<void>>()
  const next = new Map<string, Promise<Value>>()

  function begin(key: string, read: () => Promise<Value>): Promise<Value> {
    const result = read()
    const end = (): void => {
      if (running.get(key) === ended) running.delete(key)
    }
    const ended = result.then(end, end)
    running.set(key, ended)
    return result
  }

  return {
    read(key, read) {
      const before = running.get(key)
      if (!before) return begin(key, read)
      const shared =
        next.get(key) ??
        before.then(() => {
          next.delete(key)
          return begin(key, read)
        })
      next.set(key, shared)
      return shared
    },
  }
}
