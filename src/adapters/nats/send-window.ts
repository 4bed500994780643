/**
 * Send window of a connection: bounds the bytes sent but not confirmed. If it is full, messages are refused or queued, first come, first
 * served. The queue is bounded in bytes too, so memory is bounded however slow the network is.
 */

export interface SendWindow {
  /** Takes room if there is enough; false otherwise. */
  enter(bytes: number): boolean
  /**
   * Calls `go` as soon as there is room and all earlier ones have gone, possibly at once. False if it was never called: the queue is full,
   * the signal was aborted or the window closed.
   */
  queue(bytes: number, go: () => boolean, signal?: AbortSignal): Promise<boolean>
  /** So many bytes were confirmed. */
  leave(bytes: number): void
  close(): void
}

export interface SendWindowOptions {
  readonly maxBytes: number
  /** Most bytes in the queue. */
  readonly maxWaitingBytes: number
}

interface Waiter {
  readonly bytes: number
  /** Settles the wait; whether it may go. */
  readonly called: (mayGo: boolean) => void
}

export function createSendWindow({ maxBytes, maxWaitingBytes }: SendWindowOptions): SendWindow {
  const line = new Set<Waiter>()
  let [insideBytes, waitingBytes, isClosed] = [0, 0, false]

  function enter(bytes: number): boolean {
    if (isClosed || insideBytes + bytes > maxBytes) return false
    insideBytes += bytes
    return true
  }

  function call(waiter: Waiter, mayGo: boolean): void {
    if (line.delete(waiter)) waitingBytes -= waiter.bytes
    waiter.called(mayGo)
  }

  /** `go` is called from here, not after the wait: later messages must not overtake. */
  function wait(bytes: number, go: () => boolean, signal?: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const giveUp = (): void => call(waiter, false)
    const waiter: Waiter = {
      bytes,
      called(mayGo) {
        signal?.removeEventListener('abort', giveUp)
        resolve(mayGo && go())
      },
    }
    line.add(waiter)
    waitingBytes += bytes
    signal?.addEventListener('abort', giveUp)
    return promise
  }

  return {
    enter,
    async queue(bytes, go, signal) {
      if (line.size === 0 && enter(bytes)) return go()
      if (isClosed || signal?.aborted === true || waitingBytes + bytes > maxWaitingBytes) return false
      return wait(bytes, go, signal)
    },
    leave(bytes) {
      insideBytes -= bytes
      for (const waiter of line) {
        if (!enter(waiter.bytes)) return
        call(waiter, true)
      }
    },
    close() {
      isClosed = true
      for (const waiter of line) call(waiter, false)
    },
  }
}
