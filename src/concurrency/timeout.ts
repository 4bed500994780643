/** Bound of an await that cannot be cancelled: a disk or a server that does not answer must not hold its caller. */

interface Bound {
  /** What is used of the port. */
  readonly clock: { after(ms: number, callback: () => void): () => void }
  readonly ms: number
  readonly message: string
}

/** The time was over. */
export class TimedOut extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TimedOut'
  }
}

/** The promise's outcome. @throws Late with the message, once the time is over */
export async function withTimeout<T>(promise: Promise<T>, { clock, ms, message }: Bound): Promise<T> {
  const late = Promise.withResolvers<never>()
  const disarm = clock.after(ms, () => late.reject(new TimedOut(message)))
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    disarm()
  }
}

/** The promise's outcome, or the signal's reason as soon as it is aborted. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // What comes of it later is nobody's business: unhandled it would end the process.
    promise.catch(() => {})
    throw signal.reason
  }
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
