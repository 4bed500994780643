/**
 * The passage out of a connection: so many bytes may be sent and not yet confirmed. What finds it full is refused, or waits in line,
 * first come, first served; the line is bounded in bytes too, so memory is however slow the network is.
 */

export interface SendWindow {
  /** Whether there was room: then it is taken. */
  enter(bytes: number): boolean
  /**
   * Calls `go` as soon as there is room and all who came before have gone, at once where that is so. False where it was never called:
   * the line is too long, the signal was aborted or the passage closed.
   */
  queue(bytes: number, go: () => boolean, signal?: AbortSignal): Promise<boolean>
  /** So many bytes were confirmed. */
  leave(bytes: number): void
  close(): void
}

export interface SendWindowOptions {
  readonly maxBytes: number
  /** Of what waits in line. */
  readonly maxWaitingBytes: number
}

interface Waiter {
  readonly bytes: number
  /** Settles it; whether it may go. */
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

  /** `go` is called from here, not by whoever waits: what came later must not overtake. */
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
