/** The line of the log for an error of the background, or of anything else that has no answer of its own. */
import { currentRequest } from '../concurrency/current-request.ts'
import { oneLine } from '../process/start-failure.ts'

export const printError = (cause: unknown): void => printLine(oneLine(cause))

/** Ends with the id of the request that caused it, if one did. */
export function printLine(line: string): void {
  const requestId = currentRequest.current()
  console.error(requestId === undefined ? line : `${line} [request ${requestId}]`)
}
