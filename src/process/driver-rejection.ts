/** Recognizes promise rejections that a server's driver leaves unhandled: an unavailable server must not end the process. */

/** Matches a stack frame in a package of a driver, for any caller. */
const DRIVER_FRAME = /^\s*at [^\n]*[/\\]node_modules[/\\](?:@eventstore[/\\]db-client|@grpc[/\\]grpc-js|mongodb|nats)[/\\]/
/** Each phrase occurs in the drivers' errors about a lost, closed or refused connection. */
const AWAY =
  /\b(?:UNAVAILABLE|DEADLINE_EXCEEDED|CANCELLED|ECONN[A-Z]+|ETIMEDOUT|EPIPE|EHOSTUNREACH)\b|failed to discover|channel has been (?:shut down|closed)|connection[ _](?:closed|refused|timeout|dropped)|timed out|topology is closed|server selection/i
const LONGEST = 2_000

/** True if the error was thrown inside a driver and means that its server is unreachable. Programming errors never match. */
export function isServerAwayInDriver(reason: unknown): boolean {
  if (!(reason instanceof Error) || reason instanceof TypeError || reason instanceof RangeError) return false
  const frame = (reason.stack ?? '').split('\n').find((line) => /^\s*at /.test(line))
  return frame !== undefined && DRIVER_FRAME.test(frame) && AWAY.test(`${reason.name} ${reason.message}`.slice(0, LONGEST))
}
