/** Rejections that a driver of a server has left to nobody: while its server is away they are no reason to end a process. */

/** Where they were thrown: in a package of a driver, whoever called it. */
const DRIVER_FRAME = /^\s*at [^\n]*[/\\]node_modules[/\\](?:@eventstore[/\\]db-client|@grpc[/\\]grpc-js|mongodb|nats)[/\\]/
/** Each phrase stands in what the drivers say of a connection that is lost, closed or not to be had. */
const AWAY =
  /\b(?:UNAVAILABLE|DEADLINE_EXCEEDED|CANCELLED|ECONN[A-Z]+|ETIMEDOUT|EPIPE|EHOSTUNREACH)\b|failed to discover|channel has been (?:shut down|closed)|connection[ _](?:closed|refused|timeout|dropped)|timed out|topology is closed|server selection/i
const LONGEST = 2_000

/** True where the error was thrown inside a driver and says that its server cannot be reached. Mistakes in code are none of those. */
export function isServerAwayInDriver(reason: unknown): boolean {
  if (!(reason instanceof Error) || reason instanceof TypeError || reason instanceof RangeError) return false
  const frame = (reason.stack ?? '').split('\n').find((line) => /^\s*at /.test(line))
  return frame !== undefined && DRIVER_FRAME.test(frame) && AWAY.test(`${reason.name} ${reason.message}`.slice(0, LONGEST))
}
