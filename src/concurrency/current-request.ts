/**
 * The id of the request that the running code belongs to, also after awaits and timers. So a line of the log names the request although
 * nothing between passes the id on.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const requests = new AsyncLocalStorage<string>()

/** Of request ids. The bound keeps the log clean of what another program may send. */
const FORM = /^[\w-]{1,64}$/

export const currentRequest = {
  /** Undefined: no request caused this, or the request of a program that does not name it. */
  current: (): string | undefined => requests.getStore(),
  /** Runs it as part of the request. An id in another form counts as none. */
  within: <Result>(requestId: string, work: () => Result): Result => (FORM.test(requestId) ? requests.run(requestId, work) : work()),
  /** Runs it as part of no request: for what a request only happens to start, such as a connection that all share. */
  outside: <Result>(work: () => Result): Result => requests.exit(work),
}
