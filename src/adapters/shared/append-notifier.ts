/** Wakes all readers in this process that wait for new events, so that none has to poll. */
export interface AppendNotifier {
  notify(): void
  /** Settles at the next notification or when the signal is aborted, whichever comes first. */
  next(signal: AbortSignal): Promise<void>
}

export function createAppendNotifier(): AppendNotifier {
  const waiting = new Set<() => void>()
  return {
    notify() {
      for (const wake of waiting) wake()
    },
    next(signal) {
      if (signal.aborted) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      const wake = (): void => {
        waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
      return promise
    },
  }
}
