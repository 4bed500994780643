/** Report: how the background tells the operator what happens. */

/**
 * `error`: something is broken, and a person has to act. `warn`: it works, but worse, or it is tried again. `info`: the life cycle, such as
 * the end of an outage. `debug`: details of what is reported already.
 */
type Level = 'error' | 'warn' | 'info' | 'debug'

/** Writes one line to the log. Without a level it is an error: a cause that nobody has judged needs a person. */
export type Report<Cause = unknown> = (cause: Cause, level?: Level) => void
