/** Single flight: shares one run of some work among several waiters, and cancels it when the last of them has left. */

export interface SingleFlight<Value> {
  /** @throws the signal's reason once it is aborted; any error of the work */
  join(key: string, work: (signal: AbortSignal) => Promise<Value>, signal: AbortSignal): Promise<Value>
  /** Cancels everything. */
  close(): void
}

interface Flight<Value> {
  readonly result: Promise<Value>
  readonly stop: AbortController
  waiters: number
}

export function createSingleFlight<Value>(): SingleFlight<Value> {
  const flights = new Map<string, Flight<Value>>()

  function begin(key: string, work: (signal: AbortSignal) => Promise<Value>): Flight<Value> {
    const stop = new AbortController()
    const result = work(stop.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key)
    })
    result.catch(() => undefined)
    const flight: Flight<Value> = { result, stop, waiters: 0 }
    flights.set(key, flight)
    return flight
  }

  return {
    async join(key, work, signal) {
      signal.throwIfAborted()
      const flight = flights.get(key) ?? begin(key, work)
      flight.waiters++
      const { promise: gone, reject } = Promise.withResolvers<never>()
      const leave = (): void => reject(signal.reason)
      signal.addEventListener('abort', leave, { once: true })
      try {
        return await Promise.race([flight.result, gone])
      } finally {
        signal.removeEventListener('abort', leave)
        // Completed work has already been removed from the map.
        if (--flight.waiters === 0 && flights.get(key) === flight) {
          flights.delete(key)
          flight.stop.abort()
        }
      }
    },
    close() {
      for (const { stop } of flights.values()) stop.abort()
    },
  }
}
