/**
 * Stands in for `async-hook-domain`, by which tap finds the test that an uncaught error belongs to. The original follows each promise of the
 * process by asynchronous hooks, which took a quarter of the processor time of the application's tests. Here the error belongs to the test
 * that was entered last and has not ended: the same one, unless tests of a file run at the same time.
 */
import { AsyncResource, executionAsyncResource } from 'node:async_hooks'

type OnError = (error: unknown, origin: string) => void

/** The tests that have begun and not ended, in the order in which they were entered. */
const running = new Set<Domain>()

/** Part of tap's interface to it. */
export class Domain {
  readonly onerror: OnError
  #isOver = false

  /** tap calls it in the resource of a test that is only queued, and enters the test by that resource. */
  constructor(onerror: OnError) {
    // tap calls it by this name.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    this.onerror = onerror
    const test = executionAsyncResource()
    if (!(test instanceof AsyncResource)) return
    const enter = test.runInAsyncScope.bind(test)
    test.runInAsyncScope = (...call) => {
      this.#enter()
      return enter(...call)
    }
  }

  #enter(): void {
    if (this.#isOver) return
    if (running.size === 0) process.on('uncaughtExceptionMonitor', tellTest)
    running.delete(this)
    running.add(this)
  }

  destroy(): void {
    this.#isOver = true
    if (running.delete(this) && running.size === 0) process.off('uncaughtExceptionMonitor', tellTest)
  }
}

/** Also of a rejection that nobody handles, which Node raises as an exception. A handler of the test itself comes first. */
function tellTest(error: Error, origin: string): void {
  const domain = [...running].at(-1)
  if (!domain || process.hasUncaughtExceptionCaptureCallback() || process.listenerCount('uncaughtException') > 0) return
  domain.onerror(error, origin)
  // The process goes on, once.
  process.setUncaughtExceptionCaptureCallback(() => process.setUncaughtExceptionCaptureCallback(null))
}
